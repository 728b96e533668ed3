"""One look: the matplotlib style of every figure, the CSS of every widget.

Widgets take their colours for text and ground from the theme they stand in, so
they are readable in JupyterLab's light and dark themes, and their size from the
theme's text, so they grow in Presentation Mode.  The colours that carry a
meaning are `palette`'s.
"""

from course_utils.classroom.palette import INK, NEUTRAL

WIDTH = 7.5  # inches of a figure that fills a notebook, 750 pixels: no text below 10 points

FIGURE_STYLE = {
    "font.family": "DejaVu Sans",  # `glyphs` adds Chinese where it is needed
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

# Fonts that have Chinese characters on the usual systems, after the theme's own.
FONTS = (
    'var(--jp-ui-font-family, system-ui), "Noto Sans CJK SC", "PingFang SC", '
    '"Microsoft YaHei", sans-serif'
)
# 1.15 times the theme's text, which is larger in Presentation Mode.
SIZE = "calc(1.15 * var(--jp-content-font-size1, 14px))"

WIDGET_CSS = f"""
.course-card {{
  --jp-widgets-font-size: {SIZE};
  --jp-widgets-inline-height: 2.2em;
  --jp-widgets-inline-label-width: 11em;
  --jp-widgets-inline-width: 26em;
  font-family: {FONTS};
  font-size: {SIZE};
  color: var(--jp-ui-font-color1, #212121);
  border: 1px solid var(--jp-border-color2, #d0d0d0);
  border-radius: 8px;
  padding: .7em 1em;
  max-width: 68em;
  overflow: visible;
}}
.course-card .widget-html-content, .course-card .jupyter-button {{ font-size: {SIZE}; }}
.course-card .widget-html-content {{ line-height: 1.6; }}
.course-card .jupyter-button {{ height: 2.1em; line-height: 2.1em; border-radius: 6px; }}
.course-card button:focus-visible {{ outline: 3px solid var(--jp-brand-color1, #1976d2); }}
.course-card table {{ border-collapse: collapse; font-size: 1em; color: inherit; margin: .3em 0; }}
.course-card td, .course-card th {{ padding: .15em .8em; text-align: right; }}
.course-card svg {{ width: 100%; height: auto; display: block; }}
.course-card svg text {{ fill: currentColor; font-family: {FONTS}; }}
"""
