"""Checks of this lesson: drafting that stops after an unsure guess; what rounds teach."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.contracts import Draft, LanguageModel, RoundNoise
from course_utils.decoding.proposal import sampling_of
from course_utils.decoding.sampling import probabilities, sample
from course_utils.proofs.decoders import Decoder, exam
from course_utils.proofs.enumeration import in_sentences
from course_utils.refused import Refused

# ------------------------------------------------------------------ drafting that stops

WHOLE = exam(2, agreement=0.2, gamma=2, length=4)
DIGITS = 12  # of a distance
RowAfter = Callable[[Sequence[int]], np.ndarray]
REMEMBERED = "It remembers earlier calls, or draws random numbers of its own: use `uniforms` only."


def draft_until(
    row_after: RowAfter, uniforms: Sequence[float], threshold: float
) -> tuple[list[int], list[np.ndarray]]:
    """-> (guesses, rows)"""
    guesses, rows = [], []
    for uniform in uniforms:
        rows.append(row_after(guesses))
        guesses.append(sample(rows[-1], uniform))
        if rows[-1][guesses[-1]] < threshold:
            break
    return guesses, rows


class Drafting:
    """A drafter around a student's `draft_until`."""

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
    """The sum of all guesses decides, so that the last one alone does not tell the row."""
    return _TABLE[sum(guesses) % len(_TABLE)].copy()


def _drafted(attempt: Callable, uniforms: Sequence[float] | None, threshold: float) -> object:
    """(distance from the target's texts, guesses, rows) of a draft; no uniforms: of the loop."""
    answer = attempt(_row_after, [0.5] if uniforms is None else uniforms, threshold)
    if answer is None or answer is ...:
        return answer
    guesses, rows = answer
    if any(np.ndim(guess) for guess in guesses):
        raise Refused("First the guesses, then their rows: `return guesses, rows`.")
    if uniforms is not None:
        return 0.0, guesses, rows
    loop = Decoder(drafter=lambda model: Drafting(attempt, model, threshold))
    return round(in_sentences(lambda: WHOLE.distance(loop), REMEMBERED), DIGITS), [], []


def _with_rows(uniforms: Sequence[float] | None, threshold: float) -> str:
    """A draft with the row that each of its guesses is drawn from."""
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
        "Lossy: you drop the guess that made you stop. It was drawn, and whether it is submitted "
        "now depends on what it is: unlikely tokens are never submitted, so the rule never "
        "corrects for them. Append first, then ask.": ("break", "return guesses[:-1], rows[:-1]"),
        "Lossy: you go on without the unsure guess, and draw again. The guesses that are left are "
        "no longer drawn from their rows: only sure ones pass. Stop after the unsure one, and "
        "submit it.": ("break", "guesses.pop(), rows.pop()"),
        "Lossy: you take the likeliest token and hand over the row as if it had been drawn: guess "
        "i is sample(row, uniforms[i]).": ("sample(rows[-1], uniform)", "int(rows[-1].argmax())"),
        "Lossless, but you draw every guess from the row after the text: row_after(guesses) wants "
        "the guesses so far.": ("row_after(guesses)", "row_after([])"),
        "Lossless, but another rule: you look at the largest probability of the row. Ask what the "
        "row gives the guess.": ("rows[-1][guesses[-1]] <", "rows[-1].max() <"),
    },
    call=_drafted,
    parts=("the distance from the target's texts", "the guesses", "the rows"),
    explain=lambda given, *case: (
        f"the total variation is {given:.3f}: this is lossy. Whether a guess is submitted must not "
        "depend on the guess, the row that you return is the one it was drawn from, and each guess "
        "has a uniform of its own."
        if isinstance(given, float)
        else None
    ),
    describe_case=_with_rows,
    insight="Walked along every path: the text's distribution is the target's. The guess that made "
    "you stop is submitted.",
)

# ------------------------------------------------------------------ what rounds teach

Rounds = Sequence[tuple[int, int]]  # (drafted, accepted) of each


def alpha_of(rounds: Rounds) -> float:
    """[(drafted, accepted), ...] -> estimate of alpha"""
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
        "Guesses behind a rejection were drafted, and nobody examined them: accepted / drafted "
        "takes them for failures, and falls as drafts get longer.": ("n < drafted", "drafted - n"),
        "A draft that was accepted whole shows no failure: it was cut before one. Count a "
        "rejection only where fewer were accepted than drafted.": (
            ("sum(n < drafted for drafted, n in rounds)", "len(rounds)")
        ),
        "You leave out the rounds that were accepted whole. They are the best ones: what is left "
        "looks worse than the draft is.": (
            ("n for _, n in rounds", "n for drafted, n in rounds if n < drafted")
        ),
        "A mean of each round's share gives a draft of one guess the weight of one of eight. Add "
        "up the counts first, then divide.": (
            "accepted / (accepted + rejections)",
            "sum(n / (n + (n < d)) for d, n in rounds) / len(rounds)",
        ),
        "Each pair is (drafted, accepted). You took it the other way round.": (
            ("for _, n in rounds", "for n, _ in rounds"),
            ("for drafted, n in rounds", "for n, drafted in rounds"),
        ),
        "That is the share of rejections, 1 − α.": ("accepted / (", "rejections / ("),
    },
    insight="accepted / examined: the maximum of the likelihood, at any mixture of lengths.",
)


def would_have(drafted: int, accepted: int, length: int) -> int | str:
    """-> tokens, or "unknown"."""
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
        "After a draft that was accepted whole nobody knows what a longer one would have brought: "
        'answer "unknown".': ("accepted == drafted < length", "False"),
        "A longer draft than the one made is not always unknown: if a guess failed, all behind it "
        "would have failed with it.": ("accepted == drafted < length", "drafted < length"),
        "A draft of exactly the same length is known: it is the one that was made.": (
            ("< length", "<= length")
        ),
        "A shorter draft is cut at its own length: min(accepted, length).": (
            ("min(accepted, length)", "accepted")
        ),
        "Each round brings one token more than it accepts: the correction or the bonus.": (
            (" + 1", "")
        ),
    },
    insight="One round teaches about every length but those that the draft was too short to show.",
)
