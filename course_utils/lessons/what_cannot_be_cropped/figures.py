"""The picture of this elective: how far off a state is that was computed backwards."""

from collections.abc import Sequence

import numpy as np

from course_utils.classroom.palette import NEUTRAL, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.lessons.what_cannot_be_cropped.layer import inversion_errors

GATES = (0.99, 0.5, 0.05)


def inverted(steps: int = 12, gates: Sequence[float] = GATES) -> Picture:
    """Error of inversion in float32 by steps back, measured and predicted, for some gates."""
    figure, (axes,) = panels(height=3.9)
    at, said = np.arange(1, steps + 1), []
    for gate, look in zip(gates, series(len(gates)), strict=True):
        errors = inversion_errors(gate, steps)
        predicted = np.finfo(np.float32).eps * gate ** -at.astype(float)
        axes.plot(at, predicted, color=NEUTRAL, lw=0.8, label="predicted: ε / gⁿ")
        axes.plot(at, errors, **look.points(), ms=3.5, label=f"measured, g = {gate:g}")
        said.append(f"g = {gate:g}: {errors[3]:.0e} after 4 steps, {errors[-1]:.0e} after {steps}")
    axes.set_yscale("log")
    axes.axhline(1, color=NEUTRAL, ls=(0, (1, 3)))
    axes.text(1, 1.5, "as large as the state itself", color=NEUTRAL, va="bottom")
    axes.set(xlabel="steps back, n", ylabel="relative error of the state", xlim=(0, steps + 1))
    legend_below(figure, 2)
    entitle(figure, "Each step back divides by the gate, and with it the rounding")
    return picture(figure, "Error of inversion. " + "; ".join(said))
