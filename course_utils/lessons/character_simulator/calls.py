"""Exact mean number of target calls for a text, under three ways to end a round."""

import math
from collections.abc import Callable

Gain = Callable[[int, int, int], int]  # (accepted, drafted, position) -> tokens kept

WAYS: dict[str, Gain] = {
    "correction and bonus": lambda accepted, drafted, position: accepted + 1,
    "correction, no bonus": lambda accepted, drafted, position: accepted + (accepted < drafted),
    # but not at the start of the text; no bonus (REFERENCES.md: article-002)
    "a correction only if nothing was accepted": lambda accepted, drafted, position: (
        accepted or int(position > 0)
    ),
}


def expected_calls(
    length: int, alpha: float, gamma: int, gain: Gain = WAYS["correction and bonus"]
) -> float:
    """Mean number of calls for a text of `length` tokens; infinite if it never ends.

    Each drafted token is right with probability `alpha`, independently; a round
    keeps `gain(accepted, drafted, position)` tokens.
    """
    left = [0.0] * (length + 1)  # left[i]: calls still expected with i tokens
    for position in reversed(range(length)):
        stuck, calls, room = 0.0, 1.0, length - position
        drafted = min(gamma, room)
        for accepted in range(drafted + 1):
            chance = alpha**accepted * (1 if accepted == drafted else 1 - alpha)
            gained = min(gain(accepted, drafted, position), room)
            stuck += chance * (gained == 0)
            calls += chance * left[position + gained] if gained and chance else 0.0
        left[position] = calls / (1 - stuck) if stuck < 1 else math.inf
    return left[0]
