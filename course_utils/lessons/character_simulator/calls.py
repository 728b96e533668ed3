"""Calls of the target that a policy for ending a round costs on average, exactly."""

import math
from collections.abc import Callable, Iterator

Gain = Callable[[int, int, int], int]  # (accepted, drafted, position) -> tokens kept


def correction_and_bonus(accepted: int, drafted: int, position: int) -> int:
    """The loop of the course: every round adds a token of the target's own."""
    return accepted + 1


def no_bonus(accepted: int, drafted: int, position: int) -> int:
    """Every rejection is corrected, but a complete draft earns no bonus."""
    return accepted + (accepted < drafted)


def only_when_stuck(accepted: int, drafted: int, position: int) -> int:
    """A correction only if nothing was accepted, and none at the start of the text; no bonus.

    Source: REFERENCES.md: article-002.
    """
    return accepted or int(position > 0)


def expected_calls(length: int, alpha: float, gamma: int, gain: Gain) -> float:
    """Mean of the calls for a text of `length` tokens; infinite if it never ends.

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
    """Each way a round can end: (tokens gained, probability)."""
    drafted = min(gamma, room)
    for accepted in range(drafted + 1):
        chance = alpha**accepted * (1 if accepted == drafted else 1 - alpha)
        yield min(gain(accepted, drafted, position), room), chance
