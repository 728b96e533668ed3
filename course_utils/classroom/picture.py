"""Matplotlib figures as finished pictures: one style, no pyplot, no open figures.

Matplotlib is imported by the first figure: it takes longer to import than all
that a toy lesson needs besides.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from course_utils.classroom.style import FIGURE_STYLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Picture:
    """A PNG and the sentence that says what is on it, for readers who cannot see it."""

    def __init__(self, png: bytes, alt: str):
        self.png = png
        self.alt = alt

    def _repr_mimebundle_(self, include=None, exclude=None):
        data = {"image/png": self.png, "text/plain": f"[figure] {self.alt}"}
        return data, {"image/png": {"alt": self.alt}}


def panels(columns: int = 1, width: float = 7.5, height: float = 3.4) -> tuple[Figure, list[Axes]]:
    """A figure with `columns` axes side by side, in the style of the course; inches."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams.update(
        FIGURE_STYLE
    )  # read when a title or a legend is made, so it cannot be a context
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, list(figure.subplots(1, columns, squeeze=False)[0])


def picture(figure: Figure, alt: str) -> Picture:
    """Render once, at notebook width."""
    from PIL import Image

    buffer, small = BytesIO(), BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    # a palette of 128 colours makes the file, and so the notebook, three times smaller
    Image.open(buffer).convert("RGB").quantize(128, dither=0).save(small, "PNG", optimize=True)
    return Picture(small.getvalue(), alt)
