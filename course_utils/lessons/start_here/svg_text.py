"""Generated text inside a picture: lines of equal characters on coloured ground.

SVG has no line breaks and no ground behind letters.  So each stretch of one kind
is placed by its column and stretched to its width, whatever font the page has; a
Chinese character takes two columns.
"""

from collections.abc import Sequence
from html import escape
from unicodedata import east_asian_width

from course_utils.classroom.palette import KINDS, MARKS

Pieces = Sequence[tuple[str, str]]  # (text, kind)
COLUMNS = 86
COLUMN, LINE, SIZE = 7.9, 19, 13  # width of a column, height of a line, size of the letters


def lines_of(text: Pieces) -> list[list[tuple[int, int, str, str]]]:
    """Stretches (column, width, letters, kind), by line.

    >>> lines_of([("a", "accepted"), ("工\\n", "accepted"), ("b", "bonus")])
    [[(0, 3, 'a工', 'accepted')], [(0, 1, 'b', 'bonus')]]
    """
    lines, column = [[]], 0
    for letter, kind in ((letter, kind) for words, kind in text for letter in _plain(words)):
        wide = 2 if east_asian_width(letter) in "WF" else 1
        if letter == "\n" or column + wide > COLUMNS:
            lines.append([])
            column = 0
        if letter == "\n":
            continue
        if lines[-1] and lines[-1][-1][3] == kind:
            begin, width, letters, _ = lines[-1].pop()
            lines[-1].append((begin, width + wide, letters + letter, kind))
        else:
            lines[-1].append((column, wide, letter, kind))
        column += wide
    return lines


def text_svg(text: Pieces, left: float, top: float, lines: int) -> str:
    """The last `lines` lines of the text as SVG, its corner at (left, top)."""
    return "".join(
        _stretch(left + COLUMN * column, top + LINE * i, width, letters, kind)
        for i, line in enumerate(lines_of(text)[-lines:])
        for column, width, letters, kind in line
    )


def kinds_legend(kinds: Sequence[str], right: float, top: float) -> str:
    """The kinds' names as they look in the text, ending at `right`."""
    drawn, at = [], right
    for kind in reversed(kinds):
        at -= COLUMN * len(kind)
        drawn.append(_stretch(at, top, len(kind), kind, kind))
        at -= 2 * COLUMN
    return "".join(drawn)


def _stretch(x: float, y: float, width: int, letters: str, kind: str) -> str:
    size = f'width="{COLUMN * width:.1f}" height="{LINE - 2}" fill="{KINDS[kind]}"'
    ground = f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill-opacity=".33"/>'
    if kind == "bonus":  # CSS draws no border here
        ground += f'<path d="M{x:.1f} {y + LINE - 2.5:.1f}h{COLUMN * width:.1f}" {_DOTS}/>'
    if letters.isspace():
        return ground
    style = f"font-family:monospace;{MARKS[kind]}"
    return (
        f'{ground}<text x="{x:.1f}" y="{y + 13:.1f}" font-size="{SIZE}" style="{style}" '
        f'textLength="{COLUMN * width:.1f}" lengthAdjust="spacingAndGlyphs">'
        f"{escape(letters)}</text>"
    )


_DOTS = 'stroke="currentColor" stroke-width="1.6" stroke-dasharray="2 2"'


def _plain(words: str) -> str:
    """What XML may hold; blanks that do not collapse."""
    return "".join(map(_letter, words.replace("\t", "    ")))


def _letter(letter: str) -> str:
    if letter != "\n" and letter.isspace():
        return "\u00a0"
    return letter if letter == "\n" or letter.isprintable() else "\ufffd"
