"""Speedups of a clock, held against the tokens that a round brings.

A round with guesses takes no less time than one without: the target's pass has more rows, and
somebody drafts.  So no speedup over the same target without a draft is above the tokens per round.
Where a table has one, other work disturbed the clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARK = "!"
MEANING = f"{MARK}: above the tokens per round, which is impossible: other work disturbed the clock"


def possible(speedup: float, tokens_per_round: float) -> bool:
    """May the clock be believed?  Both of the same texts; the speedup is over no draft."""
    return speedup <= tokens_per_round


def shown(speedup: float, tokens_per_round: float) -> str:
    """For a table.

    >>> shown(1.254, 1.3), shown(1.54, 1.3)
    ('1.25x', '1.54x !')
    """
    mark = "" if possible(speedup, tokens_per_round) else f" {MARK}"
    return f"{speedup:.2f}x{mark}"


def caption(said: str, rows: Sequence[dict[str, object]]) -> str:
    """`said`, and what the mark means if a cell of the rows has it.

    >>> caption("T = 1", [{"draft": "lookup", "measured": "1.25x"}])
    'T = 1'
    """
    marked = any(str(cell).endswith(f" {MARK}") for row in rows for cell in row.values())
    return f"{said}. {MEANING}" if marked else said


def mark_impossible(axes: Axes, speedups: Mapping[int, float], tokens: Mapping[int, float]) -> str:
    """Mark, by gamma, what the clock can't have seen; `MEANING` for the caption, or nothing."""
    wrong = [gamma for gamma, speedup in speedups.items() if not possible(speedup, tokens[gamma])]
    for gamma in wrong:
        axes.annotate(
            MARK, (gamma, speedups[gamma]), (6, 3), textcoords="offset points", weight="bold"
        )
    return f". {MEANING}" if wrong else ""
