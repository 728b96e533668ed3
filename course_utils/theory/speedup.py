"""The formulas for speedup, each with its source.

Symbols: alpha, the probability that a drafted token is accepted; gamma, tokens
drafted per round; c = t_draft / t_target for one token; v(k), the target's time
for k tokens in one pass divided by its time for one; o, the host time per round
divided by the target's time for one token.

Unless said otherwise acceptances are independent and equally likely (i.i.d.).
"""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.decoding.rows import Rows, namespace


def overlap(p: Rows, q: Rows) -> Rows:
    """Return sum(min(p, q)) over the vocabulary: the acceptance probability of one position.

    Leviathan et al. 2022, theorem 3.5; equals 1 - TV(p, q).  Rows (..., V) -> (...).
    """
    return namespace(p).minimum(p, q).sum(axis=-1)


def total_variation(p: Rows, q: Rows) -> Rows:
    """Half the sum of `|p - q|`, rows (..., V) -> (...)."""
    return abs(p - q).sum(axis=-1) / 2


def expected_tokens(alpha: float, gamma: int) -> float:
    """Tokens per round: (1 - alpha^(gamma+1)) / (1 - alpha).  Leviathan et al., eq. 1."""
    _check(alpha, gamma)
    return float(sum(alpha**i for i in range(gamma + 1)))  # exact at alpha = 1 too


def expected_tokens_by_position(rates: Sequence[float]) -> float:
    """Tokens per round when position i is accepted with probability rates[i-1].

    1 + r1 + r1 r2 + ...: exact for the rounds that the rates were measured in.
    """
    return 1.0 + float(np.cumprod(rates).sum())


def speedup(alpha: float, gamma: int, c: float) -> float:
    """(1 - alpha^(gamma+1)) / ((1 - alpha)(gamma c + 1)).  Leviathan et al., theorem 3.8.

    Raises:
        ValueError: alpha outside [0, 1], gamma < 0 or c < 0.
    """
    _check(alpha, gamma, c)
    return expected_tokens(alpha, gamma) / (gamma * c + 1)


def speedup_with_costs(
    tokens_per_round: float, gamma: int, c: float, v: Callable[[int], float], o: float
) -> float:
    """tokens / (gamma c + v(gamma + 1) + o): the speedup with measured verification costs.

    The baseline is a target without host time.
    """
    return tokens_per_round / (gamma * c + v(gamma + 1) + o)


def speedup_limit(gamma: int, c: float) -> float:
    """The limit of `speedup` as alpha -> 1: (gamma + 1) / (gamma c + 1).

    For c < 1 it is below 1/c, the speed of the draft alone; for c = 1 it is 1.
    """
    _check(1, gamma, c)
    return (gamma + 1) / (gamma * c + 1)


def optimal_gamma(alpha: float, c: float, largest: int | None = None) -> tuple[int, float]:
    """Return the gamma from 1 to `largest` with the highest `speedup`, and that speedup.

    The speedup may be below 1: with free verification (v = 1, o = 0) a gain exists if and only
    if alpha > c.  It has one maximum: the next token adds alpha^(gamma+1) tokens for a cost of
    c, and once that ratio is no better than the round's own, later tokens are worse still.

    Raises:
        ValueError: c < 0, `largest` < 1, or longer drafts are always faster, so that no gamma
            is the best: a free draft, or one that is never wrong.
    """
    _check(alpha, 1, c)
    if largest is not None and largest < 1:
        raise ValueError(f"largest is {largest}; give a draft length of at least 1")
    if largest is None and (c == 0 < alpha or alpha == 1 > c):
        raise ValueError(
            f"at alpha = {alpha} and c = {c} a longer draft is always faster, so no length is the "
            "best: set `largest`, the longest draft you allow"
        )
    gamma, tokens = 1, 1 + alpha
    while gamma != largest and alpha ** (gamma + 1) * (gamma * c + 1) > c * tokens:
        gamma += 1
        tokens += alpha**gamma
    return gamma, speedup(alpha, gamma, c)


def mixed_text_tokens(alphas: Sequence[float], shares: Sequence[float], gamma: int) -> float:
    """Tokens per round on text of several kinds; `shares` are shares of the *tokens*.

    Text with low acceptance takes more rounds for its share of the tokens, so the mean is
    harmonic: [.5, .9], [.5, .5], gamma 4 -> 2.63, not the 2.77 of the mean alpha.
    """
    return 1 / sum(s / expected_tokens(a, gamma) for a, s in zip(alphas, shares, strict=True))


def acceptance_metrics(alpha: float, gamma: int) -> dict[str, float]:
    """Return the expectation at alpha of each number that is called "acceptance rate".

    Raises:
        ValueError: alpha outside [0, 1], or gamma < 1.
    """
    if gamma == 0:
        raise ValueError("gamma is 0; give a draft length of at least 1")
    tokens = expected_tokens(alpha, gamma)
    accepted = tokens - 1
    rejected = 1 - alpha**gamma  # probability that a round ends in a correction
    return {
        "accepted / drafted": accepted / gamma,
        "accepted / examined": accepted / (accepted + rejected),
        "mean accepted + 1": tokens,
        "accepted / emitted": accepted / tokens,
        "emitted / drafted": tokens / gamma,
    }


def _check(alpha: float, gamma: int, c: float = 0) -> None:
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha is {alpha}; give a probability, from 0 to 1")
    if gamma < 0:
        raise ValueError(f"gamma is {gamma}; give a draft length of at least 0")
    if not c >= 0:
        raise ValueError(f"c is {c}; give a cost of at least 0")
