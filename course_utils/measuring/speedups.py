"""Measured speedups, checked against the tokens per round.

A round with guesses takes at least as long as one without: the target's pass has more rows, and
drafting takes time.  So the speedup over the same target without a draft cannot exceed the tokens
per round.  If a measured one does, other work disturbed the timing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARK = "!"
MEANING = f"{MARK}: above the tokens per round, so other work disturbed the timing"


def is_possible(speedup: float, tokens_per_round: float) -> bool:
    """Return whether the speedup is at most the tokens per round of the same texts."""
    return speedup <= tokens_per_round


def speedup_cell(speedup: float, tokens_per_round: float) -> str:
    """Format a speedup for a table, marked if it is impossible.

    >>> speedup_cell(1.254, 1.3), speedup_cell(1.54, 1.3)
    ('1.25x', '1.54x !')
    """
    mark = "" if is_possible(speedup, tokens_per_round) else f" {MARK}"
    return f"{speedup:.2f}x{mark}"


def caption(text: str, rows: Sequence[dict[str, object]]) -> str:
    """Return the caption, with an explanation of the mark if a cell of the rows has it.

    >>> caption("T = 1", [{"draft": "lookup", "measured": "1.25x"}])
    'T = 1'
    """
    marked = any(str(cell).endswith(f" {MARK}") for row in rows for cell in row.values())
    return f"{text}. {MEANING}" if marked else text


def mark_impossible(axes: Axes, speedups: Mapping[int, float], tokens: Mapping[int, float]) -> str:
    """Mark impossible speedups, by gamma; return `MEANING` for the caption, or ""."""
    wrong = [
        gamma for gamma, speedup in speedups.items() if not is_possible(speedup, tokens[gamma])
    ]
    for gamma in wrong:
        axes.annotate(
            MARK, (gamma, speedups[gamma]), (6, 3), textcoords="offset points", weight="bold"
        )
    return f". {MEANING}" if wrong else ""
