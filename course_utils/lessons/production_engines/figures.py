"""The figures of lesson 12: two witnesses, and acceptance by position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import ROLES, series
from course_utils.classroom.picture import Picture, finished, panels


def deviations(z: Mapping[str, tuple], bands: Mapping[str, np.ndarray]) -> Picture:
    """Draw {run: deviations of both witnesses} and {run: (2, 2)}, the range of an honest text."""
    names = list(z)[::-1]
    figure, both = panels(2, height=0.9 + 0.36 * len(z))
    far = 12 * max(abs(x) for pair in z.values() for x in pair)
    for witness, axes in enumerate(both):
        for y, name in enumerate(names):
            (low, high), x = bands[name][witness], z[name][witness]
            axes.barh(y, high - low, left=low, height=0.9, color="#D9DBDE", zorder=0)
            look = ROLES["accepted" if low < x < high else "rejected"]
            axes.bar_label(axes.barh(y, x, height=0.6, **look.bars()), fmt="{:+.1f}", padding=5)
        axes.set_xscale("symlog", linthresh=4, linscale=0.6)
        axes.set(xlim=(-far, far), xlabel=f"{('first', 'second')[witness]} witness, deviations")
        ticks = [t for t in (-100, -10, 0, 10, 100) if abs(t) <= far]
        axes.set_xticks(ticks, [str(t) for t in ticks])
        axes.minorticks_off()
        axes.set_yticks(range(len(names)), [] if witness else names)
    honest = [
        all(low < x < high for x, (low, high) in zip(z[name], bands[name], strict=True))
        for name in names
    ]
    message = f"{honest.count(False)} of {len(z)} runs did not draw from the target"
    pairs = ", ".join(f"{name} {one:+.1f} and {two:+.1f}" for name, (one, two) in z.items())
    return finished(figure, message, alt=f"Both witnesses in standard deviations: {pairs}.")


def positions(cases: Mapping[str, Sequence[float | None]]) -> Picture:
    """Draw {case: alpha by position in the draft}; None where no draft got there."""
    figure, (axes,) = panels(height=3.3)
    for (name, alphas), look in zip(cases.items(), series(len(cases)), strict=True):
        reached = [(i, x) for i, x in enumerate(alphas, 1) if x is not None]
        axes.plot(*zip(*reached, strict=True), label=name, **look.line())
    axes.set(xlabel="position in the draft", ylabel="accepted where examined", ylim=(-0.03, 1.03))
    axes.set_xticks(range(1, 1 + max(map(len, cases.values()))))
    return finished(figure, "As released, hardly any second guess is accepted", columns=3)
