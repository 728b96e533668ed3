"""Matplotlib figures as finished pictures: one style, no pyplot, no open figures.

Matplotlib is imported by the first figure: it takes longer to import than all
that a toy lesson needs besides.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from course_utils.classroom.glyphs import spell_out
from course_utils.classroom.style import FIGURE_STYLE, WIDTH
from course_utils.classroom.words import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Picture:
    """A PNG and the sentence that says what is on it, for readers who cannot see it."""

    def __init__(self, png: bytes, alt: str):
        self.png = png
        self.alt = printable(alt)

    def _repr_mimebundle_(self, include=None, exclude=None):
        data = {"image/png": self.png, "text/plain": f"[figure] {self.alt}"}
        return data, {"image/png": {"alt": self.alt}}


def panels(
    columns: int = 1, width: float = WIDTH, height: float = 3.4
) -> tuple[Figure, list[Axes]]:
    """A figure with `columns` axes side by side, in the style of the course; inches.

    A figure wider than `WIDTH` is shrunk to the notebook, and its text with it.
    """
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    # read when a title or a legend is made, so it cannot be a context
    rcParams.update(FIGURE_STYLE)
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, list(figure.subplots(1, columns, squeeze=False)[0])


def entitle(figure: Figure, message: str) -> None:
    """The one sentence that a figure is there for, above all its axes."""
    figure.suptitle(message, x=0.008, ha="left")


def legend_below(figure: Figure, columns: int, **how: float) -> None:
    """One legend for all axes, under them, where it can hide nothing; each label once."""
    handles = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    figure.legend(handles.values(), handles, loc="outside lower center", ncols=columns, **how)


def picture(figure: Figure, alt: str) -> Picture:
    """Render once, at notebook width."""
    from PIL import Image

    spell_out(figure)
    buffer, small = BytesIO(), BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    # a palette of 128 colours makes the file, and so the notebook, three times smaller
    Image.open(buffer).convert("RGB").quantize(128, dither=0).save(small, "PNG", optimize=True)
    return Picture(small.getvalue(), alt)
