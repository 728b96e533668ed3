"""The picture of this elective: rounds of a batch's slowest row over the mean."""

from __future__ import annotations

from collections.abc import Mapping

from course_utils.classroom.palette import MEASURED, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture


def slowest(
    predicted: Mapping[str, Mapping[int, float]], counted: Mapping[int, float] | None = None
) -> Picture:
    """{texts: {rows: rounds of the slowest over the mean}}, and what was counted."""
    figure, (axes,) = panels(height=3.5)
    for (name, ratios), look in zip(predicted.items(), series(len(predicted)), strict=True):
        axes.plot(list(ratios), list(ratios.values()), label=name, **look.line())
    if counted:
        style = MEASURED.points() | {"markerfacecolor": "white", "markersize": 9}
        axes.plot(list(counted), list(counted.values()), label="counted", **style)
    rows = sorted({r for ratios in predicted.values() for r in ratios})
    axes.set_xscale("log", base=2)
    axes.set_xticks(rows, [str(r) for r in rows])
    top = max(max(ratios.values()) for ratios in [*predicted.values(), counted or {1: 1.0}])
    axes.set(xlabel="rows of the batch", ylabel="slowest / mean", ylim=(0.95, 1.05 * top))
    legend_below(figure, 3)
    worst = max(predicted, key=lambda name: max(predicted[name].values()))
    entitle(figure, f"The batch waits longest for {worst}: {max(predicted[worst].values()):.2f}x")
    shown = dict(predicted) | ({"counted": counted} if counted else {})
    said = "; ".join(
        f"{name}: " + ", ".join(f"{r} rows {x:.2f}" for r, x in ratios.items())
        for name, ratios in shown.items()
    )
    return picture(figure, f"Rounds of the slowest row over the mean. {said}.")
