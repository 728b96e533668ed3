"""Checks of this lesson: a draft with a stop rule, and estimates from rounds."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.contracts import Draft, LanguageModel, RoundNoise
from course_utils.decoding.proposal import sampling_of
from course_utils.decoding.sampling import probabilities, sample
from course_utils.proofs.decoders import Decoder, exam
from course_utils.proofs.enumeration import in_sentences
from course_utils.refused import Refused

# ------------------------------------------------------------------ a draft with a stop rule

EXAM = exam(2, agreement=0.2, gamma=2, length=4)
DIGITS = 12  # of a distance
RowAfter = Callable[[Sequence[int]], np.ndarray]
HAS_STATE = "It keeps state between calls or draws its own random numbers: use `uniforms` only."


def draft_until(
    row_after: RowAfter, uniforms: Sequence[float], threshold: float
) -> tuple[list[int], list[np.ndarray]]:
    """Return (guesses, rows)."""
    guesses, rows = [], []
    for uniform in uniforms:
        rows.append(row_after(guesses))
        guesses.append(sample(rows[-1], uniform))
        if rows[-1][guesses[-1]] < threshold:
            break
    return guesses, rows


class Drafting:
    """A drafter that runs a student's `draft_until`."""

    def __init__(self, attempt: Callable, model: LanguageModel, threshold: float):
        self._attempt, self._model, self._threshold = attempt, model, threshold

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        def row_after(guesses: Sequence[int]) -> np.ndarray:
            logits = self._model.start([]).extend([*tokens, *guesses])
            return probabilities(logits[-1:], sampling_of(tokens))[0]

        guesses, rows = self._attempt(row_after, noise.uniforms("draft", gamma), self._threshold)
        return Draft(tuple(guesses), np.stack(rows) if len(rows) else None)


_TABLE = np.array([[0.5, 0.1, 0.4], [0.1, 0.2, 0.7], [0.35, 0.35, 0.3]])


def _row_after(guesses: Sequence[int]) -> np.ndarray:
    """Return a row that depends on the sum of all guesses, not on the last one alone."""
    return _TABLE[sum(guesses) % len(_TABLE)].copy()


def _distance_and_draft(
    attempt: Callable, uniforms: Sequence[float] | None, threshold: float
) -> object:
    """Return (TV from the target, guesses, rows): of the loop if `uniforms` is None."""
    answer = attempt(_row_after, [0.5] if uniforms is None else uniforms, threshold)
    if answer is None or answer is ...:
        return answer
    guesses, rows = answer
    if any(np.ndim(guess) for guess in guesses):
        raise Refused("The guesses are no tokens. Return guesses, then rows: `guesses, rows`.")
    if uniforms is not None:
        return 0.0, guesses, rows
    loop = Decoder(drafter=lambda model: Drafting(attempt, model, threshold))
    return round(in_sentences(lambda: EXAM.distance(loop), HAS_STATE), DIGITS), [], []


def _with_rows(uniforms: Sequence[float] | None, threshold: float) -> str:
    """Describe a draft with the row that each of its guesses is drawn from."""
    if uniforms is None:
        return f"all texts, threshold = {threshold}"
    drawn = zip(uniforms, *draft_until(_row_after, uniforms, threshold), strict=False)
    each = ", ".join(f"{u} draws {x} from {row}" for u, x, row in drawn)
    return f"uniforms = {uniforms}, threshold = {threshold} ({each})"


check_draft_until = Exercise(
    "draft_until",
    cases=[
        (None, 0.35),
        ([0.1, 0.2, 0.3], 0.4),  # sure, sure, sure
        ([0.55, 0.9, 0.5], 0.4),  # the first guess is unsure
        ([0.1, 0.55, 0.95], 0.4),  # the second is
        ([0.9, 0.2, 0.9], 0.38),  # in the second row every token is
        ([0.55, 0.9, 0.9, 0.9], 0.05),
        ([0.1, 0.1], 0.5),  # exactly the threshold
        ([0.1, 0.1], 0.6),  # in the first row no token is sure
    ],
    solution=draft_until,
    must_not_mutate=True,
    mistakes={
        "Lossy: you drop the guess that made you stop, so whether it is submitted depends on its "
        "value. Unlikely tokens are never submitted, and the rule never corrects for them. "
        "Append first, then compare.": ("break", "return guesses[:-1], rows[:-1]"),
        "Lossy: you remove the unsure guess and draw again. Only sure guesses are submitted, so "
        "they no longer have the distribution of their rows. Stop after the unsure one, and "
        "submit it.": ("break", "guesses.pop(), rows.pop()"),
        "Lossy: you take the likeliest token but return the row as if it had been drawn. Guess "
        "i is sample(row, uniforms[i]).": ("sample(rows[-1], uniform)", "int(rows[-1].argmax())"),
        "Lossless, but you draw every guess from the row after the text. Give row_after the "
        "guesses so far.": ("row_after(guesses)", "row_after([])"),
        "Lossless, but another rule: you compare the largest probability of the row. Compare the "
        "probability of the guess.": ("rows[-1][guesses[-1]] <", "rows[-1].max() <"),
    },
    call=_distance_and_draft,
    parts=("the distance from the target's texts", "the guesses", "the rows"),
    explain=lambda answer, *case: (
        f"the total variation is {answer:.3f}: this is lossy. Do not let a guess decide whether it "
        "is submitted, return the row that it was drawn from, and use a new uniform for each guess."
        if isinstance(answer, float)
        else None
    ),
    describe_case=_with_rows,
    insight="Over all paths, the text has the target's distribution. The guess that made you stop "
    "is submitted.",
)

# ------------------------------------------------------------------ estimates from rounds

Rounds = Sequence[tuple[int, int]]  # (drafted, accepted) of each


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
        "Guesses after a rejection were never examined. accepted / drafted counts them as "
        "failures, so it falls as drafts get longer.": ("n < drafted", "drafted - n"),
        "A fully accepted draft has no rejection. Count one only where fewer guesses were "
        "accepted than drafted.": (("sum(n < drafted for drafted, n in rounds)", "len(rounds)")),
        "You leave out the fully accepted rounds. They are the best ones, so the draft looks "
        "worse than it is.": (
            ("n for _, n in rounds", "n for drafted, n in rounds if n < drafted")
        ),
        "A mean of each round's share gives one guess the same weight as a draft of eight. Add "
        "up the counts first, then divide.": (
            "accepted / (accepted + rejections)",
            "sum(n / (n + (n < d)) for d, n in rounds) / len(rounds)",
        ),
        "You swapped the two: each pair is (drafted, accepted).": (
            ("for _, n in rounds", "for n, _ in rounds"),
            ("for drafted, n in rounds", "for n, drafted in rounds"),
        ),
        "That is the share of rejections, 1 − α.": ("accepted / (", "rejections / ("),
    },
    insight="accepted / examined maximises the likelihood for any mixture of lengths.",
)


def would_have(drafted: int, accepted: int, length: int) -> int | str:
    """Return the number of tokens, or "unknown"."""
    if accepted == drafted < length:
        return "unknown"
    return min(accepted, length) + 1


check_would_have = Exercise(
    "would_have",
    cases=[
        (4, 2, 3),
        (4, 2, 1),
        (4, 2, 8),  # known, though it is longer: the third guess failed
        (4, 4, 6),  # censored
        (4, 4, 4),
        (4, 4, 2),
        (3, 0, 7),
        (1, 1, 2),  # censored
        (4, 2, 0),
        (0, 0, 1),  # censored
    ],
    solution=would_have,
    mistakes={
        "After a fully accepted draft, the result of a longer one is not known: return "
        '"unknown".': ("accepted == drafted < length", "False"),
        "A longer draft is not always unknown: after a rejection it would have ended at the same "
        "position.": ("accepted == drafted < length", "drafted < length"),
        "A draft of the same length is known: it is this one.": ("< length", "<= length"),
        "A shorter draft is cut at its own length: min(accepted, length).": (
            ("min(accepted, length)", "accepted")
        ),
        "Each round emits one token more than it accepts: the correction or the bonus.": (
            (" + 1", "")
        ),
    },
    insight="A round shows the result of every length, except of longer ones if all was accepted.",
)
