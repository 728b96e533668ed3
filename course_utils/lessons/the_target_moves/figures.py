"""The picture of this elective: what a batch keeps of old texts."""

import numpy as np

from course_utils.classroom.palette import NEUTRAL, series
from course_utils.classroom.picture import Picture, curves, finished, panels


def all_together(accepted: np.ndarray) -> Picture:
    """How likely the first j tokens of an old text are kept: each text, their mean, all together.

    Args:
        accepted: (texts, n), how likely each guess is accepted, if those before it are.
    """
    figure, (axes,) = panels(height=3.6)
    kept = np.cumprod(accepted, axis=1)
    at = np.arange(1, kept.shape[1] + 1)
    axes.plot(at, kept.T, color=NEUTRAL, lw=0.7)[0].set_label("a text")
    together = kept.prod(axis=0)
    named = {"their mean": kept.mean(axis=0), "all of them": together}
    curves(axes, at, named, "first tokens of the old text, j", "P(all of them kept)", series(2))
    return finished(
        figure,
        f"A text keeps {kept.sum(1).mean():.1f} of {len(at)} guesses, "
        f"all {len(kept)} texts together {together.sum():.1f}",
        columns=3,
    )
