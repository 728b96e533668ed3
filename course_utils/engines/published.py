"""Tables reported by others, and the cost line that explains them.

A round with K drafted tokens takes T(K) = a + cK passes of plain decoding: c per drafted
token, and a for the rest, which is v(K + 1) + o if a pass over a few tokens costs no more
than a one-token pass.  A table gives T: the time per token, times the tokens per round,
divided by the plain time per token.  So a and c follow by least squares.  A good fit to that
table proves nothing; a good prediction of a held-out length does.

Everything in this file was measured by others; each table names its entry in REFERENCES.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class PublishedTable:
    """Reported times per token for several draft lengths; columns are equally long."""

    name: str
    setting: str
    source: str
    plain: float  # milliseconds per token without a draft
    lengths: tuple[int, ...]  # K
    tokens: tuple[float, ...]  # per round, 1 to K + 1, including the correction or bonus
    times: tuple[float, ...]  # milliseconds per token

    @property
    def rounds(self) -> tuple[float, ...]:
        """T(K): the time of a round, in plain passes."""
        pairs = zip(self.times, self.tokens, strict=True)
        return tuple(time * tokens / self.plain for time, tokens in pairs)

    @property
    def best(self) -> int:
        """The K with the smallest time per token."""
        return self.lengths[int(np.argmin(self.times))]


@dataclass(frozen=True)
class Fit:
    """T(K) = a + cK, the time of a round in plain passes, fitted to a table."""

    table: PublishedTable
    a: float
    c: float

    @property
    def predicted(self) -> tuple[float, ...]:
        """Milliseconds per token, for each length of the table."""
        pairs = zip(self.table.lengths, self.table.tokens, strict=True)
        return tuple(self.table.plain * (self.a + self.c * k) / tokens for k, tokens in pairs)

    @property
    def best(self) -> int:
        """The K of the table with the least predicted time per token."""
        return self.table.lengths[int(np.argmin(self.predicted))]


def fit(table: PublishedTable, lengths: Sequence[int] | None = None) -> Fit:
    """Fit a line to T(K) by least squares, with equal weights.

    Args:
        lengths: the values of K to fit; by default all.

    Raises:
        ValueError: fewer than two lengths, or one that is not in the table.
    """
    lengths = tuple(lengths or table.lengths)
    if len(set(lengths)) < 2 or not set(lengths) <= set(table.lengths):
        raise ValueError(f"{table.name}: choose two or more of {table.lengths}, not {lengths}")
    c, a = np.polyfit(lengths, [table.rounds[table.lengths.index(k)] for k in lengths], 1)
    return Fit(table, float(a), float(c))


_SETTING = "Llama-3.1-8B, batch 1, MT-Bench, vLLM 2025-07; the GPU is not named"
_SOURCE = "REFERENCES.md#vllm-20780"
EAGLE_1 = PublishedTable(
    "EAGLE-1", _SETTING, _SOURCE, 7.07, (2, 3, 4, 5, 6, 7),
    (2.10, 2.29, 2.39, 2.43, 2.45, 2.47), (4.37, 4.29, 4.48, 4.71, 4.94, 5.20),
)  # fmt: skip
EAGLE_3 = PublishedTable(
    "EAGLE-3", _SETTING, _SOURCE, 7.07, (2, 3, 4, 5, 6, 7),
    (2.36, 2.79, 3.08, 3.32, 3.46, 3.54), (4.32, 4.09, 4.05, 4.13, 4.20, 4.29),
)  # fmt: skip
TABLES = (EAGLE_1, EAGLE_3)
# The page's column "E1 over vanilla" contradicts its own times at K = 4, 5 and 6 (it has 1.568,
# 1.610 and 1.544; the times give 1.578, 1.501 and 1.431), so it is left out.
