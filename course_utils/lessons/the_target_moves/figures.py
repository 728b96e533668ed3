"""The pictures of this elective: how old texts age, and what a batch keeps of them."""

from collections.abc import Sequence

import numpy as np

from course_utils.classroom.palette import INK, NEUTRAL, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.lessons.the_target_moves.rollouts import Epoch


def ageing(epochs: Sequence[Epoch]) -> Picture:
    """α of the texts of the last epoch and of the first, epoch by epoch."""
    figure, (axes,) = panels(height=3.4)
    later = epochs[1:]
    at = range(1, len(epochs))
    fresh, old = [e.last.alpha for e in later], [e.first.alpha for e in later]
    for alphas, name, look in zip((fresh, old), ("last", "first"), series(2), strict=True):
        axes.plot(at, alphas, **look.line(), label=f"texts of the {name} epoch")
    axes.set(xlabel="epoch", ylabel="α", xticks=at, xlim=(0.8, len(epochs) - 0.8))
    legend_below(figure, 2)
    entitle(
        figure,
        f"In epoch {len(later)} α is {fresh[-1]:.3f} with texts an epoch old, "
        f"{old[-1]:.3f} with the first ones",
    )
    said = "; ".join(
        f"epoch {i}: {x:.3f} and {y:.3f}" for i, x, y in zip(at, fresh, old, strict=True)
    )
    return picture(figure, f"α by epoch, texts of the last and of the first. {said}.")


def all_together(accepted: np.ndarray) -> Picture:
    """How likely the first j tokens of an old text are kept: each text, their mean, all together.

    Args:
        accepted: (texts, n), as `Beside` has it.
    """
    figure, (axes,) = panels(height=3.6)
    kept = np.cumprod(accepted, axis=1)
    at = np.arange(1, kept.shape[1] + 1)
    mean, together = kept.mean(axis=0), kept.prod(axis=0)
    lines = axes.plot(at, kept.T, color=NEUTRAL, lw=0.7)
    lines[0].set_label("a text")
    looks = series(2)
    axes.plot(at, mean, **looks[0].line(), label="their mean")
    axes.plot(at, together, **looks[1].line(), label="all of them")
    axes.axhline(0, color=INK, lw=0.5)
    axes.set(xlabel="first tokens of the old text, j", ylabel="P(all of them kept)", ylim=(0, 1.03))
    legend_below(figure, 3)
    entitle(
        figure,
        f"A text keeps {kept.sum(1).mean():.1f} of {len(at)} guesses, "
        f"all {len(kept)} texts together {together.sum():.1f}",
    )
    half = int(len(at) / 2)
    return picture(
        figure,
        f"Chance that the first j tokens are kept. At j = {half}: mean {mean[half - 1]:.2f}, all "
        f"together {together[half - 1]:.3f}.",
    )
