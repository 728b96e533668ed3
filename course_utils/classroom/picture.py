"""Matplotlib figures as finished pictures: one style, no pyplot, no open figures.

Text is drawn literally; a dollar sign starts no formula.  Matplotlib's own font has no Chinese:
if the system has a font of `CHINESE`, that is used, otherwise a character is written as its code
point, U+4EBA.  (A list of families as `font.family` fills stderr with warnings.)  The first
figure imports Matplotlib, because the import takes longer than a whole toy lesson.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.palette import FIGURE_STYLE, ROLES, WIDTH, Look, series
from course_utils.classroom.words import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BASE = "DejaVu Sans"  # shipped with matplotlib
_NUMBER = re.compile(r"\$\\mathdefault\{.*\}\$")  # matplotlib's own powers of 10 on an axis
_DOLLAR = re.compile(r"(?<!\\)\$")
# in order of preference: Linux, macOS, Windows
CHINESE = ("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "WenQuanYi Micro Hei")
CHINESE += ("PingFang SC", "Hiragino Sans GB", "Arial Unicode MS", "Microsoft YaHei", "SimHei")


def spell_out(figure: Figure, names: tuple[str, ...] = CHINESE) -> None:
    """Make every text of a figure drawable, including its tick labels."""
    from matplotlib.text import Text

    fonts = families(names)

    def escaped(text: str) -> str:
        text = drawable(text, fonts)  # a $ is a dollar, since a label may be any token
        return text if _NUMBER.fullmatch(text) else _DOLLAR.sub(r"\\$", text)

    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        labels = [text.get_text() for text in axis.get_majorticklabels()]
        drawn = [escaped(label) for label in labels]
        if drawn != labels:  # matplotlib recreates tick labels on every draw
            axis.set_ticks(axis.get_majorticklocs(), labels=drawn)
    for text in figure.findobj(Text):
        if drawable(text.get_text(), [BASE]) != text.get_text():
            # bold Chinese fonts are rare, and matplotlib would warn on stderr
            text.set(fontfamily=fonts, fontweight="normal")
        text.set_text(escaped(text.get_text()))


def drawable(text: str, names: list[str]) -> str:
    """Return `text` with the code point of every character that no font has.

    >>> drawable("人", [BASE])
    'U+4EBA'
    """
    from matplotlib import font_manager

    fonts = [font_manager.get_font(font_manager.findfont(name)) for name in names]

    def drawn(c: str) -> str:
        known = c.isspace() or any(font.get_char_index(ord(c)) for font in fonts)
        return c if known else f"U+{ord(c):04X}"

    return "".join(map(drawn, printable(text).expandtabs(4)))


@cache
def families(names: tuple[str, ...] = CHINESE) -> list[str]:
    """Return Matplotlib's own font and the first of `names` that this system has."""
    from matplotlib import font_manager

    here = font_manager.get_font_names()
    return [BASE, *(name for name in names if name in here)][:2]


class Picture:
    """A PNG and a sentence that describes it for readers who cannot see it."""

    def __init__(self, png: bytes, alt: str):
        self.png = png
        self.alt = printable(alt)

    def _repr_mimebundle_(self, include=None, exclude=None):
        data = {"image/png": self.png, "text/plain": f"[figure] {self.alt}"}
        return data, {"image/png": {"alt": self.alt}}


def panels(columns: int = 1, height: float = 3.4) -> tuple[Figure, list[Axes]]:
    """Return a figure with `columns` axes in the course's style; `height` is in inches."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    # titles and legends read it later, so it cannot be a context
    rcParams.update(FIGURE_STYLE)
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, list(figure.subplots(1, columns, squeeze=False)[0])


def curves(
    axes: Axes, x: Sequence[float], lines: Mapping[str, Sequence[float]], xlabel: str, ylabel: str,
    looks: Sequence[Look] | None = None, **limits: object,
) -> None:  # fmt: skip
    """Draw a curve for each of `lines`, {label: values}; y starts at 0 unless `limits` differ."""
    for (label, values), look in zip(lines.items(), looks or series(len(lines)), strict=True):
        axes.plot(x, values, label=label, **look.curve())
    axes.set(xlabel=xlabel, ylabel=ylabel, **{"ylim": (0, None)} | limits)


def bars(
    axes: Axes, names: Sequence[str], rows: Mapping[str, tuple[Sequence[float], str]],
    values: str | Callable[[float], str] = "", stacked: bool = False,
) -> None:  # fmt: skip
    """Draw {label: (row, role)} over `names`, next to each other or stacked.

    Args:
        values: the format of the number above each bar; "": no numbers.
    """
    width, below = (0.74 if stacked else 0.8 / len(rows)), np.zeros(len(names))
    for i, (label, (row, role)) in enumerate(rows.items()):
        places = np.arange(len(names)) + (0 if stacked else (i - (len(rows) - 1) / 2) * width)
        drawn = axes.bar(places, row, 0.95 * width, below, label=label, **ROLES[role].bars())
        below = below + row if stacked else below
        if values:
            axes.bar_label(drawn, fmt=values)
    axes.set_xticks(range(len(names)), names)
    axes.grid(visible=False, axis="x")


def outline(axes: Axes, row: Sequence[float], role: str, label: str) -> None:
    """Draw a distribution as empty boxes, a draft's wider, so that both show where they agree."""
    look, width = ROLES[role], 0.92 if role == "draft" else 0.8
    edge = {"edgecolor": look.colour, "linestyle": look.curve()["linestyle"], "lw": 2}
    axes.bar(range(len(row)), row, width, fill=False, label=label, **edge)


def finished(figure: Figure, message: str, columns: int = 0, alt: str = "") -> Picture:
    """Title and render a figure.

    Args:
        columns: of a legend below all axes; 0: no legend.
        alt: what follows the message in its alt text; "": the ends of its lines.
    """
    entitle(figure, message)
    if columns:
        legend_below(figure, columns)
    ends = {
        line.get_label(): f"{line.get_label()} from {y[0]:.3g} to {y[-1]:.3g}"
        for axes in figure.axes
        for line in axes.get_lines()
        if not line.get_label().startswith("_") and len(y := list(line.get_ydata())) > 1
    }
    return picture(figure, f"{message}. {alt or '; '.join(ends.values())}")


def entitle(figure: Figure, message: str) -> None:
    """Set the figure's message as its title, above all axes."""
    figure.suptitle(message, x=0.008, ha="left")


def legend_below(figure: Figure, columns: int, **how: float) -> None:
    """Add one legend below all axes, with each label once."""
    handles = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    figure.legend(handles.values(), handles, loc="outside lower center", ncols=columns, **how)


def picture(figure: Figure, alt: str) -> Picture:
    """Render the figure once, at notebook width."""
    from PIL import Image

    spell_out(figure)
    buffer, small = BytesIO(), BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    # a palette of 128 colours makes the file three times smaller
    Image.open(buffer).convert("RGB").quantize(128, dither=0).save(small, "PNG", optimize=True)
    return Picture(small.getvalue(), alt)
