"""The speedup explorer: what theory says, drawn truly, over the whole range of every slider."""

from dataclasses import replace
from math import isfinite
from xml.etree import ElementTree

import ipywidgets as widgets
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from course_utils.classroom.chart import HEIGHT, WIDTH
from course_utils.decoding.theory import optimal_gamma, speedup, speedup_limit
from course_utils.lessons.speedup_theory.explorer import (
    speedup_chart,
    speedup_explorer,
    speedup_html,
)
from course_utils.lessons.speedup_theory.speedup_view import (
    ALWAYS,
    GAIN,
    LONGEST,
    SLIDERS,
    Preset,
    fitted_slope,
    message,
    speedup_view,
)

SVG = "{http://www.w3.org/2000/svg}"


def on_slider(name):
    low, high, step, _ = SLIDERS[name]
    return st.integers(0, round((high - low) / step)).map(lambda i: round(low + step * i, 3))


points = st.dictionaries(st.integers(1, LONGEST), st.floats(0.05, 30), max_size=6)
presets = st.builds(
    Preset,
    alpha=on_slider("alpha"),
    c=on_slider("c"),
    slope=on_slider("slope"),
    o=on_slider("o"),
    plain_o=st.sampled_from([0.0, 0.04, 1.0]),
    gamma=on_slider("gamma"),
    measured=points.map(lambda found: tuple(found.items())),
)


def words(drawn):
    return [e.text or "" for e in ElementTree.fromstring(drawn.svg()).iter(SVG + "text")]


@settings(deadline=None)
@given(presets)
def test_every_number_is_finite_and_each_curve_begins_at_no_draft(preset):
    view = speedup_view(preset)
    assert len(view.curve) == len(view.ceiling) == LONGEST + 1
    assert view.curve[0] == view.ceiling[0] == 1.0
    assert all(isfinite(x) and 0 < x <= 2 * LONGEST + 2 for x in view.curve + view.ceiling)
    assert all(c >= x - 1e-12 for c, x in zip(view.ceiling, view.curve, strict=True))


@settings(deadline=None)
@given(presets)
def test_the_best_is_the_best_and_nothing_is_best_where_nothing_gains(preset):
    view = speedup_view(preset)
    if view.best:
        assert view.curve[view.best] == max(view.curve) >= GAIN
        assert 0 < view.nearly <= view.best
        assert view.curve[view.nearly] - 1 >= 0.95 * (max(view.curve) - 1)
    else:
        assert max(view.curve) < GAIN


@settings(deadline=None)
@given(on_slider("alpha"), on_slider("c"), on_slider("gamma"))
@example(0.5, 0.5, 4)
def test_with_free_verification_it_is_leviathans_theorem(alpha, c, gamma):
    view = speedup_view(Preset(alpha, c, gamma=gamma))
    assert view.curve[gamma] == pytest.approx(speedup(alpha, gamma, c))
    assert view.ceiling[gamma] == pytest.approx(speedup_limit(gamma, c))
    assert bool(view.best) == ((1 + alpha) / (1 + c) >= GAIN)  # a gain needs alpha > c
    if view.best:
        assert view.curve[view.best] == pytest.approx(optimal_gamma(alpha, c, LONGEST)[1])


@settings(deadline=None)
@given(presets)
def test_speed_is_tokens_over_the_budget_of_the_round(preset):
    view = speedup_view(preset)
    assert 1 <= view.tokens <= preset.gamma + 1
    plain = 1 + preset.plain_o
    assert view.curve[preset.gamma] == pytest.approx(plain * view.tokens / sum(view.budget))


def test_verification_and_host_cost_speed_and_pull_the_best_gamma_apart():
    bests = [
        speedup_view(Preset(0.8, 0.1, slope, o)).best for slope, o in ((0, 0), (0.1, 0), (0.1, 0.3))
    ]
    assert bests == [6, 4, 5]  # lesson 04's three machines


@settings(deadline=None)
@given(presets)
def test_the_drawing_is_well_formed_inside_its_frame_and_says_the_message(preset):
    view = speedup_view(preset)
    drawn = speedup_chart(view, "name")
    root = ElementTree.fromstring(drawn.svg())
    assert not {"nan", "inf"} & set(drawn.svg().replace('"', " ").replace(",", " ").split())
    for line in root.iter(SVG + "polyline"):
        for pair in line.get("points").split():
            x, y = map(float, pair.split(","))
            assert 0 <= x <= WIDTH
            assert 0 <= y <= HEIGHT
    said = words(drawn)
    assert said[0] == message(view)
    assert len(said[0]) <= 66  # longer ones leave the frame
    assert any(f"γ = {preset.gamma}: {view.curve[preset.gamma]:.2f}" in word for word in said)
    discs = list(root.iter(SVG + "circle"))
    assert len(discs) == len(preset.measured) + bool(preset.measured)  # and one in the legend


@settings(deadline=None)
@given(presets)
def test_the_budget_names_its_parts_and_the_clock(preset):
    view = speedup_view(preset)
    html = speedup_html(view, "name")
    for cost, part in zip(view.budget, ("drafting", "verifying", "host"), strict=True):
        assert f"{cost:.2f}&nbsp;{part}" in html
    assert f"brings {view.tokens:.2f} tokens" in html
    assert ("The clock said" in html) == (preset.gamma in dict(preset.measured))


@pytest.mark.parametrize(
    ("preset", "said"),
    [
        (Preset(0.8, 0.1), "Best at γ = 6: 2.5 times as fast"),
        (Preset(0.3, 0.25), "Best at γ = 1: only 4 % faster"),
        (Preset(0.5, 0.0), "The longer, the better: 2.0 times as fast, nearly all by γ = 5"),
        (Preset(1, 0.0), "The longer, the better: 17.0 times as fast at γ = 16, more beyond"),
        (Preset(0.2, 0.3), "No draft length gains here: drafting costs more than it saves"),
        (
            Preset(0.51, 0.4, 0.125, 0, 0.01),
            "No draft length gains here: a round costs all it saves",
        ),
        (Preset(1, 1), "No draft length gains here: drafting costs all it saves"),
        (Preset(0.2, 0, 0.5), "No draft length gains here: verifying costs more than it saves"),
        (Preset(0.2, 0, 0, 0.9), "No draft length gains here: the host costs more than it saves"),
        (Preset(0.4, 0.5, 0.2), "No draft length gains here: a round costs more than it saves"),
        (Preset(0, 0), "No draft length gains here: no guess is ever accepted"),
    ],
)
def test_the_title_says_what_the_curve_shows(preset, said):
    assert message(speedup_view(preset)) == said


@pytest.mark.parametrize(
    ("clock", "says"), [(2.0, "25 % more"), (3.125, "20 % less"), (2.5, "same")]
)
def test_it_says_how_far_theory_is_from_the_clock(clock, says):
    html = speedup_html(speedup_view(Preset(1, 0.25, gamma=4, measured=((4, clock),))), "name")
    assert f"The clock said {clock:.2f}; the theory says " in html
    assert says in html.rpartition("the theory says")[2]


def test_the_ceiling_leaves_the_chart_and_does_not_run_along_its_edge():
    lines = ElementTree.fromstring(speedup_chart(speedup_view(Preset(0.5, 0)), "").svg()).iter(
        SVG + "polyline"
    )
    (ceiling,) = (line for line in lines if line.get("stroke-dasharray") == "2 4")
    heights = [pair.split(",")[1] for pair in ceiling.get("points").split()]
    assert len(set(heights)) == len(heights)


def test_without_a_gain_it_advises_to_draft_nothing():
    assert "draft nothing" in words(speedup_chart(speedup_view(Preset(0.2, 0.3)), ""))
    assert "draft nothing" not in words(speedup_chart(speedup_view(Preset(0.8, 0.1)), ""))


@settings(deadline=None)
@given(st.floats(0, 1))
def test_the_fitted_slope_is_that_of_a_line(slope):
    assert fitted_slope({k: 1 + slope * (k - 1) for k in range(1, 10)}) == pytest.approx(
        slope, abs=1e-8
    )


def test_a_measured_cost_below_one_is_no_negative_slope():
    assert fitted_slope({1: 1.0, 2: 0.96, 3: 0.96}) == 0
    with pytest.raises(ValueError, match="2 tokens or more"):
        fitted_slope({1: 1.0})


def test_presets_are_rounded_to_what_the_sliders_show():
    preset = Preset(0.70711, 0.16949, 0.0148, 0.0612, 0.0389)
    assert preset == Preset(0.71, 0.17, 0.015, 0.06, 0.04)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"alpha": 1.1}, "alpha is 1.1; give a number from 0 to 1"),
        ({"c": -0.1}, "c is"),
        ({"slope": float("nan")}, "slope is nan"),
        ({"o": float("inf")}, "o is inf"),
        ({"plain_o": -1}, "plain_o is"),
        ({"gamma": 0}, "gamma is 0; give a number from 1 to 16"),
        ({"measured": ((0, 1.5),)}, "measured is 0, 1.5"),
        ({"measured": ((2, float("inf")),)}, "measured is 2, inf"),
        ({"measured": ((2, 0.0),)}, "speedup > 0"),
    ],
)
def test_a_number_that_is_none_is_refused(wrong, named):
    with pytest.raises(ValueError, match=named):
        Preset(**({"alpha": 0.5, "c": 0.1} | wrong))


MINE = Preset(0.7, 0.17, 0.015, 0.06, 0.04, 5, ((1, 1.4), (5, 1.7)))


def explorer():
    card = speedup_explorer({"<mine>": MINE})
    _, top, rows, view = card.children
    choice, back = top.children
    return choice, back, {s.description.split()[-1]: s for s in rows.children}, view


def test_it_opens_at_the_first_preset_and_prints_that():
    _, _, sliders, view = explorer()
    assert [s.value for s in sliders.values()] == [0.7, 0.17, 0.015, 0.06, 5]
    assert view.value == speedup_html(speedup_view(MINE), "<mine>")
    still = speedup_explorer({"<mine>": MINE}).still
    ElementTree.fromstring(still.svg)
    assert (
        speedup_chart(speedup_view(MINE), "<mine>").svg().partition("<g>")[2].partition("</g>")[0]
        in still.svg
    )
    assert "measured: &lt;mine&gt;" in still.svg
    assert "<mine>" not in still.svg


def test_each_slider_moves_the_view():
    _, _, sliders, view = explorer()
    fields = {"α": "alpha", "c": "c", "v(k)": "slope", "o": "o", "γ": "gamma"}
    for (symbol, field), value in zip(fields.items(), (0.5, 0.3, 0.1, 0.2, 9), strict=True):
        sliders[symbol].value = value
        moved = replace(MINE, **{field: value})
        assert view.value == speedup_html(replace(speedup_view(moved), clock=None), "<mine>")
        sliders[symbol].value = getattr(MINE, field)


def test_presets_and_the_way_back():
    choice, back, sliders, view = explorer()
    assert choice.options == ("<mine>", *ALWAYS)
    choice.value = "a free draft"
    assert sliders["c"].value == 0
    assert "The longer, the better" in view.value
    assert "measured" not in view.value
    sliders["c"].value = 1.5
    back.click()
    assert sliders["c"].value == 0
    assert view.value == speedup_html(speedup_view(ALWAYS["a free draft"]), "a free draft")


def test_a_preset_of_ones_own_wins_over_one_of_the_same_name():
    card = speedup_explorer({"a free draft": Preset(0.9, 0)})
    assert card.children[2].children[0].value == 0.9
    assert card.children[1].children[0].options == ("a free draft", *list(ALWAYS)[::2])
    assert speedup_explorer({}).children[3].value == speedup_explorer().children[3].value


def test_without_presets_it_still_opens_and_every_control_is_described():
    card = speedup_explorer()
    for row in card.children[1:3]:
        assert all(control.description for control in row.children)
    assert isinstance(card.children[1].children[0], widgets.Dropdown)
    assert "image/svg+xml" in speedup_explorer()._repr_mimebundle_()


def test_the_clock_speaks_only_of_the_costs_it_was_read_at():
    card = speedup_explorer({"here": Preset(0.9, 0.1, gamma=4, measured=((4, 2.5), (5, 2.6)))})
    sliders, view = card.children[2].children, card.children[3]
    assert "The clock said 2.50" in view.value
    sliders[-1].value = 5
    assert "The clock said 2.60" in view.value
    sliders[0].value = 0.1
    assert "The clock said" not in view.value


def test_a_slow_machine_has_longer_sliders():
    card = speedup_explorer({"slow": Preset(0.9, 2.5, 0.1, 1.4)})
    sliders = {slider.description: slider for slider in card.children[2].children}
    assert sliders["draft cost c"].value == 2.5
    assert sliders["host time o"].value == 1.4
    assert "No draft length gains" in card.children[3].value
