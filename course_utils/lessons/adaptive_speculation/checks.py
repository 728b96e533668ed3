"""Checks of this lesson: drafting that stops after an unsure guess; estimates from rounds."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.contracts import Draft, Drafter, RoundNoise
from course_utils.decoding.sampling import sample
from course_utils.models.toys.tables import RowModel
from course_utils.proofs.decoders import Decoder, exam
from course_utils.refused import Refused, returned

WHOLE = exam(2, agreement=0.2, gamma=2, length=4)
DECIMALS = 12  # of a distance; the rest is rounding
RowAfter = Callable[[Sequence[int]], np.ndarray]


def draft_until(
    row_after: RowAfter, uniforms: Sequence[float], threshold: float
) -> tuple[list[int], list[np.ndarray]]:
    """Return the guesses and the row of each."""
    guesses, rows = [], []
    for uniform in uniforms:
        rows.append(row_after(guesses))
        guesses.append(sample(rows[-1], uniform))
        if rows[-1][guesses[-1]] < threshold:
            break
    return guesses, rows


def drafting(attempt: Callable, model: RowModel, threshold: float) -> Drafter:
    """Return a drafter that calls a student's `draft_until`."""

    def propose(tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        def row_after(guesses: Sequence[int]) -> np.ndarray:
            return model.distribution([*tokens, *guesses]).copy()

        guesses, rows = attempt(row_after, noise.uniforms("draft", gamma), threshold)
        return Draft(tuple(guesses), np.stack(rows) if len(rows) else None)

    return SimpleNamespace(propose=propose)


_TABLE = np.array([[0.5, 0.1, 0.4], [0.1, 0.2, 0.7], [0.35, 0.35, 0.3]])


def _row_after(guesses: Sequence[int]) -> np.ndarray:
    """Return the row after `guesses`; it depends on their sum, not only on the last one."""
    return _TABLE[sum(guesses) % len(_TABLE)].copy()


def _run(attempt: Callable, uniforms: Sequence[float] | None, threshold: float) -> object:
    """Return (distance, guesses, rows) of a single draft, or without `uniforms` of the loop."""
    draws = [0.5] if uniforms is None else uniforms
    guesses, rows = returned(attempt(_row_after, draws, threshold))
    if any(np.ndim(guess) for guess in guesses):
        raise Refused("Your first list has arrays, not guesses. Write `return guesses, rows`.")
    if uniforms is not None:
        return 0.0, guesses, rows
    loop = Decoder(drafter=lambda model: drafting(attempt, model, threshold))
    return round(WHOLE.distance(loop), DECIMALS), [], []


def _with_rows(uniforms: Sequence[float] | None, threshold: float) -> str:
    """Describe a case, with the row that each guess is drawn from."""
    if uniforms is None:
        return f"all texts, threshold = {threshold}"
    drawn = zip(uniforms, *draft_until(_row_after, uniforms, threshold), strict=False)
    each = ", ".join(f"{u} draws {x} from {row}" for u, x, row in drawn)
    return f"uniforms = {uniforms}, threshold = {threshold} ({each})"


check_draft_until = Exercise(
    "draft_until",
    cases=[
        (None, 0.35),
        ([0.1, 0.2, 0.3], 0.4),  # no guess is unsure
        ([0.55, 0.9, 0.5], 0.4),  # the first guess is unsure
        ([0.1, 0.55, 0.95], 0.4),  # the second guess is unsure
        ([0.9, 0.2, 0.9], 0.38),  # every token of the second row is unsure
        ([0.55, 0.9, 0.9, 0.9], 0.05),
        ([0.1, 0.1], 0.5),  # exactly the threshold
        ([0.1, 0.1], 0.6),  # every token of the first row is unsure
    ],
    solution=draft_until,
    must_not_mutate=True,
    mistakes={
        "Lossy: you drop the guess that made you stop. Whether a guess is submitted now depends on "
        "its value. Unlikely tokens are never submitted, so the rule never corrects for them. "
        "Append first, then decide.": "break → return guesses[:-1], rows[:-1]",
        "Lossy: you remove the unsure guess and keep drafting. The guesses that remain are no "
        "longer draws from their rows, because only sure ones pass. Stop after the unsure guess, "
        "and submit it.": "break → guesses.pop(), rows.pop()",
        "Lossy: you take the likeliest token, but return its row as if you had drawn it. Guess i "
        "is sample(row, uniforms[i]).": "sample(rows[-1], uniform) → int(rows[-1].argmax())",
        "Lossless, but you draw every guess from the row after the text. Pass the guesses so far: "
        "row_after(guesses).": "row_after(guesses) → row_after([])",
        "Lossless, but a different rule: you compare the largest probability of the row. Compare "
        "the probability of the guess.": "rows[-1][guesses[-1]] < → rows[-1].max() <",
    },
    call=_run,
    parts=("the distance from the target's texts", "the guesses", "the rows"),
    explain=lambda answer, *case: (
        f"the total variation is {answer:.3f}: this is lossy. Whether you submit a guess must not "
        "depend on the guess, each row must be the one its guess was drawn from, and each guess "
        "needs its own uniform."
        if isinstance(answer, float)
        else None
    ),
    describe_case=_with_rows,
    insight="Enumerated over every path, the text has the target's distribution. You submit the "
    "guess that made you stop.",
)

Rounds = Sequence[tuple[int, int]]  # (drafted, accepted) of each round


def alpha_of(rounds: Rounds) -> float:
    """Estimate alpha from [(drafted, accepted), ...]."""
    accepted = sum(n for _, n in rounds)
    rejections = sum(n < drafted for drafted, n in rounds)
    return accepted / (accepted + rejections)


check_alpha_of = Exercise(
    "alpha_of",
    cases=[
        ([(4, 4), (4, 1), (2, 0), (3, 3)],),
        ([(1, 1), (1, 0), (8, 2)],),
        ([(5, 5), (5, 0)],),
        ([(3, 3), (2, 2)],),  # no rejection
        ([(0, 0), (4, 2)],),  # a round without a draft
    ],
    solution=alpha_of,
    mistakes={
        "Guesses after a rejection are never examined. accepted / drafted counts them as failures, "
        "so it falls as drafts get longer.": "n < drafted → drafted - n",
        "A fully accepted draft has no rejection. Count a rejection only if fewer guesses were "
        "accepted than drafted.": "sum(n < drafted for drafted, n in rounds) → len(rounds)",
        "You leave out the fully accepted rounds. They are the best ones, so your estimate is too "
        "low.": "n for _, n in rounds → n for drafted, n in rounds if n < drafted",
        "A mean of the rounds' ratios gives a draft of one guess the same weight as a draft of "
        "eight. Add up the counts first, then divide.": "accepted / (accepted + rejections) → "
        "sum(n / (n + (n < d)) for d, n in rounds) / len(rounds)",
        "Each pair is (drafted, accepted). You swapped the two.": "for _, n in rounds → "
        "for n, _ in rounds; for drafted, n in rounds → for n, drafted in rounds",
        "That is the rejection rate, 1 − α.": "accepted / ( → rejections / (",
    },
    insight="accepted / examined maximises the likelihood, for any mix of lengths.",
)
