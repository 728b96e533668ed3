"""Words and marks as SVG text, for whatever is drawn in a widget; units are pixels."""

from html import escape

_SHAPES = {
    "disc": '<circle cx="{x:.1f}" cy="{y:.1f}" r="6"{ink}/>',
    "square": '<rect x="{l:.1f}" y="{t:.1f}" width="11" height="11"{ink}/>',
    "diamond": '<path d="M{x:.1f} {t2:.1f}l8 8l-8 8l-8 -8z"{ink}/>',
    "star": '<text x="{x:.1f}" y="{y:.1f}" dy=".36em" text-anchor="middle" font-size="26"'
    ' style="fill:{colour}">★</text>',
}
SHAPES = tuple(_SHAPES)


def words(
    x: float, y: float, text: str, size: float = 13.5, anchor: str = "start", more: str = ""
) -> str:
    """One line of text on the baseline y; `anchor` is start, middle or end.

    >>> words(1, 2, "a < b")
    '<text x="1.0" y="2.0" font-size="13.5" text-anchor="start">a &lt; b</text>'
    """
    ink = f'font-size="{size}" text-anchor="{anchor}"{more and " "}{more}'
    return f'<text x="{x:.1f}" y="{y:.1f}" {ink}>{escape(text)}</text>'


def mark(x: float, y: float, shape: str, colour: str, filled: bool = True) -> str:
    """One of `SHAPES`, centred at (x, y); its outline has the text's colour if it is filled."""
    fill, stroke = (colour, "currentColor") if filled else ("none", colour)
    return _SHAPES[shape].format(
        x=x, y=y, l=x - 5.5, t=y - 5.5, t2=y - 8, colour=colour,
        ink=f' fill="{fill}" stroke="{stroke}" stroke-width="1.5"',
    )  # fmt: skip


def dashed(dash: str) -> str:
    """The attribute for a dash such as "5 4"; "" is an unbroken line."""
    return f' stroke-dasharray="{dash}"' if dash else ""


def width_of(text: str) -> float:
    """About how wide a text is, in units of its size; a Chinese character is square."""
    return sum(1.0 if ord(letter) > 0x2E7F else 0.58 for letter in text)
