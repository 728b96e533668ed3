"""The figure of this elective: how many old tokens a text and a whole batch accept."""

import numpy as np

from course_utils.classroom.palette import NEUTRAL, series
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
    together = at_least.prod(axis=0)
    lines = {"their mean": at_least.mean(axis=0), "all texts": together}
    labels = "first tokens of the old text, j", "P(all j accepted)"
    curves(axes, first, lines, *labels, series(2))
    return finished(
        figure,
        f"Of {len(first)} guesses one text accepts {at_least.sum(1).mean():.1f}, "
        f"the slowest of {len(at_least)} {together.sum():.1f}",
        columns=3,
    )
