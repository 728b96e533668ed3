"""What the articles' programs do, tried on exams that can be enumerated and on a pair of models."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import fsum

import numpy as np
import torch

from course_utils.decoding import Sampling, generate, probabilities
from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.rules import BLOCK, RECURSIVE_REJECTION, TOKEN_WISE
from course_utils.decoding.theory import optimal_gamma, overlap, total_variation
from course_utils.drafters.candidates import Candidates, without_replacement
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.what_the_articles_got_wrong.pieces import DATA
from course_utils.lessons.what_the_articles_got_wrong.rows import Line
from course_utils.lessons.what_the_articles_got_wrong.specimens import SMALL
from course_utils.models.characters import SENTENCE
from course_utils.models.tables import RowPerText, TableModel
from course_utils.proofs.decoders import CORRECT, Decoder, Exam, acceptance_shown, exam
from course_utils.proofs.enumeration import distribution_distance
from course_utils.proofs.shifted import Mixed
from course_utils.training.ladder import recorded

EXACT = 1e-12  # a smaller distance is the rounding of a sum
GAMMA, NEW = 5, 50  # of article 000's run
TEMPERATURES = (0.3, 0.5, 0.7, 1.0, 1.3)


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
        accuracy(), first_loop(), second_loop(), whole_text_on_a_full_cache(target, texts),
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
    """A token that is drawn from q has q > 0; in half precision, the article's, it may be 0."""
    row = as_numpy(probabilities(draft.start([]).extend(list(text)), Sampling())[-1])
    zero = row.astype(np.float16) == 0
    lost = float(row[zero].sum())
    said = (
        f"A token drawn from q has q > 0. In half precision {zero.sum()} of {len(row)} tokens have "
        f"q = 0, with {lost:.1e} of the probability in all."
    )
    return Line("000", "Dividing needs max(q, 1e-8).", [bool((row == 0).any()), lost > 0], said)


def passes_of_a_round(target: LanguageModel, draft: LanguageModel, text: Sequence[int]) -> Line:
    """The rounds of the course's loop, as article 000's program would run them."""
    rounds = list(
        generate(
            target, text, Sampled(draft, Sampling()), gamma=GAMMA, sampling=Sampling(),
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
    logits = [[m.start([]).extend(list(text)) for m in (target, draft)] for text in texts]
    alphas = {}
    for t in TEMPERATURES:
        rows = [
            [as_numpy(probabilities(x, Sampling(temperature=t))) for x in two] for two in logits
        ]
        alphas[t] = float(np.concatenate([overlap(p, q) for p, q in rows]).mean())
    said = ", ".join(f"{alpha:.3f} at {t}" for t, alpha in alphas.items())
    return Line(
        "000", "Temperature 0.7 is the best for Qwen.", [alphas[0.7] == max(alphas.values())],
        f"α of the trained pair: {said}. It changes what is written, hardly the speed.",
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
    """The simulator appends what agrees with the sentence, or the sentence's own character."""
    texts = [SENTENCE[:n] for n in range(1, len(SENTENCE) + 1)]
    rates = [
        sum(a == b for a, b in zip(text, SENTENCE, strict=False)) / len(SENTENCE) for text in texts
    ]
    length = [len(text) / len(SENTENCE) for text in texts]
    said = (
        f"In each of its {len(texts)} texts it is the share that is written, and sees no mistake."
    )
    return Line("002", "The simulator measures the accuracy of its text.", [rates != length], said)


def first_loop() -> Line:
    """It joins accepted tokens, one number per row, along a second axis that they have not."""
    try:
        torch.cat([torch.tensor([3])], dim=1)
        ends = "goes on"
    except IndexError:
        ends = "IndexError"
    said = f"First guess accepted: {ends}. First guess rejected: it stops, and has added nothing."
    return Line("003", "Its first loop writes a text.", [ends != "IndexError"], said)


def second_loop(seeds: Sequence[int] = range(200)) -> Line:
    """Its advanced loop draws nothing: one text, cut where the first guess of a round fails."""
    of = [exam(gamma=5, length=12, seed=seed) for seed in seeds]
    written = [list(_advanced(one)) for one in of]
    full = sum(len(text) >= one.length for text, one in zip(written, of, strict=True))
    mean = np.mean([len(text) for text in written])
    said = f"Of {len(of)} texts of 12 tokens {full} are finished; {mean:.1f} tokens on average."
    return Line("003", "Its second loop writes max_length tokens.", [full == len(of)], said)


def _advanced(of: Exam) -> Iterator[int]:
    """Likeliest guesses, accepted where p >= q; a bonus after all of them, else nothing more."""
    text, p, q = list(of.prompt), of.target.distribution, of.draft.distribution
    while len(text) < len(of.prompt) + of.length:
        for place in range(of.gamma):
            guess = int(q(text).argmax())
            if p(text)[guess] < q(text)[guess]:
                if place == 0:
                    return
                break
            text.append(guess)
            yield guess
        else:
            text.append(int(p(text).argmax()))
            yield text[-1]


def whole_text_on_a_full_cache(target: LanguageModel, texts: Sequence[Sequence[int]]) -> Line:
    """The rows of five guesses, right, and after the whole text was put on its own cache."""
    moved = []
    for text in texts:
        rows = []
        for again in ([], list(text[:-GAMMA])):
            session = target.start([])
            session.extend(list(text[:-GAMMA]))
            logits = session.extend([*again, *text[-GAMMA:]])[-GAMMA:]
            rows.append(as_numpy(probabilities(logits, Sampling())))
        moved += total_variation(*rows).tolist()
    said = (
        "As printed, nothing calls its methods. Called, they put the whole text on a cache that "
        f"holds it: the rows are off by TV {np.mean(moved):.2f}."
    )
    return Line("003", "Its memory-saving decoder keeps a cache.", [max(moved) < 1e-3], said)


def chosen_by_length(lengths: Sequence[int] = (50, 200, 800)) -> Line:
    """Its choice by the text's length, beside the theorem's, for three drafts of the ladder.

    A draft costs what its layers cost.  The theorem does not ask how long the text is.
    """
    target = json.loads((DATA / "target" / "config.json").read_text("utf-8"))["num_hidden_layers"]
    rungs = recorded()
    speeds = [optimal_gamma(r.alpha, r.layers / target)[1] for r in (rungs[0], *rungs[-2:])]
    best = speeds.index(max(speeds))
    chosen = [0 if n < 100 else 1 if n < 500 else 2 for n in lengths]
    said = ", ".join(f"{speed:.2f}" for speed in speeds)
    return Line(
        "003", "Its adaptive draft: the longer the text, the larger the draft.",
        [one == best for one in chosen],
        f"At every length the same draft is best: {said}, of three of the ladder of lesson 08. The "
        "rates that it notes are never read.",
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
    several = Decoder(RECURSIVE_REJECTION, lambda m, s: Candidates(m, without_replacement, s))
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
