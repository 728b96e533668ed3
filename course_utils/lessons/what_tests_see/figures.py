"""The figure of this elective: how many texts catch each wrong decoder."""

from collections.abc import Mapping

import numpy as np

from course_utils.classroom.palette import ROLES
from course_utils.classroom.picture import Picture, finished, panels


def texts_needed(needed: Mapping[str, float], paths: int) -> Picture:
    """Plot the texts a counting test needs for each wrong decoder; `paths`: runs of the walk."""
    figure, (axes,) = panels(height=1.6 + 0.3 * len(needed))
    ordered = sorted(needed.items(), key=lambda pair: pair[1])
    names, values = zip(*ordered, strict=True)
    places, lengths = np.arange(len(names)), np.maximum(values, ROUGH)
    look = ROLES["rejected"]
    axes.hlines(places, 1, lengths, color=look.colour, lw=3)
    axes.plot(lengths, places, **look.points() | {"ms": 8})
    for place, value in zip(places, values, strict=True):
        axes.text(max(value, ROUGH) * 1.6, place, _short(value), va="center")
    axes.set(xscale="log", xlim=(20, 60 * max(values)), ylim=(-0.7, len(names) - 0.3))
    axes.set(xlabel="texts needed to catch it by counting (log scale)")
    axes.set_yticks(places, names)
    axes.grid(visible=False, axis="y")
    message = f"One walk of {paths} runs replaces up to {_short(values[-1])} texts"
    alt = ", ".join(f"{name} {_short(value)}" for name, value in ordered)
    return finished(figure, message, alt=alt)


ROUGH = 100  # texts; below this the theory of the test is only approximate


def _short(value: float) -> str:
    """Round to two digits, in words above a million."""
    if value < ROUGH:
        return f"under {ROUGH}"
    for size, word in (1e9, " billion"), (1e6, " million"):
        if value >= size:
            return f"{value / size:.2g}{word}"
    return f"{float(f'{value:.2g}'):,.0f}"
