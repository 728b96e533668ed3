"""One look: the matplotlib style of every figure, the size of running text.

The look of scenes is `stage/lib/stage.css`.  The colours that carry a
meaning are `palette`'s.
"""

from course_utils.classroom.palette import INK, NEUTRAL

WIDTH = 7.5  # inches of a figure that fills a notebook, 750 pixels: no text below 10 points

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
