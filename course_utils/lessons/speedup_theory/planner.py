"""From measured costs to a draft length: the course's planner.

`python -m course_utils generate` does the same sum (`measuring.costs.predict`).
"""

from collections.abc import Callable, Sequence
from math import prod

Cost = Callable[[int], float]  # v(k)


def plan(rates: Sequence[float], c: float, v: Cost, o: float, t: float) -> dict:
    """What gamma = 0, 1, ..., len(rates) will bring, and which is the fastest.

    Args:
        rates: of position 1, 2, ...: accepted, given that the ones before were.
        c, v, o: of a drafted token, a pass over k tokens, the host's share of a
            round; all in passes of the target over one token.
        t: seconds of such a pass.

    Returns: three lists, "tokens" per round, "seconds" per token and "speedup"
    over gamma = 0; and "best", the fastest gamma, the shortest of equals.
    """
    gammas = range(len(rates) + 1)
    # the first n drafted tokens are all accepted: n = 0, 1, ..., gamma
    tokens = [sum(prod(rates[:n]) for n in range(gamma + 1)) for gamma in gammas]
    seconds = [
        t * (gamma * c + v(gamma + 1) + o) / brought
        for gamma, brought in zip(gammas, tokens, strict=True)
    ]
    speedup = [seconds[0] / each for each in seconds]
    best = speedup.index(max(speedup))
    return {"tokens": tokens, "seconds": seconds, "speedup": speedup, "best": best}
