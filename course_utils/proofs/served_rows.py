"""What a target says along a server's answer, and what settings leave of it.

Rows are kept with the likeliest token first, so that temperature, top-k, top-p and min-p all
leave a beginning of a row: whole rows of a copy, or the likeliest tokens of a server's own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.sampling import Sampling

TINY = np.finfo(float).tiny
SINGLE, GROUPS = 256, 60  # of a shortened row: its likeliest tokens, and groups of the others


@dataclass(frozen=True)
class Text:
    """A request and its answer."""

    prompt: tuple[int, ...]
    tokens: tuple[int, ...]
    ended: bool = False  # at a stop token, which is not among the tokens


@dataclass(frozen=True, eq=False)
class Rows:
    """What the target says at each place of an answer, likeliest first."""

    tokens: np.ndarray  # (n, m); -1 is a group of them
    logits: np.ndarray  # (n, m), falling; -inf where there is none; of a group their mean
    # None: whole rows.  Else log-probabilities of so many likeliest tokens; behind them may stand
    # the answer's own
    listed: int | None = None
    many: np.ndarray | int = 1  # (n, m), tokens of each column
    own: np.ndarray | None = None  # (n,), where the answer's tokens stand; None: look for them

    @classmethod
    def of(cls, logits: np.ndarray) -> "Rows":
        """Of whole rows, (n, vocabulary)."""
        logits = np.asarray(logits, np.float64)
        order = np.argsort(-logits, axis=-1, kind="stable")
        return cls(order, np.take_along_axis(logits, order, -1))

    def short(self, answer: Sequence[int]) -> "Rows":
        """Almost the same, as large for any vocabulary: the less likely tokens of whole rows in
        groups, of which the first at the edge of a filter is taken whole or left out."""
        m = self.logits.shape[1]
        if self.listed is not None or m <= SINGLE + GROUPS:
            return self
        starts = np.unique(np.geomspace(SINGLE, m, GROUPS, endpoint=False).astype(int))
        many = np.diff(starts, append=m)
        tail = np.exp(self.logits - self.logits[:, :1])
        with np.errstate(divide="ignore"):
            means = np.log(np.add.reduceat(tail, starts, -1) / many) + self.logits[:, :1]
        logits = np.concatenate([self.logits[:, :SINGLE], means], -1)
        tokens = np.full(logits.shape, -1)
        tokens[:, :SINGLE] = self.tokens[:, :SINGLE]
        firsts = np.concatenate([np.arange(SINGLE), starts])
        own = np.searchsorted(firsts, self.ranks(answer), "right") - 1
        many = np.broadcast_to(np.diff(firsts, append=m), logits.shape)
        return Rows(tokens, logits, None, many, own)

    @property
    def rest(self) -> np.ndarray:
        """(n, 1): the probability, at temperature 1, of what is not listed."""
        listed = self.logits[:, : self.listed]
        return np.maximum(1 - np.exp(listed).sum(-1, keepdims=True), 0) * (self.listed is not None)

    def ranks(self, tokens: Sequence[int]) -> np.ndarray:
        """(n,): where each token of the answer stands in its row; m where it does not."""
        if self.own is not None:
            return self.own
        here = self.tokens[: len(tokens)] == np.asarray(tokens, np.int64)[:, None]
        return np.where(here.any(-1), here.argmax(-1), self.tokens.shape[1])

    def at(self, temperature: float) -> "Weights":
        w = np.exp((self.logits - self.logits[:, :1]) / temperature)
        return Weights(w, np.cumsum((w * self.many)[:, : self.listed], -1))


@dataclass(frozen=True, eq=False)
class Weights:
    """Rows at a temperature; the likeliest token weighs 1."""

    w: np.ndarray  # (n, m), of a token
    sums: np.ndarray  # (n, listed), of each column and those before it

    def above(self, least: np.ndarray | float) -> np.ndarray:
        """(n,): how many columns weigh at least so much."""
        return _count(self.w, lambda w: w >= least)

    def total(self, many: np.ndarray) -> np.ndarray:
        """(n,): what the first so many of those that are listed weigh."""
        return self.sums[np.arange(len(many)), np.clip(many, 1, self.sums.shape[1]) - 1]

    def reaching(self, mass: np.ndarray) -> np.ndarray:
        """(n,): the first so many columns reach a mass, as top-p has it."""
        return 1 + _count(self.sums, lambda sums: sums < mass)


def _count(values: np.ndarray, holds: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """(n,): how many of the m values of a row hold; only its first ones do."""
    n, m = values.shape
    low, high = np.zeros(n, int), np.full(n, m)
    while (low < high).any():
        middle = (low + high) // 2
        true = holds(values[np.arange(n), np.minimum(middle, m - 1)]) & (low < high)
        low, high = np.where(true, middle + 1, low), np.where(true, high, middle)
    return low


def filters(settings: Sampling) -> bool:
    """Do they exclude any token?"""
    return bool(settings.top_k or settings.top_p < 1 or settings.min_p)


def kept(
    rows: Rows, weights: Weights, settings: Sampling, slack: float = 0.0, mass: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """(n,) twice: how many of the first columns are surely kept, and how many may be.

    Args:
        weights: the rows at the temperature at which the filters look at them.
        slack, mass: the share by which rounding may change a weight, and the sum of some.
    """
    listed, m = weights.sums.shape[1], weights.w.shape[1]
    partial, k = rows.listed is not None, settings.top_k
    high = weights.above(TINY)
    low = np.minimum(high, listed)
    if 0 < k < (listed + 1 if partial else listed):
        last = weights.w[:, k - 1]
        beyond = weights.w[:, k] if k < listed else last  # a tie with what is not listed
        low = np.minimum(low, weights.above(beyond * (1 + slack) + TINY) if slack else k)
        high = np.minimum(high, weights.above(last * (1 - slack)) if slack else k)
    if settings.min_p > 0:
        low = np.minimum(low, weights.above(settings.min_p * (1 + slack)))
        high = np.minimum(high, weights.above(settings.min_p * (1 - slack)))
    if settings.top_p < 1:
        least, most = weights.total(low), weights.total(high)
        if partial and not 0 < k <= listed:
            most = most + _rest(rows, settings)
        low = np.minimum(low, weights.reaching(least * (settings.top_p - mass)))
        enough = most * (settings.top_p + mass)
        high = np.where(enough > weights.sums[:, -1], high,
                        np.minimum(high, weights.reaching(enough)))  # fmt: skip
    low = np.maximum(low, 1)
    if filters(settings):  # the edge may go through a group
        grouped, at = np.broadcast_to(rows.many, weights.w.shape) > 1, np.arange(len(low))
        low = low - grouped[at, low - 1]
        high = high + grouped[at, np.minimum(high, m - 1)]
    return low, np.clip(high, low, m)


def _rest(rows: Rows, settings: Sampling) -> np.ndarray:
    """(n,): the most that the tokens that are not listed can weigh.

    Each has at most the last one's probability, so that p^(1/T) is at most p * last^(1/T - 1)
    for T <= 1; for T > 1 there is no bound.
    """
    rest, inverse = rows.rest[:, 0], 1 / settings.temperature
    if inverse < 1:
        return np.where(rest > 0, np.inf, 0.0)
    last, first = rows.logits[:, rows.listed - 1], rows.logits[:, 0]
    return rest * np.exp(last * (inverse - 1) - first * inverse)
