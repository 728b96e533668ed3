"""All checks of a decoder: on tables, on synthetic models, on a real pair.

A subject is examined by its tokens.  On tables every path is walked, so the distance is exact; also
on synthetic models and the pair, restricted to few possible tokens at most places
(`restricted_support`).  Long texts of the pair are tested as samples, with the power of each test,
and as greedy texts.  For a decoder of the library the rows are checked, too: they must equal those
of a fresh pass.

The examination stops at the first check that finds a defect.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from logging import getLogger
from math import inf
from typing import Any

import numpy as np
from tqdm import tqdm

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.decoding.rows import as_numpy, namespace
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.plugins import line_of_plugin
from course_utils.proofs.certificate import OVER, PAIR, Certificate, Check, at_most, certificate_of
from course_utils.proofs.decoders import Exam, Subject
from course_utils.proofs.drift import Drift, likelier
from course_utils.proofs.exact_walk import TooManyPaths, exact_check, settings_name
from course_utils.proofs.filters import filtered
from course_utils.proofs.passes import ROUNDING, number_format, rows_of_the_text, score
from course_utils.proofs.restricted_support import Models, RowReader, restricted_exam
from course_utils.proofs.synthetic import shifted_pair
from course_utils.proofs.table_checks import ON_TABLES
from course_utils.proofs.ties import SAFETY, unexplained
from course_utils.refused import Refused
from course_utils.theory.speedup import total_variation

PLAIN, COOLER, HOTTER = Sampling(), Sampling(0.7), Sampling(2.0)
QWENS_OWN = Sampling(0.6, top_k=20, top_p=0.95)  # the settings of Qwen3's generation config
SETTINGS = (  # common settings of servers
    COOLER, Sampling(0.05), Sampling(0.85), Sampling(1.5), HOTTER,
    Sampling(top_k=5), Sampling(top_k=20), Sampling(top_k=50),
    Sampling(top_p=0.5), Sampling(top_p=0.9), Sampling(top_p=0.95),
    Sampling(min_p=0.05), Sampling(0.8, min_p=0.1), QWENS_OWN, Sampling(top_p=0.9, min_p=0.1),
    Sampling(0.8, top_k=20, top_p=0.95, min_p=0.05),
)  # fmt: skip
FEW, ALL = (4, 2), (4096, 1)  # tokens possible for target and draft
WIDE = 64  # tokens: more than pass the default filters of servers
TREE_WIDTH = 5  # tokens possible for a draft that draws several per place
LONG_GAMMA = 9
ROUNDS = 32  # all of them are examined
MADE_UP = "made-up models"
VOCABULARY_SIZE = 600  # of models with long texts
SAMPLED_TOKENS, GREEDY_TOKENS = 96, 48  # new tokens per prompt
GREEDY_PROMPTS = 4
MAX_CONTEXT = 2048  # tokens of the longest text on the pair

Exams = dict[str, Iterable[Exam]]


def certify(*arguments: Any, seconds: float = inf, **options: Any) -> Certificate:
    """Run every check of a decoder; the arguments are those of `every_check`.

    Args:
        seconds: the time after which no further check starts.
    """
    start, findings = now(), []
    for finding in every_check(*arguments, **options):
        findings.append(finding)
        if now() - start > seconds:
            findings.append(OVER.format(seconds))
            break
    return certificate_of(findings, now() - start)


def every_check(
    target: LanguageModel, draft: LanguageModel | None, subject: Subject,
    prompts: Sequence[Sequence[int]], gamma: int = 4, seed: int = 0,
    stop_tokens: Sequence[int] = (), settings: Sequence[Sampling] = (),
) -> Iterator[Check | str]:  # fmt: skip
    """Yield the checks up to the first that fails, or a sentence for one that could not run.

    Args:
        target, draft: the pair; None if the drafter needs no model.
        subject: must run on tables, too.
        prompts: at least one; the stated power needs a dozen.
        seed: for the texts and the random places.
        stop_tokens: the pair's stop tokens.
        settings: examined in addition to those of servers.

    Raises:
        ValueError: no prompts, gamma < 1 or a seed below 0.
    """
    if not prompts:
        raise ValueError("there are no prompts: give at least one")
    if gamma < 1:
        raise ValueError(f"gamma is {gamma}; give at least 1")
    Noise(seed)
    invented, other = shifted_pair(target.vocabulary_size, seed + 10)
    towards = "the draft" if draft is not None else "a made-up draft"
    draft = other if draft is None else draft
    # a draft head reads the states of a decoding target; for walking paths any draft will do
    pair = RowReader(target), RowReader(other if hasattr(draft, "shared") else draft)
    # with several guesses per place, many possible tokens give too many paths
    width = TREE_WIDTH if subject.trees else WIDE
    short = prompts, gamma, width, min(stop_tokens, default=0), settings
    walks = {
        MADE_UP: short_exams((RowReader(invented), RowReader(other)), *short)
        | long_exams(gamma, width, seed),
        PAIR: short_exams(pair, *short)
        | late_exams(pair, prompts, gamma, width, min(target.context, MAX_CONTEXT)),
    }
    made_up = sampled_exams(invented, other, prompts, gamma, stop_tokens)
    real = sampled_exams(target, draft, prompts, gamma, stop_tokens)
    examinations = {
        "exact distributions": exact_checks(subject, walks, made_up, seed),
        f"samples of the {PAIR}": sampled_checks(subject, real, seed, towards=towards),
    }
    for sampling in settings:
        texts = [replace(each, sampling=sampling) for each in real[: len(prompts)]]
        at = f" at {settings_name(sampling)}"
        examinations[f"samples{at}"] = sampled_checks(subject, texts, seed, PAIR, towards, at)
    examinations[f"greedy texts of the {PAIR}"] = greedy_check(subject, real)
    for name, checks in examinations.items():
        try:
            for check in checks:
                yield check
                if not check.passed:
                    return
        except (Exception, SystemExit) as error:
            getLogger(__name__).warning(name, exc_info=True)  # shown by `certify --debug`
            kind = "" if isinstance(error, Refused) else f"{type(error).__name__}: "
            began = [f", from {check!r} on" for check in getattr(error, "__notes__", ())][:1]
            yield f"{name}{''.join(began)}: {kind}{error}{line_of_plugin(error)}"


def exact_checks(
    subject: Subject, walks: dict[str, Exams], samples: Sequence[Exam], seed: int
) -> Iterator[Check]:
    """Walk tables and models of restricted support; if there are too many paths, test `samples`.

    An error has a note with the name of the check that it broke off.
    """
    on_tables = {check.__name__: partial(check, subject) for check in ON_TABLES}
    on_models = {
        name: partial(exact_check, name, subject, each)
        for where, exams in walks.items()
        for name, each in ((f"{where}: exact distribution, {x}", exams[x]) for x in exams)
    }
    walked = True
    for name, check in (on_tables | on_models).items():
        try:
            yield check()
        except TooManyPaths:
            walked = False
            if name in on_models:  # a drafter's own model may guess any of thousands of tokens
                break
        except (Exception, SystemExit) as error:
            error.add_note(name)
            raise
    if not walked:
        yield from sampled_checks(subject, samples, seed, f"samples of the {MADE_UP}")
        yield from greedy_check(subject, samples, MADE_UP)


def short_exams(
    models: Models, prompts: Sequence[Sequence[int]], gamma: int, width: int, stop_token: int,
    settings: Sequence[Sampling] = (),
) -> Exams:  # fmt: skip
    """Return exams of a few tokens after each prompt.

    The stop token is possible as a guess, a correction and a bonus.  It must end the text only
    if it is set as a stop token, even if it is in the prompt.
    """
    first, last = prompts[0], prompts[-1]
    exam = partial(restricted_exam, models, gamma=gamma)
    wide = [exam(first, 2, {0: possible}) for possible in ((WIDE, 2), (3, width))]
    # after a text that starts to repeat itself
    whole = exam([*first, *first[: len(first) // 2]], 1, {0: ALL}, HOTTER)
    ends = partial(exam, length=5, at={0: (2, 2), 2: (2, 1), 4: (2, 1)}, always=(stop_token,))
    return {
        **{settings_name(s): [replace(x, sampling=s) for x in (*wide, whole)] for s in settings},
        "many tokens possible": [whole, exam(last, 4, {3: (WIDE, 2)})],
        "settings of servers": [replace(each, sampling=s) for each in wide for s in SETTINGS],
        "texts that end": [
            ends(prompt, stop_tokens=stops)
            for prompt in (first, [*first, stop_token, *first[:3]])
            for stops in ((stop_token,), ())
        ],
        f"each place of a round, γ = {gamma}": each_place(models, prompts, gamma),
    }  # fmt: skip


def each_place(models: Models, prompts: Sequence[Sequence[int]], gamma: int) -> list[Exam]:
    """Return an exam for each place of a round and of the start of the next: a few tokens are
    possible there and at two more places, and a guess may be certain to be rejected.  Prompts and
    temperatures alternate."""
    length, exams = gamma + 3, []
    for place in range(0, gamma + 2, 1 + gamma // 16):
        at = {(place + far) % length: w for far, w in ((5, (1, 1)), (2, (2, 3)), (0, FEW))}
        prompt, sampling = prompts[place % len(prompts)], (PLAIN, COOLER)[place % 2]
        exams.append(restricted_exam(models, prompt, length, at, sampling, gamma))
    return exams


def long_exams(gamma: int, width: int, seed: int) -> Exams:
    """Return exams of long, late and rare rounds and of long prompts, on small vocabularies."""
    rng = np.random.default_rng(seed)
    target, draft = shifted_pair(VOCABULARY_SIZE, seed + 11)
    models = RowReader(target), RowReader(draft)
    context = rng.integers(0, VOCABULARY_SIZE, 1950).tolist()
    exam = partial(restricted_exam, models, gamma=gamma)
    rounds = (gamma + 1) * np.arange(ROUNDS) + rng.integers(gamma + 1, size=ROUNDS)
    end = int(rng.integers(1100, 1400))
    return {
        f"each place of a round, γ = {LONG_GAMMA}": each_place(
            models, [context[:9], context[9:80]], LONG_GAMMA
        ),
        "each round of a text": (exam(context[:5], at + 2, {at: FEW}) for at in rounds.tolist()),
        "late in a text": (exam(context[:700], at + 2, {at: FEW}) for at in (end // 3, end)),
    } | late_exams(models, [context], gamma, width, len(context))


def late_exams(
    models: Models, prompts: Sequence[Sequence[int]], gamma: int, width: int, context: int
) -> Exams:
    """Return exams of the end of a text, and of prompts that leave room for few tokens."""
    exam = partial(restricted_exam, models, gamma=gamma)
    tokens = [token for prompt in prompts for token in prompt]
    long = (tokens * (1 + context // len(tokens)))[: max(1, context - 5)]
    guesses = exam(long, 3, {0: (3, width), 2: (1, 1)})
    text, at = prompts[0][:300], min(150, context // 4)
    return {
        "after some rounds": [exam(text, at + 2, {at: wide}) for wide in (FEW, (WIDE, 1))],
        "after a long prompt": [
            guesses, replace(guesses, sampling=QWENS_OWN), exam(long, 5, {1: (WIDE, 1), 4: (2, 3)}),
        ],
    }  # fmt: skip


def sampled_exams(
    target: LanguageModel, draft: LanguageModel, prompts: Sequence[Sequence[int]], gamma: int,
    stop_tokens: Sequence[int],
) -> list[Exam]:  # fmt: skip
    """Return exams of the pair: plain, at a lower temperature, and filtered with a stop token."""
    plain = [Exam(target, draft, PLAIN, gamma, SAMPLED_TOKENS, tuple(p)) for p in prompts]
    ends = [replace(each, stop_tokens=tuple(stop_tokens)) for each in plain[:2]]
    return [
        *plain,
        *(replace(each, sampling=COOLER) for each in plain[::2]),
        *(replace(each, sampling=QWENS_OWN) for each in ends),
    ]


def sampled_checks(
    subject: Subject, exams: Sequence[Exam], seed: int, where: str = PAIR,
    towards: str = "the draft", at: str = "",
) -> Iterator[Check]:  # fmt: skip
    """Test texts as samples of the target; for a decoder of the library, test its rows, too."""
    to_draft, to_likely = (Drift(f"towards {x}{at}") for x in (towards, "likelier tokens"))
    moved: list[np.ndarray] = []
    for i, exam in enumerate(tqdm(exams, where, leave=False, disable=None)):
        rounds = list(exam.rounds(subject, seed=seed + i))
        tokens = emitted_tokens(rounds)
        p, q = (_rows_along(model, exam, tokens) for model in (exam.target, exam.draft))
        to_likely.add(p, likelier(p), tokens)
        to_draft.add(p, q, tokens)
        if isinstance(rounds[0], Round) and exam.sampling == Sampling(exam.sampling.temperature):
            # rounding can move a token across the edge of a filter
            among = [as_numpy(r.p)[rows_of_the_text(r)] for r in rounds]
            moved.append(total_variation(np.concatenate(among).astype(np.float64), p))
    if moved:
        rounding = ROUNDING[number_format(exams[0].target)]
        name = f"row in a round, row alone{at}"
        mean, largest = (max(float(f(each)) for each in moved) for f in (np.mean, np.max))
        yield at_most(f"{where}: {name} (mean TV)", mean, rounding.mean)
        yield at_most(f"{where}: {name} (largest TV)", largest, rounding.largest)
    settings = tuple({exam.sampling: None for exam in exams})
    longest = max(len(exam.prompt) + exam.length for exam in exams)
    for case in to_draft, to_likely:
        yield replace(case.check(where), settings=settings, longest=longest)


def _rows_along(model: LanguageModel, exam: Exam, tokens: Sequence[int]) -> np.ndarray:
    """Return the model's distribution at each token of a finished text, (n, vocabulary)."""
    if not hasattr(model, "shared"):
        logits = score(model, exam.prompt, tokens, k=len(tokens))
    else:  # a head reads the states of a decoding target, which is one token behind
        known, read, steps = exam.prompt[:-1], [exam.prompt[-1], *tokens[:-1]], []
        target, head = model.shared.start(known), model.start(known)
        for token in read:
            steps.append(head.extend([token]))
            target.extend([token])
        logits = namespace(steps[0]).concat(steps)
    return np.stack([filtered(row, exam.sampling) for row in as_numpy(logits)])


def greedy_check(subject: Subject, exams: Sequence[Exam], where: str = PAIR) -> Iterator[Check]:
    """Check that at temperature 0 each token is the target's, apart from numerical ties."""
    wrong = 0
    for exam in exams[:GREEDY_PROMPTS]:
        noise = SAFETY * ROUNDING[number_format(exam.target)].logits
        cold = replace(exam, sampling=GREEDY, length=GREEDY_TOKENS)
        tokens = cold.text(subject, Noise(0))
        wrong += len(unexplained(exam.target, exam.prompt, tokens, noise))
    check = at_most(f"{where}: greedy tokens that are not the target's, but for ties", wrong, 0)
    yield replace(check, settings=(GREEDY,))
