"""Every check that a decoder is put to: on tables, on made-up models, on a real pair.

A decoder of the library (a rule and a drafter) and a whole program of the signature in
`programs` are examined alike, by their tokens.  Every path is walked, so that the distance is
exact, on tables, and on made-up models and the pair where few tokens are possible at most
places (`restricted_support`).  Long texts of the pair are tested as samples, each test with
what it would have seen, and as greedy texts.  Of a decoder of the library the rows are seen,
too: they must be those of a fresh pass.

What is certain is said at once: after an examination that found a defect there is no other.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any

import numpy as np
from tqdm import tqdm

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.decoding.theory import total_variation
from course_utils.proofs import restricted_support as support
from course_utils.proofs.certificate import (
    LOSSY,
    PAIR,
    Certificate,
    Check,
    at_most,
    attempted,
    certificate_of,
    timed,
)
from course_utils.proofs.decoders import Decoder, Exam
from course_utils.proofs.exact_walk import exact_check
from course_utils.proofs.filters import filtered
from course_utils.proofs.passes import ROUNDING, number_format, rows_of_the_text, score
from course_utils.proofs.programs import Program, write_text
from course_utils.proofs.restricted_support import COOLER, PLAIN, QWENS_OWN, Reader
from course_utils.proofs.scores import Scores, likelier, tested
from course_utils.proofs.surprise import Surprise, surprise_along
from course_utils.proofs.synthetic import shifted_pair
from course_utils.proofs.table_checks import ON_TABLES
from course_utils.proofs.ties import SAFETY, unexplained

MADE_UP = "made-up models"
VOCABULARY_SIZE = 600  # of the models whose texts are long
FEW, MANY = (4, 2), (support.WIDE, 1)  # tokens possible for target and draft
TREE_WIDTH = 5  # tokens that are possible for the draft of a tree
LONG_GAMMA = 9  # of a round that is long
ROUNDS = 32  # each of which is examined
SAMPLED_TOKENS, GREEDY_TOKENS = 96, 48  # after a prompt
GREEDY_PROMPTS = 4
MAX_CONTEXT = 2048  # tokens of the longest text on the pair


def certify(*given: Any, seconds: float = inf, **settings: Any) -> Certificate:
    """Put a decoder to every check; the arguments are those of `every_check`.

    Args:
        seconds: after so many no further check is begun.
    """
    start = now()
    return certificate_of(list(timed(every_check(*given, **settings), seconds)), now() - start)


def every_check(
    target: LanguageModel,
    draft: LanguageModel | None,
    decoder: Decoder | Program,
    prompts: Sequence[Sequence[int]],
    gamma: int = 4,
    seed: int = 0,
    stop_tokens: Sequence[int] = (),
    asked: Sequence[Sampling] = (),
) -> Iterator[Check | str]:
    """Yield the checks one by one, and a sentence for each that could not be run, up to an
    examination that finds a defect.

    Args:
        target, draft: the pair; None if the drafter needs no model.
        decoder: must run on tables, too.
        prompts: at least one; a dozen give the power that is stated.
        seed: of the texts, and of the places that are drawn.
        stop_tokens: of the pair.
        asked: settings that are examined beside those of servers.

    Raises:
        ValueError: no prompts, gamma < 1 or a seed below 0.
    """
    if not prompts:
        raise ValueError("there is nothing to certify on: give at least one prompt")
    if gamma < 1:
        raise ValueError(f"gamma is {gamma}; draft at least 1 token per round")
    Noise(seed)
    invented, other = shifted_pair(target.vocabulary_size, seed + 10)
    draft = other if draft is None else draft
    # a draft head reads the states of a target at work; where paths are walked any draft will do
    pair = Reader(target), Reader(other if hasattr(draft, "shared") else draft)
    made_up, context = (Reader(invented), Reader(other)), min(target.context, MAX_CONTEXT)
    # guesses of a tree are several at a place: of many tokens there are too many ways to draw them
    width = TREE_WIDTH if isinstance(decoder, Decoder) and decoder.judges_trees else support.WIDE
    short = prompts, gamma, width, min(stop_tokens, default=0), asked
    late = [(prompts[0], min(150, context // 4), FEW), (prompts[0], min(75, context // 8), MANY)]
    walks = {
        MADE_UP: support.short_exams(made_up, *short)
        | _long_exams(gamma, width, np.random.default_rng(seed)),
        PAIR: support.short_exams(pair, *short)
        | {
            "late in a text": support.late(pair, late, gamma),
            "at the context's end": support.after(
                pair, _joined(prompts, context - 5), gamma, width
            ),
        },
    }
    sampled = _sampled_exams(target, draft, prompts, gamma, stop_tokens, asked)
    greedy = [
        replace(sampled[0], prompt=tuple(prompt), sampling=GREEDY, length=GREEDY_TOKENS)
        for prompt in prompts[:GREEDY_PROMPTS]
    ]
    examinations: list[tuple[str, Callable[[], Iterable[Check]]]] = [
        *((check.__name__, partial(_one, check, decoder)) for check in ON_TABLES),
        *((where, partial(_walked, where, decoder, exams)) for where, exams in walks.items()),
        (f"samples of the {PAIR}", partial(_sampled, decoder, sampled, seed)),
        (f"greedy texts of the {PAIR}", partial(_one, partial(_greedy, exams=greedy), decoder)),
    ]
    findings: list[Check | str] = []
    for name, examination in examinations:
        if name in walks and any(isinstance(each, str) for each in findings):
            continue  # what cannot be walked on tables cannot be walked
        for finding in attempted(name, examination):
            findings.append(finding)
            yield finding
        if certificate_of(findings, 0.0).verdict == LOSSY:
            return


def _one(check: Callable[[Decoder | Program], Check], decoder: Decoder | Program) -> list[Check]:
    return [check(decoder)]


def _walked(
    where: str, decoder: Decoder | Program, exams: dict[str, Iterable[Exam]]
) -> Iterator[Check]:
    """Exact distances, up to the first that is a defect."""
    for name, each in exams.items():
        check = exact_check(f"{where}: exact distribution, {name}", decoder, each)
        yield check
        if not check.passed:
            return


def _long_exams(gamma: int, width: int, rng: np.random.Generator) -> dict[str, Iterable[Exam]]:
    """Exams of long rounds, long texts and long prompts, on models of few tokens."""
    target, draft = shifted_pair(VOCABULARY_SIZE, int(rng.integers(1 << 30)))
    models = Reader(target), Reader(draft)
    context = rng.integers(0, VOCABULARY_SIZE, 1950).tolist()
    late = [
        (context[:700], int(rng.integers(1100, 1400)), FEW),
        (context[:700], int(rng.integers(400, 700)), MANY),
        (context[:1500], int(rng.integers(100, 400)), FEW),
    ]
    prompts = context[:9], context[9:80]
    return {
        f"each place of a round, γ = {LONG_GAMMA}": support.each_place(models, prompts, LONG_GAMMA),
        "each round of a text": support.each_round(models, context[:5], gamma, ROUNDS, rng),
        "late in a text": support.late(models, late, gamma),
        "after a long prompt": support.after(models, context, gamma, width),
    }


def _joined(prompts: Sequence[Sequence[int]], length: int) -> list[int]:
    """The prompts one after another, so many tokens."""
    tokens = [token for prompt in prompts for token in prompt]
    return (tokens * (1 + length // len(tokens)))[: max(1, length)]


def _sampled_exams(
    target: LanguageModel, draft: LanguageModel, prompts: Sequence[Sequence[int]], gamma: int,
    stop_tokens: Sequence[int], asked: Sequence[Sampling],
) -> list[Exam]:  # fmt: skip
    """Long texts of the pair: plain, cooler, under filters to a stop token, after a long prompt."""
    long = _joined(prompts, min(target.context, MAX_CONTEXT) - SAMPLED_TOKENS)
    plain = Exam(target, draft, PLAIN, gamma, SAMPLED_TOKENS, tuple(prompts[0]))
    exams = [replace(plain, prompt=tuple(prompt)) for prompt in (*prompts, long)]
    exams += [replace(plain, prompt=tuple(prompt), sampling=COOLER) for prompt in prompts[::2]]
    return exams + [
        replace(plain, prompt=tuple(prompt), sampling=sampling, stop_tokens=tuple(stop_tokens))
        for sampling in (QWENS_OWN, *asked)
        for prompt in prompts[:2]
    ]


def _sampled(decoder: Decoder | Program, exams: Sequence[Exam], seed: int) -> Iterator[Check]:
    """Long texts, tested as samples of the target; of a library's decoder its rows, too."""
    to_draft, to_likely = Scores("towards the draft"), Scores("towards likelier tokens")
    sums: list[Surprise] = []
    moved: list[np.ndarray] = []
    misshapen = 0
    for i, exam in enumerate(tqdm(exams, PAIR, leave=False, disable=None)):
        noise, rounds = Noise(seed + i), list[Round]()
        if isinstance(decoder, Decoder):
            rounds = list(exam.rounds(decoder, noise=lambda _, noise=noise: noise))
        tokens = emitted_tokens(rounds) if rounds else [*write_text(decoder, exam, noise)]
        ends = [place + 1 for place, token in enumerate(tokens) if token in exam.stop_tokens]
        misshapen += len(tokens) != min([*ends, exam.length])
        p, q = (_rows_along(model, exam, tokens) for model in (exam.target, exam.draft))
        places = Noise(seed + i, row=1).round(0).uniforms("other", 2 * len(tokens))
        to_likely.add(p, likelier(p), p, tokens, places[: len(tokens)])
        to_draft.add(p, q, p / np.maximum(q, 1e-300), tokens, places[len(tokens) :])
        if exam.sampling == Sampling(exam.sampling.temperature):
            # under a filter rounding can put a token on its other side, infinitely surprising
            sums.append(surprise_along(p, tokens))
            if rounds:
                among = [as_numpy(r.p)[rows_of_the_text(r)] for r in rounds]
                moved.append(total_variation(np.concatenate(among).astype(np.float64), p))
    shape = at_most(f"{PAIR}: texts of a wrong length", misshapen, 0)
    longest = max(len(exam.prompt) + exam.length for exam in exams)
    yield replace(shape, settings=tuple({exam.sampling for exam in exams}), longest=longest)
    if moved:
        rounding, name = ROUNDING[number_format(exams[0].target)], "row in a round, row alone"
        mean = max(float(each.mean()) for each in moved)
        yield at_most(f"{PAIR}: {name} (mean TV)", mean, rounding.mean)
        most = max(float(each.max()) for each in moved)
        yield at_most(f"{PAIR}: {name} (largest TV)", most, rounding.largest)
    yield from tested((to_draft, to_likely), PAIR)
    total = Surprise(*map(sum, zip(*(vars(each).values() for each in sums), strict=True)))
    witnesses = {"": total.deviations, ", second moment": total.second_deviations}
    for (name, found), (down, up) in zip(witnesses.items(), total.bands, strict=True):
        # an infinite one is no JSON
        far, most = min(abs(found), 1e9), min(up if found > 0 else -down, 1e9)
        yield at_most(f"{PAIR}: surprise{name} (deviations)", float(far), float(most))


def _rows_along(model: LanguageModel, exam: Exam, tokens: Sequence[int]) -> np.ndarray:
    """What the model says at each token of a finished text, in one pass: (n, vocabulary)."""
    working = getattr(model, "shared", None)  # a head reads the states of a target at work
    session = working and working.start([*exam.prompt, *tokens[:-1]])
    logits = score(model, exam.prompt, tokens, k=len(tokens))
    del session
    return np.stack([filtered(row, exam.sampling) for row in as_numpy(logits)])


def _greedy(decoder: Decoder | Program, exams: Sequence[Exam]) -> Check:
    """At temperature 0 each token is the target's own, but for numerical ties."""
    wrong = 0
    for exam in exams:
        noise = SAFETY * ROUNDING[number_format(exam.target)].logits
        tokens = write_text(decoder, exam, Noise(0))
        wrong += len(unexplained(exam.target, exam.prompt, tokens, noise))
    check = at_most(f"{PAIR}: greedy tokens that are not the target's, but for ties", wrong, 0)
    return replace(check, settings=(GREEDY,))
