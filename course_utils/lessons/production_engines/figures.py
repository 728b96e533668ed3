"""The pictures of this lesson: surprise, acceptance by position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture


def deviations(found: Mapping[str, tuple], bands: Mapping[str, np.ndarray]) -> Picture:
    """{run: deviations of both witnesses}; {run: (2, 2)} where those of an honest text lie."""
    names = list(found)[::-1]
    figure, both = panels(2, height=0.9 + 0.36 * len(found))
    far = 12 * max(abs(x) for pair in found.values() for x in pair)
    for witness, axes in enumerate(both):
        for y, name in enumerate(names):
            (low, high), off = bands[name][witness], found[name][witness]
            axes.barh(y, high - low, left=low, height=0.9, color="#D9DBDE", zorder=0)
            look = ROLES["accepted" if low < off < high else "rejected"]
            axes.barh(y, off, height=0.6, **look.bars())
            axes.annotate(
                f"{off:+.1f}", (off, y), xytext=(5 if off >= 0 else -5, 0),
                textcoords="offset points", va="center", ha="left" if off >= 0 else "right",
            )  # fmt: skip
        axes.set_xscale("symlog", linthresh=4, linscale=0.6)
        axes.set(xlim=(-far, far), xlabel=f"{('first', 'second')[witness]} witness, deviations")
        ticks = [t for t in (-100, -10, 0, 10, 100) if abs(t) <= far]
        axes.set_xticks(ticks, [str(t) for t in ticks])
        axes.minorticks_off()
        axes.set_yticks(range(len(names)), [] if witness else names)
    wrong = sum(not _inside(found[name], bands[name]) for name in names)
    entitle(figure, f"{wrong} of {len(found)} runs did not draw from the target")
    said = ", ".join(f"{name} {one:+.1f} and {two:+.1f}" for name, (one, two) in found.items())
    return picture(
        figure, f"Both witnesses in standard deviations, over bands in which an honest text lies: "
        f"{said}.",
    )  # fmt: skip


def _inside(pair: tuple, bands: np.ndarray) -> bool:
    return all(low < x < high for x, (low, high) in zip(pair, bands, strict=True))


def positions(cases: Mapping[str, Sequence[float | None]]) -> Picture:
    """{case: alpha of the first, second, ... drafted token}; None where none was reached."""
    figure, (axes,) = panels(height=3.3)
    for (name, alphas), look in zip(cases.items(), series(len(cases)), strict=True):
        reached = [(i, x) for i, x in enumerate(alphas, 1) if x is not None]
        axes.plot(*zip(*reached, strict=True), label=name, **look.line())
    axes.set(xlabel="position in the draft", ylabel="accepted where examined", ylim=(-0.03, 1.03))
    axes.set_xticks(range(1, 1 + max(map(len, cases.values()))))
    legend_below(figure, 3)
    least = min(cases, key=lambda name: min(x for x in cases[name] if x is not None))
    worst = min(x for x in cases[least] if x is not None)
    entitle(figure, f"{least}: down to {worst:.2f} where others are accepted")
    said = "; ".join(
        f"{name}: " + ", ".join("–" if x is None else f"{x:.2f}" for x in alphas)
        for name, alphas in cases.items()
    )
    return picture(figure, f"Acceptance by position. {said}.")
