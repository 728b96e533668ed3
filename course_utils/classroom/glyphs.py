"""Every text of a figure as it is: no empty boxes, and no mathematics of dollar signs.

Matplotlib's own font has no Chinese.  Where the system has one of `CJK_FILES`, that is used for
what is lacking; where it has none, a character is written as its number, U+4EBA,
which can at least be looked up.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from course_utils.classroom.words import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BASE = "DejaVu Sans"  # comes with matplotlib
_NUMBER = re.compile(r"\$\\mathdefault\{.*\}\$")  # matplotlib's own: 10 to some power, on an axis
_DOLLAR = re.compile(r"(?<!\\)\$")
# beginnings of file names, the best first: Linux, macOS, Windows
CJK_FILES = ("NotoSansCJK-Regular", "NotoSansSC", "SourceHanSans", "wqy-microhei", "wqy-zenhei")
CJK_FILES += ("PingFang", "Hiragino Sans GB", "STHeiti", "Arial Unicode", "msyh", "simhei")


def spell_out(figure: Figure, files: tuple[str, ...] = CJK_FILES) -> None:
    """Make every text of a figure drawable, those of its ticks included."""
    from matplotlib.text import Text

    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        labels = [text.get_text() for text in axis.get_majorticklabels()]
        written = [_written(label, files) for label in labels]
        if written != labels:
            # the ticks' texts are made again whenever the figure is drawn
            axis.set_ticks(axis.get_majorticklocs(), labels=written)
        if any(map(_lacking, labels)):
            for text in axis.get_majorticklabels():
                text.set(fontfamily=families(files))
    for text in figure.findobj(Text):
        if _lacking(text.get_text()):
            # a bold Chinese font is seldom there, and matplotlib complains on stderr
            text.set(fontfamily=families(files), fontweight="normal")
        text.set_text(_written(text.get_text(), files))


def _written(text: str, files: tuple[str, ...]) -> str:
    """`text` as matplotlib has to be given it; a $ is a dollar, since a label may be any token."""
    said = drawable(text, families(files)) if _lacking(text) else text
    return said if _NUMBER.fullmatch(said) else _DOLLAR.sub(r"\\$", said)


def drawable(text: str, names: list[str]) -> str:
    """`text`, and every character that none of the fonts has as its number.

    >>> drawable("人", [BASE])
    'U+4EBA'
    """
    from matplotlib import font_manager

    fonts = [font_manager.get_font(font_manager.findfont(name)) for name in names]
    return "".join(
        c if c.isspace() or any(_has(font, c) for font in fonts) else f"U+{ord(c):04X}"
        for c in printable(text).expandtabs(4)
    )


@cache
def families(files: tuple[str, ...] = CJK_FILES) -> list[str]:
    """Names of the fonts to draw Chinese with; scans the system's fonts, once."""
    from matplotlib import font_manager

    found = sorted((rank, str(path)) for path in _fonts() if (rank := _rank(path, files)) < 99)
    for _, path in found:
        if _has(font_manager.get_font(path), "人"):
            font_manager.fontManager.addfont(path)
            return [BASE, font_manager.FontProperties(fname=path).get_name()]
    return [BASE]


def _fonts() -> list[Path]:
    from matplotlib import font_manager

    return [Path(path) for path in font_manager.findSystemFonts()]


def _rank(path: Path, files: tuple[str, ...]) -> int:
    name = path.name.lower()
    return next((i for i, start in enumerate(files) if name.startswith(start.lower())), 99)


def _lacking(text: str) -> bool:
    return drawable(text, [BASE]) != text


def _has(font, character: str) -> bool:
    return bool(font.get_char_index(ord(character)))
