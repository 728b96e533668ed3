"""The figure of this elective: how many old tokens a text and a whole batch accept."""

import numpy as np

from course_utils.classroom.palette import NEUTRAL
from course_utils.classroom.picture import Picture, curves, finished, panels


def all_together(accepted: np.ndarray) -> Picture:
    """Plot P(first j old tokens accepted) for each text, their mean and all texts at once.

    Args:
        accepted: (texts, n), probability that a guess is accepted if all earlier ones are.
    """
    figure, (axes,) = panels(height=3.6)
    at_least = np.cumprod(accepted, axis=1)
    first = np.arange(1, at_least.shape[1] + 1)
    axes.plot(first, at_least.T, color=NEUTRAL, lw=0.7)[0].set_label("a text")
    lines = {"their mean": at_least.mean(axis=0), "all texts": at_least.prod(axis=0)}
    curves(axes, first, lines, "first tokens of the old text, j", "P(all j accepted)")
    one, all_texts = (line.sum() for line in lines.values())
    message = f"Of {len(first)} guesses one text accepts {one:.1f}, the slowest of"
    return finished(figure, f"{message} {len(at_least)} {all_texts:.1f}", columns=3)
