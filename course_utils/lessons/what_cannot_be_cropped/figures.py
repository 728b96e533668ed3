"""The figure of this elective: the error of a state computed backwards."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import NEUTRAL, series
from course_utils.classroom.picture import Picture, finished, panels


def inverted(errors: Mapping[float, Sequence[float]]) -> Picture:
    """Plot {gate: relative error of the state after 1, 2, ... steps back} and its prediction."""
    figure, (axes,) = panels(height=3.9)
    for (gate, measured), look in zip(errors.items(), series(len(errors)), strict=True):
        steps = np.arange(1, len(measured) + 1)
        predicted = np.finfo(np.float32).eps / gate**steps
        axes.plot(steps, predicted, color=NEUTRAL, lw=0.8, label="predicted: ε / gⁿ")
        axes.plot(steps, measured, **look.points(), ms=3.5, label=f"measured, g = {gate:g}")
    axes.set(yscale="log", xlabel="steps back, n", ylabel="relative error of the state")
    axes.axhline(1, color=NEUTRAL, ls=(0, (1, 3)))
    axes.text(1, 1.5, "as large as the state itself", color=NEUTRAL, va="bottom")
    return finished(figure, "Each step back divides the rounding error by the gate", 2)
