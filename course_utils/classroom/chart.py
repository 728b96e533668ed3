"""Small charts as SVG text, for widgets: drawn in under a millisecond or two.

A matplotlib figure takes 30 to 90 ms to make on a laptop, which is most of what
a slider may take to answer.  And an SVG inherits the text colour and the font of
the page around it, so it is readable in light and dark themes and has Chinese
characters wherever the page has them.

    chart = Chart("Half is shared", x=(0, 4), y=(0, 1), x_label="token", y_label="probability")
    chart.bar(1, 0.5, TARGET)
    chart.svg()     # for a widget
    chart.still()   # for a page
"""

from collections.abc import Sequence
from html import escape
from math import floor, log10

from course_utils.classroom import svg
from course_utils.classroom.style import FONTS
from course_utils.classroom.words import printable

WIDTH, HEIGHT = 760, 330
LEFT, RIGHT, TOP, BOTTOM = 66, 14, 42, 52


class Still:
    """A chart as a picture for a page, with the sentence that says what is on it."""

    def __init__(self, svg: str, alt: str):
        self.svg = printable(svg)
        self.alt = printable(alt)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"image/svg+xml": self.svg, "text/plain": f"[figure] {self.alt}"}


class Chart:
    """One pair of axes; everything is placed in the units of the data.

    `title` is the message of the chart, `alt` what a reader who cannot see it
    should know (default: the title).

    Raises:
        ValueError: an empty range of x or y.
    """

    def __init__(
        self,
        title: str,
        x: tuple[float, float],
        y: tuple[float, float],
        *,
        x_label: str = "",
        y_label: str = "",
        x_ticks: Sequence[tuple[float, str]] | None = None,
        y_ticks: Sequence[tuple[float, str]] | None = None,
        height: int = HEIGHT,
        alt: str = "",
    ):
        if not (x[0] < x[1] and y[0] < y[1]):
            raise ValueError(f"x is {x} and y is {y}; each must be (low, high) with low < high")
        self.alt = alt or title
        self._x, self._y, self.height = x, y, height
        self._parts = [svg.words(LEFT, 22, title, 17, more='font-weight="bold"')]
        self._axes(x_label, y_label, x_ticks or ticks(*x), y_ticks or ticks(*y))

    def bar(
        self,
        x: float,
        top: float,
        colour: str,
        *,
        base: float = 0.0,
        width: float = 0.8,
        dash: str = "",
        opacity: float = 1.0,
    ) -> None:
        """A bar centred at x from `base` to `top`; its outline has the text's colour."""
        left, right = self._at(x - width / 2), self._at(x + width / 2)
        low, high = self._up(min(base, top)), self._up(max(base, top))
        self._parts.append(
            f'<rect x="{left:.1f}" y="{high:.1f}" width="{right - left:.1f}" '
            f'height="{low - high:.1f}" fill="{colour}" fill-opacity="{opacity}" '
            f'stroke="currentColor"{svg.dashed(dash)}/>'
        )

    def line(
        self,
        points: Sequence[tuple[float, float]],
        colour: str,
        *,
        dash: str = "",
        width: float = 2.5,
        opacity: float = 1.0,
    ) -> None:
        """Straight from point to point."""
        path = " ".join(f"{self._at(x):.1f},{self._up(y):.1f}" for x, y in points)
        self._parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" '
            f'stroke-width="{width}" stroke-opacity="{opacity}"{svg.dashed(dash)}/>'
        )

    def level(self, y: float, label: str = "", colour: str = "currentColor") -> None:
        """A dashed level across the chart."""
        self.line([(self._x[0], y), (self._x[1], y)], colour, dash="5 4", width=1.2)
        if label:
            at = self._up(y) - 5
            self._parts.append(svg.words(WIDTH - RIGHT, at, label, 13, "end"))

    def mark(
        self, x: float, y: float, colour: str, shape: str = "disc", filled: bool = True
    ) -> None:
        """One of `svg.SHAPES`."""
        self._parts.append(svg.mark(self._at(x), self._up(y), shape, colour, filled))

    def text(self, x: float, y: float, text: str, anchor: str = "middle", lift: float = 0) -> None:
        """Words at a place, `lift` pixels above it."""
        self._parts.append(svg.words(self._at(x), self._up(y) - lift, text, anchor=anchor))

    def legend(self, entries: Sequence[tuple[str, str, str]]) -> None:
        """(words, colour, shape or dash) along the top right, in the order given."""
        at = WIDTH - RIGHT
        for words, colour, shape in reversed(entries):
            at -= 13.5 * svg.width_of(words)  # an estimate: so its error is between two entries
            self._parts.append(svg.words(at, 40, words))
            at -= 10
            if shape in svg.SHAPES:
                self._parts.append(svg.mark(at, 35, shape, colour))
            else:
                self._parts.append(
                    f'<line x1="{at - 18:.1f}" x2="{at + 5:.1f}" y1="35" y2="35" '
                    f'stroke="{colour}" stroke-width="3"{svg.dashed(shape)}/>'
                )
                at -= 12
            at -= 22

    def add(self, markup: str) -> None:
        """Anything else, as SVG in the units of the picture: WIDTH by `height`."""
        self._parts.append(markup)

    def svg(self) -> str:
        """Markup that takes its ink from the page around it."""
        return printable(
            f'<svg viewBox="0 0 {WIDTH} {self.height}" role="img" '
            f'aria-label="{escape(self.alt)}" xmlns="http://www.w3.org/2000/svg">'
            f"<g>{''.join(self._parts)}</g></svg>"
        )

    def still(self) -> Still:
        """The same on white paper."""
        return pile([self])

    def _at(self, x: float) -> float:
        low, high = self._x
        return LEFT + (x - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def _up(self, y: float) -> float:
        low, high = self._y
        inside = min(max(y, low), high)  # what leaves the chart stops at its edge
        return self.height - BOTTOM - (inside - low) / (high - low) * (self.height - TOP - BOTTOM)

    def _axes(self, x_label: str, y_label: str, x_ticks: Sequence, y_ticks: Sequence) -> None:
        floor_y, low = self.height - BOTTOM, self._x[0]
        for y, label in y_ticks:
            self.line([(low, y), (self._x[1], y)], "currentColor", width=1, opacity=0.15)
            self._parts.append(svg.words(LEFT - 8, self._up(y) + 5, label, 14, "end"))
        for x, label in x_ticks:
            self._parts.append(svg.words(self._at(x), floor_y + 19, label, 14, "middle"))
        self._parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{floor_y}" y2="{floor_y}" '
            'stroke="currentColor"/>'
        )
        middle = (LEFT + WIDTH - RIGHT) / 2
        self._parts.append(svg.words(middle, self.height - 10, x_label, 14.5, "middle"))
        height = (TOP + floor_y) / 2
        turned = f'transform="rotate(-90 16 {height:.1f})"'
        self._parts.append(svg.words(16, height, y_label, 14.5, "middle", turned))


def pile(charts: Sequence[Chart]) -> Still:
    """Charts below one another, as one picture on white paper."""
    paper = (
        "<style>svg {color:#212121;background:#fff} "
        f"text {{fill:#212121;font-family:{FONTS}}}</style>"
    )
    height, parts = 0, []
    for chart in charts:
        place = f'<svg y="{height}" width="{WIDTH}" height="{chart.height}" '
        parts.append(chart.svg().replace("<svg ", place, 1))
        height += chart.height
    alt = " ".join(chart.alt for chart in charts)
    return Still(
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(alt)}" '
        f'xmlns="http://www.w3.org/2000/svg">{paper}{"".join(parts)}</svg>',
        alt,
    )


def ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Round numbers from low to high, at most six: (0, 1) -> 0, 0.2, ... 1."""
    rough = (high - low) / 5
    power = 10.0 ** floor(log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)
    first = floor(low / step + 0.999)
    places = range(first, floor(high / step + 1.001))
    return [(place * step, f"{place * step:.10g}") for place in places]
