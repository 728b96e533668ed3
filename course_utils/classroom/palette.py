"""One palette for the whole course: a colour has one meaning, and never stands alone.

The colours are those of Okabe & Ito (2008), moved until they were marks of 3:1 on
white and on JupyterLab's dark ground and apart for protan, deutan and tritan
readers.  In a figure each role also
has its marker, dash and hatch, in text its tag, so that nothing is lost in grey.
The look of scenes is `stage/lib/stage.css`.
Figures stand on white; scenes have `DARK` for a dark ground, `stage/lib/stage.css` both.

Green and vermilion say the same of a drafted token, a student's answer and a
decoder on trial: it passed its check, or it did not.  What is no role (one curve of
several, a dtype, a text) is drawn in greys, `series`; a measurement in ink.
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
    """How one role is drawn; each method gives keywords for matplotlib."""

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

# The roles on a dark ground: lighter, and so far apart there.
DARK = {
    "draft": "#F5AA3D",
    "target": "#4B8AD2",
    "accepted": "#4ABA80",
    "rejected": "#F26936",
    "correction": "#D09BD1",
    "bonus": "#8FE3FF",
    "neutral": "#A0A5A7",
}


def series(n: int) -> list[Look]:
    """Up to six greys from ink to the lightest that shows on white, each its own mark."""
    marks = ("o", "D", "^", "v", "P", "s")
    dashes = ((), (5, 2), (1, 1), (6, 1.5, 1, 1.5), (2, 2), (9, 2))
    steps = [i / max(n - 1, 2) for i in range(n)]
    looks = zip(steps, marks, dashes, strict=False)
    return [Look(mix(INK, LIGHTEST, step), mark, dash) for step, mark, dash in looks]


def mix(colour: str, other: str, share: float) -> str:
    """`colour` with a share of `other` in it, as screens mix them.

    >>> mix("#000000", "#FFFFFF", 0.2)
    '#333333'
    """
    ends = [[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in (colour, other)]
    mixed = (round(a + share * (b - a)) for a, b in zip(*ends, strict=True))
    return "#" + "".join(f"{channel:02X}" for channel in mixed)


# The kinds a token of the text can be of.
KINDS = {
    "accepted": ACCEPTED,
    "correction": CORRECTION,
    "bonus": BONUS,
    "target": TARGET,
    "rejected": REJECTED,
    "draft": DRAFT,
}

# What tells the kinds apart where colour is lost (greyscale print, GitHub, a
# notebook that is not trusted yet): CSS, and tags for where CSS is lost, too.
MARKS = {
    "accepted": "",
    "correction": "font-weight:bold;text-decoration:underline;",
    "bonus": "font-weight:bold;border-bottom:2px dotted;",
    "target": "font-style:italic;",
    "rejected": "text-decoration:line-through;",
    "draft": "text-decoration:underline;",
}
TAGS = {
    "accepted": (),
    "correction": ("b", "ins"),
    "bonus": ("b",),
    "target": ("i",),
    "rejected": ("s",),
    "draft": ("ins",),
}

ANSI = {
    "accepted": "\033[32m",
    "correction": "\033[1;4;35m",
    "bonus": "\033[1;36m",
    "target": "\033[34m",
    "rejected": "\033[9;31m",
    "draft": "\033[4;33m",
}
ANSI_END = "\033[0m"

MEANINGS = {
    "accepted": "drafted and accepted",
    "correction": "correction, after a rejection",
    "bonus": "bonus, after a fully accepted draft",
    "target": "said by the target alone",
    "rejected": "drafted and rejected",
    "draft": "drafted, not yet examined",
}


WIDTH = 7.5  # inches of a figure that fills a notebook, 750 pixels: no text below 10 points

# The look of every figure; the colours that carry a meaning stand above.
FIGURE_STYLE = {
    "font.family": "DejaVu Sans",  # `picture` adds Chinese where it is needed
    "font.size": 11,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "legend.fontsize": 10,
    "figure.titlesize": 12.5,
    "figure.titleweight": "bold",
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.edgecolor": NEUTRAL,
    "xtick.color": NEUTRAL,
    "ytick.color": NEUTRAL,
    "figure.facecolor": "white",  # a card of its own in the dark theme, too
    "axes.facecolor": "white",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E3E5E8",
    "hatch.linewidth": 1.2,
    "legend.facecolor": "white",
    "legend.edgecolor": "white",
    "legend.framealpha": 0.85,
    "lines.linewidth": 2,
    "lines.markersize": 6.5,
}

# 1.15 times the theme's text, which is larger in Presentation Mode.
SIZE = "calc(1.15 * var(--jp-content-font-size1, 14px))"
