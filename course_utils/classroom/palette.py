"""One palette for the whole course: a colour has one meaning, and is never the only mark.

The colours are those of Okabe & Ito (2008), adjusted to a contrast of 3:1 on white and on
JupyterLab's dark background, and to be distinct for protan, deutan and tritan readers.  In a
figure each role also has a marker, a dash and a hatch, in text a tag, so that nothing is lost
in grey.  Figures are on white; scenes also have a dark version (`stage/lib/stage.css`).

Green and vermilion mean the same for a drafted token, a student's answer and a decoder under
test: it passed its check, or it did not.  Whatever has no role (one curve of several, a dtype,
a text) is drawn in greys, `series`; a measurement in ink.
"""

from typing import NamedTuple

DRAFT = "#CE8400"  # orange
TARGET = "#0065A2"  # blue
ACCEPTED = "#379768"  # green
REJECTED = "#C74800"  # vermilion
CORRECTION = "#BA82AB"  # purple
BONUS = "#009AEE"  # sky blue
NEUTRAL = "#616265"  # grey, for axes, limits and the host
INK = "#202124"  # text and what was measured, on white
LIGHTEST = "#8D9299"  # the lightest grey that is a mark on white
PALE = "#D9DBDE"  # areas that only fill, on white
TINT = "55"  # after a colour: at a third of its strength, a ground for text


class Look(NamedTuple):
    """How one role is drawn; each method returns keywords for matplotlib."""

    colour: str
    marker: str
    dash: tuple[float, ...]  # on, off, on, ...; () is an unbroken line
    hatch: str = ""

    def curve(self) -> dict[str, object]:
        return {"color": self.colour, "linestyle": (0, self.dash) if self.dash else "-"}

    def line(self) -> dict[str, object]:
        """A curve with its marker at each point."""
        return {**self.curve(), "marker": self.marker}

    def points(self) -> dict[str, object]:
        return {"color": self.colour, "linestyle": "none", "marker": self.marker}

    def bars(self) -> dict[str, object]:
        return {"color": self.colour, "hatch": self.hatch, "edgecolor": "white"}


ROLES = {
    "draft": Look(DRAFT, "v", (1, 1.5), "//"),
    "target": Look(TARGET, "s", ()),
    "accepted": Look(ACCEPTED, "o", (8, 1.5)),
    "rejected": Look(REJECTED, "X", (4, 1.5), "xx"),
    "correction": Look(CORRECTION, "^", (5, 1.5, 1, 1.5), "\\\\"),
    "bonus": Look(BONUS, "D", (3, 1.5, 1, 1.5, 1, 1.5), ".."),
    "neutral": Look(NEUTRAL, "|", (1, 3), "||"),
}
MEASURED = Look(INK, "o", ())


def series(n: int) -> list[Look]:
    """Return up to six greys, from ink to the lightest visible on white, each with its marker."""
    marks = ("o", "D", "^", "v", "P", "s")
    dashes = ((), (5, 2), (1, 1), (6, 1.5, 1, 1.5), (2, 2), (9, 2))
    steps = [i / max(n - 1, 2) for i in range(n)]
    looks = zip(steps, marks, dashes, strict=False)
    return [Look(mix(INK, LIGHTEST, step), mark, dash) for step, mark, dash in looks]


def mix(colour: str, other: str, share: float) -> str:
    """Return `colour` with a share of `other` mixed in, in sRGB.

    >>> mix("#000000", "#FFFFFF", 0.2)
    '#333333'
    """
    ends = [[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in (colour, other)]
    mixed = (round(a + share * (b - a)) for a, b in zip(*ends, strict=True))
    return "#" + "".join(f"{channel:02X}" for channel in mixed)


class Kind(NamedTuple):
    """How a token of the text is marked, also without colour or style."""

    colour: str
    meaning: str
    ansi: str  # in a terminal
    tags: tuple[str, ...] = ()  # of HTML
    style: str = ""  # of CSS


KINDS_OF_TOKENS = {
    "accepted": Kind(ACCEPTED, "drafted and accepted", "\033[32m"),
    "correction": Kind(
        CORRECTION, "correction, after a rejection", "\033[1;4;35m", ("b", "ins"),
        "font-weight:bold;text-decoration:underline;",
    ),
    "bonus": Kind(
        BONUS, "bonus, after a fully accepted draft", "\033[1;36m", ("b",),
        "font-weight:bold;border-bottom:2px dotted;",
    ),
    "target": Kind(
        TARGET, "written by the target alone", "\033[34m", ("i",), "font-style:italic;"
    ),
    "rejected": Kind(
        REJECTED, "drafted and rejected", "\033[9;31m", ("s",), "text-decoration:line-through;"
    ),
    "draft": Kind(
        DRAFT, "drafted, not yet examined", "\033[4;33m", ("ins",), "text-decoration:underline;"
    ),
}  # fmt: skip
KINDS = {name: kind.colour for name, kind in KINDS_OF_TOKENS.items()}
MEANINGS = {name: kind.meaning for name, kind in KINDS_OF_TOKENS.items()}

WIDTH = 7.5  # inches of a figure that fills a notebook, 750 pixels: no text below 10 points

# The style of every figure; the colours with a meaning are above.
FIGURE_STYLE = {
    "font.family": "DejaVu Sans",  # `picture` adds Chinese where it is needed
    "font.size": 11,
    "figure.titlesize": 12.5,
    "figure.titleweight": "bold",
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E3E5E8",
    "hatch.linewidth": 1.2,
    "legend.framealpha": 0.85,
    "lines.linewidth": 2,
    "lines.markersize": 6.5,
    # a card of its own in the dark theme, too
    **dict.fromkeys(
        ["figure.facecolor", "axes.facecolor", "legend.facecolor", "legend.edgecolor"], "white"
    ),
    **dict.fromkeys(["xtick.labelsize", "ytick.labelsize", "legend.fontsize"], 10),
    **dict.fromkeys(["text.color", "axes.labelcolor", "xtick.labelcolor", "ytick.labelcolor"], INK),
    **dict.fromkeys(["axes.edgecolor", "xtick.color", "ytick.color"], NEUTRAL),
}

# 1.15 times the theme's text, which is larger in Presentation Mode.
SIZE = "calc(1.15 * var(--jp-content-font-size1, 14px))"
