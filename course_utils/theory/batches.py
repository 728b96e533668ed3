"""The cost and the throughput of a batch: idle slots, and the draft length for a given load.

Symbols as in `theory`: alpha, gamma, and times in units of the target's pass over one token.
B rows are active at once.  c(k) and v(k) are the draft's and the target's time for k tokens
in one pass, o(B) the host's time for a turn.  Acceptances are i.i.d., as in `theory`.
"""

from collections.abc import Callable

import numpy as np

Cost = Callable[[int], float]  # tokens, or rows -> time


def emitted_distribution(alpha: float, gamma: int) -> np.ndarray:
    """P(a round emits k tokens), k = 0 .. gamma + 1: a geometric distribution, cut at the bonus.

    >>> emitted_distribution(0.5, 2)
    array([0.  , 0.5 , 0.25, 0.25])
    """
    p = np.zeros(gamma + 2)
    p[1:-1] = (1 - alpha) * alpha ** np.arange(gamma)
    p[-1] = alpha**gamma
    return p


def rounds_distribution(alpha: float, gamma: int, tokens: int) -> np.ndarray:
    """P(a text of `tokens` tokens takes r rounds), r = 0 .. tokens; exact.

    Near the end the loop drafts only as many tokens as fit; a round finishes the text with
    the same probability.
    """
    step = emitted_distribution(alpha, gamma)
    unfinished = np.zeros(tokens + 1)  # P(exactly k tokens after r rounds, k < tokens), by k
    unfinished[0] = 1
    finished = np.zeros(tokens + 1)
    for r in range(1, tokens + 1):
        after = np.convolve(unfinished, step)
        finished[r] = after[tokens:].sum()
        unfinished = np.append(after[:tokens], 0)
    return finished


def expected_rounds(rounds: np.ndarray) -> float:
    """The mean of a distribution of rounds."""
    return float(rounds @ np.arange(len(rounds)))


def expected_slowest(rounds: np.ndarray, rows: int) -> float:
    """E[the most rounds that any of `rows` independent texts takes]: sum of P(max > r)."""
    return float((1 - np.cumsum(rounds).clip(max=1) ** rows).sum())


def throughput(
    tokens_per_round: float, gamma: int, rows: int, c: Cost, v: Cost, o: Cost = lambda rows: 0.0
) -> float:
    """B tokens / (gamma c(B) + v(B (gamma + 1)) + o): tokens per time of a one-token pass.

    gamma 0 is plain decoding, B / (v(B) + o(B)).
    """
    return rows * tokens_per_round / (gamma * c(rows) + v(rows * (gamma + 1)) + o(rows))
