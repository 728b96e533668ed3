"""Checks of this lesson; that of the drafting that stops has a file of its own."""

from collections.abc import Sequence

from course_utils.classroom.exercise import Exercise
from course_utils.lessons.adaptive_speculation.draft_until_check import (
    check_draft_until,
    draft_until,
)

__all__ = ["check_alpha_of", "check_draft_until", "check_would_have", "draft_until"]

Rounds = Sequence[tuple[int, int]]  # (drafted, accepted) of each


def _alpha_of(rounds: Rounds) -> float:
    accepted = sum(n for _, n in rounds)
    return accepted / (accepted + sum(n < drafted for drafted, n in rounds))


def _sums(rounds: Rounds) -> tuple[int, int]:
    return sum(d for d, _ in rounds), sum(n for _, n in rounds)


def _without_whole(rounds: Rounds) -> float:
    """A student who leaves the censored rounds out."""
    return _alpha_of([(d, n) for d, n in rounds if n < d])


check_alpha_of = Exercise(
    "alpha_of",
    cases=[
        ([(4, 4), (4, 1), (2, 0), (3, 3)],),
        ([(1, 1), (1, 0), (8, 2)],),
        ([(5, 5), (5, 0)],),
        ([(2, 2), (2, 2), (6, 3), (6, 5), (1, 0)],),
    ],
    right=_alpha_of,
    mistakes={
        "Guesses behind a rejection were drafted, and nobody examined them: accepted / drafted "
        "takes them for failures, and falls as drafts get longer.": (
            lambda rounds: _sums(rounds)[1] / _sums(rounds)[0]
        ),
        "A draft that was accepted whole shows no failure: it was cut before one. Count a "
        "rejection only where fewer were accepted than drafted.": (
            lambda rounds: _sums(rounds)[1] / (_sums(rounds)[1] + len(rounds))
        ),
        "You leave out the rounds that were accepted whole. They are the best ones: what is left "
        "looks worse than the draft is.": _without_whole,
        "A mean of each round's share gives a draft of one guess the weight of one of eight. Add "
        "up the counts first, then divide.": (
            lambda rounds: sum(n / d for d, n in rounds) / len(rounds)
        ),
        "A mean of each round's accepted / examined gives short rounds the weight of long ones. "
        "Add up the counts first, then divide.": (
            lambda rounds: sum(n / (n + (n < d)) for d, n in rounds) / len(rounds)
        ),
        "That is how many were accepted per round, which is no probability.": (
            lambda rounds: _sums(rounds)[1] / len(rounds)
        ),
        "The token that the target adds is no guess: leave it out.": (
            lambda rounds: (_sums(rounds)[1] + len(rounds)) / (_sums(rounds)[0] + len(rounds))
        ),
    },
    insight="accepted / examined: the maximum of the likelihood, at any mixture of lengths.",
)


def _would_have(drafted: int, accepted: int, length: int) -> int | str:
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
    ],
    right=_would_have,
    mistakes={
        "After a draft that was accepted whole nobody knows what a longer one would have brought: "
        'answer "unknown".': lambda d, n, length: min(n, length) + 1,
        "A longer draft than the one made is not always unknown: if a guess failed, all behind it "
        "would have failed with it.": (
            lambda d, n, length: "unknown" if length > d else min(n, length) + 1
        ),
        "A draft of exactly the same length is known: it is the one that was made.": (
            lambda d, n, length: "unknown" if n == d <= length else min(n, length) + 1
        ),
        "A shorter draft is cut at its own length: min(accepted, length).": (
            lambda d, n, length: "unknown" if n == d < length else n + 1
        ),
        "Each round brings one token more than it accepts: the correction or the bonus.": (
            lambda d, n, length: "unknown" if n == d < length else min(n, length)
        ),
    },
    insight="One round teaches about every length but those that the draft was too short to show.",
)
