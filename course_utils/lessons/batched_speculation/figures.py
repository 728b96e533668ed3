"""The figures of lesson 11: room in a pass, rows drifting apart, the speedup of a draft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import INK, MEASURED, ROLES
from course_utils.classroom.picture import Picture, curves, finished, panels
from course_utils.measuring.speedups import mark_impossible

PALE = "#B9BDC2"


def slack(rows: Mapping[int, float], guesses: Mapping[int, float]) -> Picture:
    """Draw {tokens in a pass: its time in passes over one token}, for many rows and one draft."""
    figure, (axes,) = panels(height=3.3)
    lines = {
        "many texts, one token each": [*rows.values()],
        "one text, a draft": [*guesses.values()],
    }
    top = 1.15 * max(map(max, lines.values()))
    curves(axes, [*rows], lines, "tokens in the pass", "time, in one-token passes", ylim=(0, top))
    most = max(rows)
    axes.plot([1, most], [1, most], label="one pass per token", **ROLES["neutral"].curve())
    axes.set_xticks(sorted({1, *rows} - {2}))
    message = f"{most} tokens take {rows[most]:.1f}x the time of one as {most} texts, "
    return finished(figure, f"{message}{guesses[most]:.1f}x as one draft", columns=3)


def drift(emitted: Sequence[Sequence[int]]) -> Picture:
    """Draw the tokens that each row has emitted, turn by turn."""
    figure, (axes,) = panels(height=3.3)
    ends = [row[-1] for row in emitted]
    for row in emitted:
        axes.plot(row, color=PALE, lw=1.2)
    furthest, shortest = emitted[int(np.argmax(ends))], emitted[int(np.argmin(ends))]
    turns = range(len(furthest))
    lines = {"most tokens at the end": furthest, "fewest tokens at the end": shortest}
    curves(axes, turns, lines, "turn", "tokens emitted")
    apart = max(ends) - min(ends)
    return finished(figure, f"After {turns[-1]} turns the rows are {apart} tokens apart", columns=2)


def gains_by_rows(
    bare: Mapping[int, float], whole: Mapping[int, float], clock: Mapping[int, Sequence[float]],
    gamma: int, tokens: float,
) -> Picture:  # fmt: skip
    """Draw {rows: speedup over no draft at the same batch size}: predicted and measured.

    Args:
        clock: {rows: the measured speedup of each repeat}.
        tokens: per round, which no speedup can exceed.
    """
    figure, (axes,) = panels(height=3.5)
    rows, middle = [*bare], {n: float(np.median(gains)) for n, gains in clock.items()}
    lines = {"predicted, passes only": [*bare.values()]}
    lines["predicted, with the host's work"] = [*whole.values()]
    top = 1.12 * max(*bare.values(), *map(max, clock.values()))
    ylabel = f"speedup of γ = {gamma}"
    curves(axes, rows, lines, "rows in the batch", ylabel, ylim=(0, top))
    for n, gains in clock.items():
        axes.plot([n, n], [min(gains), max(gains)], color=INK, lw=1)
    axes.plot(rows, [*middle.values()], label="measured", **MEASURED.points())
    axes.axhline(1, lw=1, color=INK)
    axes.set_xscale("log", base=2)
    axes.set_xticks(rows, [str(r) for r in rows])
    mark_impossible(axes, middle, dict.fromkeys(middle, tokens))
    first, last = middle[rows[0]], middle[rows[-1]]
    message = f"Speedup of a draft: {first:.2f}x for one row, {last:.2f}x for {rows[-1]} rows"
    return finished(figure, message, columns=2)
