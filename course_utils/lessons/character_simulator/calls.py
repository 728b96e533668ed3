"""Exact mean number of target calls for a text, under three ways to end a round."""

import math
from collections.abc import Callable, Iterator

Gain = Callable[[int, int, int], int]  # (accepted, drafted, position) -> tokens kept


def correction_and_bonus(accepted: int, drafted: int, position: int) -> int:
    """Add one token of the target's own in every round, as the course's loop does."""
    return accepted + 1


def no_bonus(accepted: int, drafted: int, position: int) -> int:
    """Correct every rejection, but add no bonus after a complete draft."""
    return accepted + (accepted < drafted)


def only_when_stuck(accepted: int, drafted: int, position: int) -> int:
    """Correct only if nothing was accepted, but not at the start of the text; no bonus.

    Source: REFERENCES.md: article-002.
    """
    return accepted or int(position > 0)


def expected_calls(length: int, alpha: float, gamma: int, gain: Gain) -> float:
    """Mean number of calls for a text of `length` tokens; infinite if it never ends.

    Each drafted token is right with probability `alpha`, independently; a round
    keeps `gain(accepted, drafted, position)` tokens.
    """
    left = [0.0] * (length + 1)  # left[i]: calls still expected with i tokens
    for position in reversed(range(length)):
        stuck, calls = 0.0, 1.0
        for gained, chance in _outcomes(length - position, alpha, gamma, gain, position):
            stuck += chance * (gained == 0)
            calls += chance * left[position + gained] if gained and chance else 0.0
        left[position] = calls / (1 - stuck) if stuck < 1 else math.inf
    return left[0]


def _outcomes(
    room: int, alpha: float, gamma: int, gain: Gain, position: int
) -> Iterator[tuple[int, float]]:
    """Yield each way a round can end: (tokens gained, probability)."""
    drafted = min(gamma, room)
    for accepted in range(drafted + 1):
        chance = alpha**accepted * (1 if accepted == drafted else 1 - alpha)
        yield min(gain(accepted, drafted, position), room), chance
