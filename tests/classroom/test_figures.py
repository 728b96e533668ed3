"""Every figure: one message, readable text, the course's looks, no empty boxes."""

import itertools
import warnings
from importlib import import_module
from io import BytesIO
from pkgutil import iter_modules, walk_packages

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text
from PIL import Image

from course_utils import lessons
from course_utils.classroom import palette
from course_utils.classroom.palette import ROLES, WIDTH
from course_utils.classroom.picture import CHINESE as FONTS
from course_utils.classroom.picture import Picture, families, panels, picture, spell_out
from course_utils.lessons.acceptance_rule.figures import overlap_and_residual
from course_utils.lessons.character_simulator.figures import overlap_bars

# each room's own, under the name of the function that draws it, and after a comma what of it
PICTURES = {
    name: make
    for lesson in iter_modules(lessons.__path__, "tests.lessons.")
    for name, make in import_module(f"{lesson.name}.pictures").PICTURES.items()
}
SMALLEST = 10  # points, where the figure is as wide as a notebook


def drawn(make) -> tuple[Figure, list[Text], bytes, list[str]]:
    """The figure that `make` draws, the texts that can be seen, its PNG and any warnings."""
    figures, texts = [], []
    save, draw = Figure.savefig, Text.draw

    def saved(figure, *args, **kwargs):
        figures.append(figure)
        save(figure, *args, **kwargs)

    def written(text, renderer, *args, **kwargs):
        if text.get_visible() and text.get_text().strip():
            texts.append(text)
        draw(text, renderer, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patched, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        patched.setattr(Figure, "savefig", saved)
        made = make()
        (figure,) = figures
        patched.setattr(Text, "draw", written)
        FigureCanvasAgg(figure).draw()  # at 100 dots an inch, as wide as a notebook
    return figure, list(dict.fromkeys(texts)), made.png, [str(w.message) for w in said]


def boxes(figure: Figure, texts: list[Text]) -> dict[Text, object]:
    renderer = figure.canvas.get_renderer()
    return {text: text.get_window_extent(renderer) for text in texts}


def outside(figure: Figure, texts: list[Text]) -> list[str]:
    width, height = figure.canvas.get_width_height()
    return [
        text.get_text()
        for text, box in boxes(figure, texts).items()
        if box.x0 < -1 or box.y0 < -1 or box.x1 > width + 1 or box.y1 > height + 1
    ]


def overlapping(figure: Figure, texts: list[Text]) -> list[tuple[str, str]]:
    """Pairs of upright texts whose boxes share more than a pixel."""
    upright = {t: box for t, box in boxes(figure, texts).items() if t.get_rotation() % 90 == 0}
    return [
        (a.get_text(), b.get_text())
        for (a, x), (b, y) in itertools.combinations(upright.items(), 2)
        if min(x.x1, y.x1) - max(x.x0, y.x0) > 1 and min(x.y1, y.y1) - max(x.y0, y.y0) > 1
    ]


def hidden(figure: Figure) -> list[str]:
    """Lines that pass under a legend inside their axes."""
    found = []
    for axes in (axes for axes in figure.axes if axes.get_legend()):
        box = axes.get_legend().get_window_extent(figure.canvas.get_renderer())
        for line in axes.lines:
            points = line.get_transform().transform(line.get_xydata())
            if line.get_linestyle() != "None" and len(points) > 1:
                steps = np.linspace(0, len(points) - 1, 50 * len(points))
                points = [np.interp(steps, np.arange(len(points)), column) for column in points.T]
                points = np.transpose(points)
            if any(box.contains(*point) for point in points):
                found.append(line.get_label())
    return found


def role_of(colour: object) -> str | None:
    """The role whose colour, or tint on white, this is; None for a grey.

    Raises:
        AssertionError: a colour that means nothing in this course.
    """
    rgb = np.array(to_rgb(colour))
    if np.ptp(rgb) < 0.06:
        return None
    for name, look in ROLES.items():
        away, whole = 1 - rgb, 1 - np.array(to_rgb(look.colour))
        strength = away @ whole / (whole @ whole)
        if np.abs(away - strength * whole).max() < 0.01 and strength < 1.01:
            return name
    raise AssertionError(f"{to_hex(colour)} is the colour of no role")


def misused(figure: Figure) -> list[str]:
    """Lines and areas in the colour of a role, but not with its marker, dash or hatch."""
    found = []
    for line in (line for axes in figure.axes for line in axes.lines):
        role = role_of(colour_of(line))
        if role is None:
            continue
        if line.get_marker() not in (ROLES[role].marker, "None"):
            found.append(f"{role}: marker {line.get_marker()}")
        dash = tuple(line._unscaled_dash_pattern[1] or ())
        # thin lines connect or underline, they are no series
        if line.get_linestyle() != "None" and line.get_linewidth() > 1 and dash != ROLES[role].dash:
            found.append(f"{role}: dash {dash}")
    for patch in figure.findobj(Patch):
        role = role_of(patch.get_facecolor()) if patch.get_fill() else None
        full = role and to_hex(patch.get_facecolor(), True) == ROLES[role].colour.lower() + "ff"
        if full and (patch.get_hatch() or "") != ROLES[role].hatch:
            found.append(f"{role}: hatch {patch.get_hatch()!r}")
    return found


def colour_of(line: Line2D) -> object:
    """That of its stroke, or where it has none of its markers."""
    if line.get_linestyle() != "None":
        return line.get_color()
    inside, edge = line.get_markerfacecolor(), line.get_markeredgecolor()
    return edge if line.get_marker() in ("|", "_") or to_hex(inside) == "#ffffff" else inside


def unnamed(figure: Figure) -> list[str]:
    """Axes with numbers and no word for them; panels may share the left one's."""
    found, named = [], False
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            ticks = [text for text in axis.get_ticklabels() if text.get_visible()]
            ticks = [text.get_text() for text in ticks if text.get_text()]
            label = bool(axis.get_label_text())
            named |= label and axis is axes.yaxis
            numbers = ticks and not any(text.strip("−0123456789. ") for text in ticks)
            if numbers and not (label or (axis is axes.yaxis and named)):
                found.append(f"{axis.axis_name} of {axes.get_title(loc='left')!r}")
    return found


def small(figure: Figure, texts: list[Text]) -> list[str]:
    """Texts below `SMALLEST` points where the figure is no wider than a notebook."""
    shrunk = min(1, WIDTH / figure.get_figwidth())
    return [text.get_text() for text in texts if text.get_fontsize() * shrunk < SMALLEST]


def faults(figure: Figure, texts: list[Text], png: bytes, said: list[str]) -> dict[str, object]:
    with Image.open(BytesIO(png)) as image:
        corner = image.convert("RGB").getpixel((0, 0))
    found = {
        "no sentence on top": not figure._suptitle or len(figure._suptitle.get_text().split()) < 4,
        "text outside": outside(figure, texts),
        "text too small": small(figure, texts),
        "texts that meet": overlapping(figure, texts),
        "lines under a legend": hidden(figure),
        "numbers without a name": unnamed(figure),
        "marks of another role": misused(figure),
        "not on a white card": corner != (255, 255, 255),
        "warnings": said,
    }
    return {name: what for name, what in found.items() if what}


@pytest.mark.parametrize("name", PICTURES)
def test_a_figure_can_be_shown_to_a_room(name):
    assert faults(*drawn(PICTURES[name])) == {}


def test_every_figure_of_the_course_is_among_them():
    modules = (
        import_module(m.name)
        for m in walk_packages(lessons.__path__, "course_utils.lessons.")
        if m.name.endswith("figures")
    )
    public = [
        name
        for module in modules
        for name, thing in vars(module).items()
        if getattr(thing, "__annotations__", {}).get("return") in (Picture, "Picture")
        and thing.__module__ == module.__name__
    ]
    assert sorted(public) == sorted({name.partition(",")[0] for name in PICTURES})


def careless():
    figure, (axes,) = panels()
    axes.plot([0, 1], [0, 1], "o--", color=palette.TARGET, label="steep")
    axes.bar([0.5], [1], color=palette.DRAFT)
    axes.text(0, 0.5, "one", fontsize=8)
    axes.text(0, 0.5, "another")
    axes.text(5, 5, "far away")
    axes.legend(loc="center")
    return picture(figure, "careless")


def test_a_careless_figure_is_found_out():
    found = faults(*drawn(careless))
    assert found["marks of another role"] == [
        "target: marker o",
        "target: dash (3.7, 1.6)",
        "draft: hatch None",
    ]
    assert found["texts that meet"] == [("one", "another")]
    assert "far away" in found["text outside"]
    assert found["text too small"] == ["one"]
    assert found["lines under a legend"] == ["steep"]
    assert len(found["numbers without a name"]) == 2
    assert found["no sentence on top"]
    with pytest.raises(AssertionError, match="no role"):
        role_of("#FF00FF")


CHINESE = ["人", "工智", "能"]


@pytest.mark.parametrize("installed", [FONTS, ()], ids=["any font", "no font"])
def test_chinese_never_becomes_empty_boxes(installed, monkeypatch):
    monkeypatch.setattr(spell_out, "__defaults__", (installed,))
    for make in (overlap_bars, overlap_and_residual):
        _, texts, _, said = drawn(lambda make=make: make(CHINESE, [0.5, 0.3, 0.2], [0.6, 0.2, 0.2]))
        assert said == []
        written = {text.get_text() for text in texts}
        has_font = len(families(installed)) > 1
        assert ("人" in written) == has_font
        assert ("U+4EBA" in written) != has_font


def test_without_this_care_there_would_be_boxes(monkeypatch):
    monkeypatch.setattr("course_utils.classroom.picture.spell_out", lambda figure: None)
    *_, said = drawn(lambda: overlap_bars(CHINESE, [0.5, 0.3, 0.2], [0.6, 0.2, 0.2]))
    assert any("missing from font" in warning for warning in said)
