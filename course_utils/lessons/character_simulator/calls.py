"""What a policy for ending a round costs in calls of the target, counted exactly."""

import math
from collections.abc import Callable, Iterator

import numpy as np

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


def calls_distribution(
    length: int, alpha: float, gamma: int, gain: Gain, most: int = 40
) -> np.ndarray:
    """P(a text of `length` tokens takes k target calls) for k = 0 .. most, exactly.

    Each drafted token is right with probability `alpha`, independently; a round
    keeps `gain(accepted, drafted, position)` tokens.  What is missing from a sum
    of 1 is the probability of more than `most` calls.
    """
    at, finished = np.zeros(length), [0.0]  # at[i]: probability of having i tokens
    at[0] = 1
    for _ in range(most):
        after = np.zeros(length + 1)
        for position in range(length):
            for kept, chance in _outcomes(length - position, alpha, gamma, gain, position):
                after[position + kept] += at[position] * chance
        finished.append(after[length])
        at = after[:length]
    return np.array(finished)


def expected_calls(length: int, alpha: float, gamma: int, gain: Gain) -> float:
    """Mean of `calls_distribution`, with no bound on the calls; infinite if it never ends."""
    left = [0.0] * (length + 1)  # left[i]: calls still expected with i tokens
    for position in reversed(range(length)):
        stuck, calls = 0.0, 1.0
        for kept, chance in _outcomes(length - position, alpha, gamma, gain, position):
            stuck += chance * (kept == 0)
            calls += chance * left[position + kept] if kept and chance else 0.0
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
