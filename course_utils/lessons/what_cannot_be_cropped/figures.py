"""The picture of this elective: how far off a state is that was computed backwards."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import NEUTRAL, series
from course_utils.classroom.picture import Picture, finished, panels


def inverted(errors: Mapping[float, Sequence[float]]) -> Picture:
    """{gate: relative error of the state after 1, 2, ... steps back}, beside what is predicted."""
    figure, (axes,) = panels(height=3.9)
    for (gate, off), look in zip(errors.items(), series(len(errors)), strict=True):
        at = np.arange(1, len(off) + 1)
        predicted = np.finfo(np.float32).eps / gate**at
        axes.plot(at, predicted, color=NEUTRAL, lw=0.8, label="predicted: ε / gⁿ")
        axes.plot(at, off, **look.points(), ms=3.5, label=f"measured, g = {gate:g}")
    axes.set(yscale="log", xlabel="steps back, n", ylabel="relative error of the state")
    axes.axhline(1, color=NEUTRAL, ls=(0, (1, 3)))
    axes.text(1, 1.5, "as large as the state itself", color=NEUTRAL, va="bottom")
    return finished(figure, "Each step back divides by the gate, and with it the rounding", 2)
