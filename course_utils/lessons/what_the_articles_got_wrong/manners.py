"""What the articles' programs do, tried on exams that can be enumerated and on a pair of models."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, pairwise
from math import fsum

import numpy as np
import torch
from transformers import AutoConfig

from course_utils.decoding import Sampling, generate, probabilities, summarise
from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.rules import BLOCK, RECURSIVE_REJECTION, TOKEN_WISE
from course_utils.decoding.theory import optimal_gamma, overlap, total_variation
from course_utils.drafters.candidates import Candidates, without_replacement
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.what_the_articles_got_wrong import printed
from course_utils.lessons.what_the_articles_got_wrong.pieces import DATA
from course_utils.lessons.what_the_articles_got_wrong.rows import Line
from course_utils.lessons.what_the_articles_got_wrong.specimens import SMALL
from course_utils.models.loading.memory import memory_needed
from course_utils.models.toys.characters import SENTENCE, similar
from course_utils.models.toys.tables import RowPerText, TableModel
from course_utils.proofs.decoders import CORRECT, Decoder, Exam, acceptance_shown, exam
from course_utils.proofs.enumeration import distribution_distance
from course_utils.proofs.synthetic import Mixed
from course_utils.training.ladder import recorded

EXACT = 1e-12  # a smaller distance is the rounding of a sum
GAMMA, NEW = 5, 50  # of article 000's run
TEMPERATURES = (0.3, 0.7, 1.0)
# REFERENCES.md: yang2025qwen3, section 4.6
REPORTED = {"outside thinking": 0.7, "in thinking": 0.6}


def lines(
    target: LanguageModel, draft: LanguageModel, texts: Sequence[Sequence[int]]
) -> list[Line]:
    """The verdicts on programs.

    Args:
        target, draft: models of torch that share a vocabulary.
        texts: tokens that neither has learned from.
    """
    return [
        exact_rule(), smallest_q(draft, texts[0]), passes_of_a_round(target, draft, texts[0]),
        goes_on_after_the_end(), best_temperature(target, draft, texts), draft_follows(),
        accuracy(), first_loop(), second_loop(), memory_saving(target, texts),
        chosen_by_length(), softened_training(), blockwise(),
    ]  # fmt: skip


def exact_rule() -> Line:
    found = SMALL.distance(CORRECT)
    paths = sum(1 for _ in SMALL.paths(CORRECT))
    said = f"Exact distance {_short(found)} over all {paths} paths of an exam."
    return Line(
        "000, 004",
        "Rejection sampling by p and q leaves the distribution alone.",
        [found < EXACT],
        said,
    )


def smallest_q(draft: LanguageModel, text: Sequence[int]) -> Line:
    """The probability that a token is drawn whose q, looked up, is 0."""
    row = as_numpy(probabilities(draft.start([]).extend(list(text)), Sampling())[-1])
    drawn, looked_up = row.astype(np.float32), row.astype(np.float16)
    zero = looked_up == 0
    lost = float(drawn[drawn == 0].sum()), float(drawn[zero].sum())
    said = (
        "Looked up as it was drawn, a drawn token has q > 0. Where q is drawn in float32 and "
        f"looked up in float16, {zero.sum()} of {len(row)} tokens have q = 0; such a token is "
        f"drawn with probability {lost[1]:.1e}."
    )
    return Line("000", "Dividing needs max(q, 1e-8).", [found > 0 for found in lost], said)


def passes_of_a_round(target: LanguageModel, draft: LanguageModel, text: Sequence[int]) -> Line:
    """The rounds of the course's loop, as article 000's program would run them."""
    rounds = list(
        generate(
            target, text, Sampled(draft), gamma=GAMMA, sampling=Sampling(),
            max_new_tokens=NEW, seed=0,
        )
    )  # fmt: skip
    corrected = [r for r in rounds if "correction" in r.kinds]
    cached = len(text) + sum(len(r.drafted) + 1 for r in rounds)
    whole = sum(r.context + len(r.drafted) for r in rounds)
    whole += sum(r.context + r.accepted for r in corrected)
    said = (
        f"{NEW} tokens of the trained pair: {len(rounds)} rounds, {len(rounds) + len(corrected)} "
        "passes with a second one per correction. Without a cache the target reads "
        f"{whole} tokens, not {cached}."
    )
    return Line("000", "Its program makes one pass of the target per round.", [not corrected], said)


def goes_on_after_the_end() -> Line:
    """Token 1 ends a text."""
    ends = exam(gamma=2, length=4, stop_tokens=(1,))
    on = replace(ends, stop_tokens=()).distribution(CORRECT)
    found = distribution_distance(on, ends.truth())
    said = f"Exact distance from the target's texts, which end: {found:.2f}."
    return Line("000", "Its program may go on behind the end of a text.", [found < EXACT], said)


def best_temperature(
    target: LanguageModel, draft: LanguageModel, texts: Sequence[Sequence[int]]
) -> Line:
    """What Qwen's report sets, and α in texts that the pair writes at a temperature."""
    alphas = {}
    for t in TEMPERATURES:
        how = Sampling(temperature=t)
        rounds = (
            generate(
                target, text, Sampled(draft), gamma=GAMMA, sampling=how,
                max_new_tokens=NEW, seed=seed,
            )
            for seed, text in enumerate(texts)
        )  # fmt: skip
        alphas[t] = summarise(chain.from_iterable(rounds)).overlap
    said = ", ".join(f"{alpha:.2f} at {t}" for t, alpha in alphas.items())
    holds = [t == 0.7 for t in REPORTED.values()] + [alphas[0.7] == max(alphas.values())]
    settings = ", ".join(f"{t} {where}" for where, t in REPORTED.items())
    return Line(
        "000", "Temperature 0.7 is the best for Qwen.", holds,
        f"For answers: Qwen's report sets {settings}. For speed: in texts of the trained pair α is "
        f"{said}.",
    )  # fmt: skip


def draft_follows() -> Line:
    """A draft made for an older target."""
    old, other, new = (RowPerText(3, seed) for seed in range(3))
    draft, retrained = Mixed(old, other, 0.8), Mixed(old, new, 0.5)
    exams = [Exam(model, draft, gamma=2, length=3) for model in (old, retrained)]
    shown = [acceptance_shown(e.first_rounds(CORRECT)) for e in exams]
    found = exams[1].distance(CORRECT)
    said = (
        f"Acceptance {shown[0]:.2f} before, {shown[1]:.2f} after; the text follows by itself, "
        f"exact distance {_short(found)}."
    )
    return Line(
        "001", "A retrained target needs a new draft.", [shown[1] < shown[0], found > EXACT], said
    )


def accuracy() -> Line:
    """Its measure of a text: the places that agree with the sentence, of all its places."""
    half, wrong = SENTENCE[: len(SENTENCE) // 2], SENTENCE[:-1] + similar(SENTENCE[-1])[1]
    measured, right = [], []  # and the share of the text's own characters that are right
    for text in (half, wrong):
        agree = sum(a == b for a, b in zip(text, SENTENCE, strict=False))
        measured.append(agree / len(SENTENCE))
        right.append(agree / len(text))
    said = (
        f"Half of the sentence without a mistake: {measured[0]:.0%}. The whole with one wrong "
        f"character: {measured[1]:.0%}. What is missing counts as wrong."
    )
    holds = [a == b for a, b in zip(measured, right, strict=True)]
    return Line("002", "The simulator measures the accuracy of its text.", holds, said)


def first_loop(seeds: Sequence[int] = range(200)) -> Line:
    """Every exam has either the first guess accepted or rejected, for nothing is drawn."""
    added, failed = [], 0
    for of in (exam(gamma=5, length=12, seed=seed) for seed in seeds):
        rows = of.target.distribution, of.draft.distribution
        try:
            text = printed.first_loop(*rows, of.prompt, of.gamma, of.length)
            added.append(text.shape[1] - len(of.prompt))
        except IndexError:
            failed += 1
    said = (
        f"Of {len(seeds)} texts {failed} end in an IndexError, where the first guess is accepted. "
        f"The other {len(added)} stop with {max(added)} tokens added."
    )
    return Line("003", "Its first loop writes a text.", [failed == 0, max(added) > 0], said)


def second_loop(seeds: Sequence[int] = range(200)) -> Line:
    """Its advanced loop draws nothing: one text, cut where the first guess of a round fails."""
    of = [exam(gamma=5, length=12, seed=seed) for seed in seeds]
    written = [
        printed.second_loop(
            one.target.distribution, one.draft.distribution, one.prompt, one.gamma, one.length
        )
        for one in of
    ]
    full = sum(len(text) >= one.length for text, one in zip(written, of, strict=True))
    mean = np.mean([len(text) for text in written])
    said = f"Of {len(of)} texts of 12 tokens {full} are finished; {mean:.1f} tokens on average."
    return Line("003", "Its second loop writes max_length tokens.", [full == len(of)], said)


def memory_saving(target: LanguageModel, texts: Sequence[Sequence[int]]) -> Line:
    """Its drafting, run; and rows on a cache that holds what its check leaves on one."""
    try:
        printed.drafted_on_a_cache(texts[0])
        drafts = "drafts"
    except NameError:
        drafts = "stops with a NameError"
    moved: tuple[list[float], list[float]] = [], []
    for text, other in pairwise([*texts, texts[0]]):
        begin, last = list(text[:-GAMMA]), list(text[-GAMMA:])
        right = _rows_after(target, [begin, last])
        for found, left in zip(moved, (begin, list(other[:GAMMA])), strict=True):
            found += total_variation(right, _rows_after(target, [begin, left, last])).tolist()
    said = (
        f"Its drafting {drafts}. Its check puts the whole text on a cache that holds it: the rows "
        f"are off by TV {np.mean(moved[0]):.2f}. It takes no rejected guess off again: with "
        f"{GAMMA} more tokens on the cache, {np.mean(moved[1]):.2f}."
    )
    holds = [drafts == "drafts", *(max(found) < 1e-3 for found in moved)]
    return Line("003", "Its memory-saving decoder keeps a cache.", holds, said)


def _rows_after(target: LanguageModel, parts: Sequence[list[int]]) -> np.ndarray:
    """The rows of the last part, each part put on the cache of those before."""
    session = target.start([])
    for part in parts:
        logits = session.extend(part)
    return as_numpy(probabilities(logits, Sampling()))


def chosen_by_length(lengths: Sequence[int] = (50, 200, 800)) -> Line:
    """Three drafts of the ladder by the theorem, a pass at the cost of the bytes that it reads."""
    config = AutoConfig.from_pretrained(DATA / "target")
    rungs, adaptive, speeds = recorded(), printed.ChosenByLength(), []
    three = rungs[0], *rungs[-2:]
    for length in lengths:
        need = memory_needed(config, torch.float16, length)
        cost = [
            r.parameters * 2 + need.cache * r.layers / config.num_hidden_layers for r in three
        ]  # bytes
        ratios = [c / (need.weights + need.cache) for c in cost]
        speeds.append([optimal_gamma(r.alpha, c)[1] for r, c in zip(three, ratios, strict=True)])
    best = [row.index(max(row)) for row in speeds]
    chosen = [adaptive.choose(length) for length in lengths]
    adaptive.note(0, 1.0)
    changed = sum(a != adaptive.choose(n) for a, n in zip(chosen, lengths, strict=True))
    said = "; ".join(
        f"{' / '.join(f'{speed:.2f}' for speed in row)} at {length} tokens"
        for length, row in zip(lengths, speeds, strict=True)
    )
    return Line(
        "003", "The longer the text, the larger the best draft.",
        [later > earlier for earlier, later in pairwise(best)],
        f"Speedups of three drafts of lesson 08, the smallest first: {said}. Told of "
        f"another acceptance rate, the program chooses otherwise {changed} times of "
        f"{len(lengths)}.",
    )  # fmt: skip


def softened_training(tried: int = 2000) -> Line:
    """The best single row for two rows of a target, by KL at temperature T, judged at 1.

    At its best the softened row is the mean of the target's softened rows.
    """
    p = np.random.default_rng(0).dirichlet(np.full(8, 0.5), (tried, 2))
    alphas = {}
    for t in (1, 2, 4):
        soft = probabilities(np.log(p), Sampling(temperature=t)).mean(axis=1, keepdims=True)
        q = probabilities(t * np.log(soft), Sampling())
        alphas[t] = float(overlap(p, np.broadcast_to(q, p.shape)).mean())
    said = ", ".join(f"{alpha:.3f} trained at T = {t}" for t, alpha in alphas.items())
    return Line(
        "003", "Distil at a temperature T.", [alpha >= alphas[1] for t, alpha in alphas.items()],
        f"α at T = 1 of a draft with one row for two: {said}. One that can match loses nothing.",
    )  # fmt: skip


def blockwise() -> Line:
    """Several guesses at once, and one draft judged as a whole: each exact, and not the same."""
    several = Decoder(RECURSIVE_REJECTION, lambda model: Candidates(model, without_replacement))
    tiny = Exam(TableModel([1 / 3, 2 / 3]), TableModel([2 / 3, 1 / 3]), gamma=2)
    single, block = (
        fsum(weight * r.accepted for weight, r in tiny.first_rounds(Decoder(rule)))
        for rule in (TOKEN_WISE, BLOCK)
    )
    distances = [SMALL.distance(decoder) for decoder in (several, Decoder(BLOCK))]
    said = (
        f"Exact distance {' and '.join(map(_short, distances))}, of several guesses and of block "
        f"verification. They are two things: the latter judges one draft, {block:.2f} accepted "
        f"where single tokens give {single:.2f}."
    )
    holds = [found < EXACT for found in distances]
    return Line("004", "Blockwise: several guesses may be verified at once.", holds, said)


def _short(found: float) -> str:
    return "0" if found < EXACT else f"{found:.2g}"
