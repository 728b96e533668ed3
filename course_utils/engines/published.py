"""A table that others reported, and the cost line that explains it.

A round with K drafted tokens takes T(K) = a + cK passes of plain decoding: c of each drafted
token, and a of the rest, which is v(K + 1) + o where a pass over a few tokens costs no more
than one over a single token.  From a table T is known: the time per token, times the tokens
per round, over the plain time per token.  So a and c are found by least squares.  That
the line fits the table it comes from is no test; a length that was held out is one.
`theory.speedup_with_costs` is the same, the other way round.

Everything in this file was measured by others.  Each line names its entry of REFERENCES.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.theory import speedup_with_costs


@dataclass(frozen=True)
class Table:
    """Times per token, reported for several draft lengths.

    Raises:
        ValueError: fewer than two lengths, columns of unlike length, or a number that cannot be.
    """

    name: str
    setting: str
    source: str
    plain: float  # milliseconds per token without a draft
    lengths: tuple[int, ...]  # K
    tokens: tuple[float, ...]  # per round, the correction or bonus among them
    times: tuple[float, ...]  # milliseconds per token

    def __post_init__(self) -> None:
        if not len(self.lengths) == len(self.tokens) == len(self.times):
            raise ValueError(
                f"{self.name}: {len(self.lengths)} lengths, {len(self.tokens)} numbers of tokens "
                f"and {len(self.times)} times; give as many of each"
            )
        if len(set(self.lengths)) < 2:
            raise ValueError(f"{self.name}: two parameters need at least two draft lengths")
        if min(self.plain, *self.times) <= 0 or min(self.lengths) < 1:
            raise ValueError(f"{self.name}: a time is not above 0, or a draft length below 1")
        for k, tokens in zip(self.lengths, self.tokens, strict=True):
            if not 1 <= tokens <= k + 1:
                raise ValueError(
                    f"{self.name}: {tokens} tokens per round at K = {k}; a round emits 1 to K + 1. "
                    "Is it accepted / drafted, or without the correction or bonus?"
                )

    @property
    def rounds(self) -> tuple[float, ...]:
        """T(K), the time of a round in plain passes."""
        return tuple(
            t * n / self.plain for t, n in zip(self.times, self.tokens, strict=True)
        )  # fmt: skip

    @property
    def best(self) -> int:
        """The K with the least time per token."""
        return self.lengths[int(np.argmin(self.times))]


@dataclass(frozen=True)
class CostLine:
    """T(K) = a + cK, the time of a round in plain passes."""

    a: float
    c: float

    def round(self, k: int) -> float:
        return self.a + self.c * k

    def speedup(self, k: int, tokens: float) -> float:
        """Over plain decoding, of rounds that emit `tokens` tokens."""
        return speedup_with_costs(tokens, k, self.c, lambda _: self.a, 0.0)


@dataclass(frozen=True)
class Fit:
    """A line held against a table."""

    table: Table
    line: CostLine
    lengths: tuple[int, ...] = ()  # that the line was fitted to

    @property
    def predicted(self) -> tuple[float, ...]:
        """Milliseconds per token."""
        table = self.table
        pairs = zip(table.lengths, table.tokens, strict=True)
        return tuple(table.plain / self.line.speedup(k, n) for k, n in pairs)

    @property
    def errors(self) -> tuple[float, ...]:
        """Predicted over reported, minus 1."""
        return tuple(p / t - 1 for p, t in zip(self.predicted, self.table.times, strict=True))

    @property
    def best(self) -> int:
        """The K of the table with the least predicted time per token."""
        return self.table.lengths[int(np.argmin(self.predicted))]


def fit(table: Table, lengths: Sequence[int] | None = None) -> Fit:
    """The straight line through T(K) with the least sum of squared distances in T.

    Each K counts alike, in plain passes.  (Weighted so that relative errors count alike, c moves
    by less than 2 % in the tables below, and no best K changes.)

    Args:
        lengths: the K's of the table that are looked at; by default all.

    Raises:
        ValueError: fewer than two lengths, or one that the table does not hold.
    """
    lengths = tuple(lengths or table.lengths)
    if len(set(lengths)) < 2 or not set(lengths) <= set(table.lengths):
        raise ValueError(f"{table.name}: choose two or more of {table.lengths}, not {lengths}")
    c, a = np.polyfit(lengths, [table.rounds[table.lengths.index(k)] for k in lengths], 1)
    return Fit(table, CostLine(float(a), float(c)), lengths)


_SETTING = "Llama-3.1-8B, batch 1, MT-Bench, vLLM 2025-07; the GPU is not named"
_SOURCE = "REFERENCES.md#vllm-20780"
EAGLE_1 = Table(
    "EAGLE-1", _SETTING, _SOURCE, 7.07, (2, 3, 4, 5, 6, 7),
    (2.10, 2.29, 2.39, 2.43, 2.45, 2.47), (4.37, 4.29, 4.48, 4.71, 4.94, 5.20),
)  # fmt: skip
EAGLE_3 = Table(
    "EAGLE-3", _SETTING, _SOURCE, 7.07, (2, 3, 4, 5, 6, 7),
    (2.36, 2.79, 3.08, 3.32, 3.46, 3.54), (4.32, 4.09, 4.05, 4.13, 4.20, 4.29),
)  # fmt: skip
TABLES = (EAGLE_1, EAGLE_3)
# The page's column "E1 over vanilla" contradicts its own times at K = 4, 5 and 6 (1.568, 1.610 and
# 1.544 stand where 1.578, 1.501 and 1.431 follow), so it is not taken.
