"""The palette, computed: contrast, simulated colour vision, and what is left in grey.

Contrast is that of WCAG 2.  Colour vision is simulated with the matrices of Machado,
Oliveira & Fernandes (2009) at severity 1; distances are Euclidean in CAM02-UCS, in
which about 1 can just be seen side by side.  Each demand has a palette that fails it.
"""

import itertools
import re
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of optional packages that are not needed here
    printing = np.get_printoptions()
    import colour

    np.set_printoptions(**printing)  # the library changes it, for everybody

from course_utils.classroom import palette
from course_utils.classroom.palette import KINDS, MARKS, ROLES, TAGS, series
from course_utils.classroom.table import table
from course_utils.classroom.tokens import coloured, marked
from course_utils.decoding.loop import generate
from course_utils.drafters.sampled import Sampled
from course_utils.models.characters import CharacterModel

# tritan vision is simulated by an approximation, says the library
pytestmark = pytest.mark.filterwarnings("ignore:.*tritanomaly")

WHITE, DARK = "#FFFFFF", "#111111"
STAGE = Path(__file__).parents[2] / "stage" / "lib" / "stage.css"
DARK_GROUNDS = (DARK, "#131416")  # JupyterLab's, and that of the site's theme
# grounds of JupyterLab's themes and of every other row of a table, and the text on them
GROUNDS = {
    WHITE: ("#000000", 0.87),
    "#F5F5F5": ("#000000", 0.87),
    DARK: ("#FFFFFF", 0.87),
    "#212121": ("#FFFFFF", 0.87),
}
SIGHTS = ("Protanomaly", "Deuteranomaly", "Tritanomaly")
APART = {None: 20, **dict.fromkeys(SIGHTS, 11.5)}  # Okabe & Ito's own least distance is 11
GREY = 12  # steps of L*, of 100
COLOURS = {name: look.colour for name, look in ROLES.items()}
OKABE_ITO = {
    "draft": "#E69F00",
    "target": "#0072B2",
    "accepted": "#009E73",
    "rejected": "#D55E00",
    "correction": "#CC79A7",
    "bonus": "#56B4E9",
}


def channels(code: str) -> np.ndarray:
    return np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)]) / 255


def linear(code: str) -> np.ndarray:
    return colour.models.eotf_sRGB(channels(code))


def luminance(code: str) -> float:
    return float(linear(code) @ (0.2126, 0.7152, 0.0722))


def lightness(code: str) -> float:
    return float(colour.colorimetry.lightness_CIE1976(100 * luminance(code)))


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def over(code: str, ground: str, strength: float) -> str:
    """A colour of some strength over a ground, as a browser mixes them."""
    return palette.mix(ground, code, strength)


@cache
def appearance(code: str, sight: str | None) -> np.ndarray:
    """What somebody with this `sight` sees, in CAM02-UCS."""
    matrix = np.eye(3) if sight is None else np.asarray(colour.matrix_cvd_Machado2009(sight, 1))
    seen = np.clip(matrix @ linear(code), 0, 1)
    return colour.XYZ_to_CAM02UCS(colour.RGB_COLOURSPACES["sRGB"].matrix_RGB_to_XYZ @ seen)


def distance(a: str, b: str, sight: str | None) -> float:
    return float(np.linalg.norm(appearance(a, sight) - appearance(b, sight)))


def confused(colours: dict[str, str], sight: str | None) -> list[tuple[str, str]]:
    return [
        (a, b)
        for a, b in itertools.combinations(colours, 2)
        if distance(colours[a], colours[b], sight) < APART[sight]
    ]


def faint(colours: dict[str, str]) -> list[str]:
    """The colours that are no mark of 3:1 on white and on JupyterLab's dark ground."""
    return [n for n, c in colours.items() if min(contrast(c, WHITE), contrast(c, DARK)) < 3]


def worn(selector: str) -> dict[str, str]:
    """The roles' colours in the first rule of the stage's stylesheet with this selector."""
    rule = STAGE.read_text(encoding="utf-8").split(f"\n{selector} {{")[1].split("}")[0]
    return dict(re.findall(r"--(\w+): (#[0-9A-F]{6});", rule))


def alike_in_grey(looks: dict[str, palette.Look]) -> list[tuple[str, str, str]]:
    """Pairs neither lighter than one another nor different in a marker, dash or hatch."""
    return [
        (a, b, part)
        for a, b in itertools.combinations(looks, 2)
        if abs(lightness(looks[a].colour) - lightness(looks[b].colour)) < GREY
        for part in ("marker", "dash", "hatch")
        if getattr(looks[a], part) == getattr(looks[b], part)
    ]


@pytest.mark.parametrize("ground", GROUNDS)
def test_text_is_readable_on_every_tint(ground):
    ink, strength = GROUNDS[ground]
    for kind, code in (KINDS | {"neutral": palette.NEUTRAL}).items():
        tint = over(code, ground, int(palette.TINT, 16) / 255)
        assert contrast(over(ink, tint, strength), tint) >= 7, kind
        assert distance(tint, ground, None) > 5, kind


def test_at_full_strength_the_ground_would_hide_the_text():
    solid = (contrast(over("#000000", code, 0.87), code) for code in KINDS.values())
    assert min(solid) < 4.5


def test_every_role_is_a_mark_on_white_and_on_the_dark_ground():
    assert faint(COLOURS) == []
    assert faint(OKABE_ITO) == ["draft", "bonus"]


@pytest.mark.parametrize("sight", APART)
def test_the_roles_stay_apart_for_every_eye(sight):
    assert confused(COLOURS, sight) == []


def test_scenes_wear_the_palette_on_both_grounds():
    assert worn(".course-scene") == COLOURS
    assert worn('.course-scene[data-ground="dark"]') == palette.DARK


def test_the_border_of_each_chip_is_its_role_at_full_strength():
    """So what is true of the roles, 3:1 on every ground, is true of the borders."""
    css = STAGE.read_text(encoding="utf-8")
    for kind in KINDS:
        (rule,) = re.findall(rf"\.chip\.{kind} \{{([^}}]*)\}}", css)
        borders = re.findall(r"border(?:-color)?: ([^;]*var\([^;]*);", rule)
        assert borders, kind
        assert all(border.endswith(f"var(--{kind})") for border in borders), kind


@pytest.mark.parametrize("ground", DARK_GROUNDS)
def test_on_a_dark_ground_every_role_is_a_mark_and_a_border_of_a_chip(ground):
    assert set(palette.DARK) == set(ROLES)
    contrasts = {name: contrast(code, ground) for name, code in palette.DARK.items()}
    assert min(contrasts.values()) >= 4.5, contrasts
    assert contrast("#003060", ground) < 3  # a colour that would not do


@pytest.mark.parametrize("sight", APART)
def test_the_roles_stay_apart_for_every_eye_on_a_dark_ground_too(sight):
    assert confused(palette.DARK, sight) == []
    assert ("target", "bonus") in confused(palette.DARK | {"bonus": "#4C9BE0"}, sight)


@pytest.mark.parametrize("sight", SIGHTS)
def test_the_simulated_eyes_confuse_what_they_are_known_to(sight):
    notorious = {
        "Protanomaly": ("#B0403A", "#5E6B2E"),  # red and olive
        "Deuteranomaly": ("#C0392B", "#6E7F2A"),
        "Tritanomaly": ("#0065A2", "#00706A"),  # blue and teal
    }[sight]
    pair = dict(zip("ab", notorious, strict=True))
    assert confused(pair, sight) == [("a", "b")]
    assert confused(pair, None) == []


def test_the_tints_of_the_kinds_stay_apart_too():
    for ground, sight in itertools.product((WHITE, DARK), APART):
        tints = {kind: over(code, ground, 1 / 3) for kind, code in KINDS.items()}
        for a, b in itertools.combinations(tints, 2):
            assert distance(tints[a], tints[b], sight) > 5, (a, b, ground, sight)


def test_no_role_relies_on_colour():
    assert alike_in_grey(ROLES) == []
    same_hatch = ROLES | {"draft": ROLES["draft"]._replace(hatch=ROLES["bonus"].hatch)}
    assert alike_in_grey(same_hatch) == [("draft", "bonus", "hatch")]


@pytest.mark.parametrize("n", range(1, 7))
def test_what_is_no_role_is_grey_visible_and_told_apart(n):
    looks = series(n)
    assert len(looks) == n
    assert all(contrast(look.colour, WHITE) >= 3 for look in looks)
    assert all(np.ptp(channels(look.colour)) < 0.06 for look in looks)
    assert len({look.dash for look in looks}) == len({look.marker for look in looks}) == n
    assert all(np.ptp(channels(code)) > 0.2 for name, code in COLOURS.items() if name != "neutral")


def test_a_figures_text_is_readable_on_its_white_card():
    assert contrast(palette.INK, WHITE) >= 7
    assert contrast(palette.NEUTRAL, WHITE) >= 4.5
    assert contrast("#FFFFFF", palette.TARGET) >= 4.5  # the numbers in lesson 00's strips


def test_each_kind_has_a_style_tags_and_a_sign_of_its_own():
    for marks in (MARKS, TAGS, palette.ANSI):
        assert set(marks) == set(KINDS) == set(palette.MEANINGS)
        assert len(set(marks.values())) == len(KINDS)


def test_meaning_stays_where_style_is_lost():
    target = CharacterModel()
    drafter = Sampled(CharacterModel(accuracy=0.7))
    rounds = list(generate(target, [0], drafter, gamma=3, max_new_tokens=18, seed=1))
    html = coloured(rounds, target.alphabet.decode, "prompt").html
    kinds = {kind for r in rounds for kind in r.kinds}
    assert "correction" in kinds
    bare = re.sub(r' (style|title)="[^"]*"', "", html)
    assert len({re.sub("token", "", bare_mark("token", kind)) for kind in KINDS}) == len(KINDS)
    for kind in kinds:
        assert bare_mark(kind, kind) in bare
    assert "<small>prompt</small>" in bare


def test_what_is_shown_grows_in_presentation_mode_and_takes_the_themes_text():
    rounds = list(generate(CharacterModel(), [0], None, gamma=1, max_new_tokens=2))
    for html in (coloured(rounds, str).html, table([{"x": 1}]).html):
        assert "font-size:calc(" in html
        assert "var(--jp-content-font-size1" in html
        assert not re.search(r"[^-]color:", html)


def bare_mark(text: str, kind: str) -> str:
    return re.sub(r' (style|title)="[^"]*"', "", marked(text, kind))
