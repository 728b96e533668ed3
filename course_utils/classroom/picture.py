"""Matplotlib figures as finished pictures, with no global plotting state."""

from io import BytesIO

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course_utils.classroom.palette import NEUTRAL

STYLE = {
    "font.size": 11,
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.edgecolor": NEUTRAL,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E3E5E8",
    "legend.frameon": False,
    "lines.linewidth": 2,
}


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
    with rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.subplots(1, columns, squeeze=False)[0]
    return figure, list(axes)


def picture(figure: Figure, alt: str) -> Picture:
    """Render once, at notebook width."""
    buffer = BytesIO()
    with rc_context(STYLE):
        figure.savefig(buffer, format="png", dpi=110)
    return Picture(buffer.getvalue(), alt)
