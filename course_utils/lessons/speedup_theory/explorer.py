"""Speed against draft length, for any acceptance and any costs, beside the clock.

`look` computes what the theory says, `speedup_html` draws it, `speedup_explorer`
puts sliders around it, `speedup_chart` is its form on paper.  Costs are in units
of one target pass over one token, as in `decoding.theory`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite

import ipywidgets as widgets
import numpy as np

from course_utils.classroom.card import Card
from course_utils.classroom.chart import Chart, Still
from course_utils.classroom.palette import DRAFT, NEUTRAL, TARGET, TINT
from course_utils.decoding.theory import expected_tokens, speedup_with_costs

LONGEST = 16  # the largest gamma shown
SLIDERS = {  # name: (from, to, step, label)
    "alpha": (0, 1, 0.01, "acceptance α"),
    "c": (0, 1.5, 0.01, "draft cost c"),
    "slope": (0, 1, 0.005, "slope s of v(k)"),
    "o": (0, 1, 0.01, "host time o"),
    "gamma": (1, LONGEST, 1, "draft length γ"),
}
GAIN = 1.001  # anything less is no gain
TOPS = (1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 16, 20, 40)  # of the vertical axis, which seldom jumps


@dataclass(frozen=True)
class Preset:
    """One setting of the sliders, rounded to their steps, and what a clock measured there.

    Raises:
        ValueError: a number outside its slider, or a measurement that is none.
    """

    alpha: float
    c: float
    slope: float = 0.0  # s in v(k) = 1 + s (k - 1)
    o: float = 0.0  # host time of a round
    plain_o: float = 0.0  # host time of a token without a draft; it has no slider
    gamma: int = 4
    measured: tuple[tuple[int, float], ...] = ()  # (gamma, speedup)

    def __post_init__(self) -> None:
        for name, (low, high, step, _) in (SLIDERS | {"plain_o": SLIDERS["o"]}).items():
            value = getattr(self, name)
            if name in ("c", "o", "plain_o"):
                high = max(high, value)  # a slow machine has a longer slider
            if not low <= value <= high < inf:
                raise ValueError(f"{name} is {value}; give a number from {low} to {high}")
            object.__setattr__(self, name, round(step * round(value / step), 3))
        for gamma, speedup in self.measured:
            if gamma not in range(1, LONGEST + 1) or not (isfinite(speedup) and speedup > 0):
                raise ValueError(f"measured is {gamma}, {speedup}; give gamma 1 to 16, speedup > 0")


ALWAYS = {
    "α = 0.8, c = 0.1": Preset(0.8, 0.1),
    "a free draft": Preset(0.5, 0.0),
    "a draft as large as the target": Preset(1.0, 1.0),
}


@dataclass(frozen=True)
class View:
    """What the theory says of one setting; speedups are over plain decoding."""

    setting: Preset
    curve: tuple[float, ...]  # speedup at gamma = 0 (no draft, so 1), 1, ... LONGEST
    ceiling: tuple[float, ...]  # the same as alpha -> 1
    best: int  # the fastest gamma; 0: none gains
    nearly: int  # the smallest gamma with 95 % of the best one's gain
    rising: bool  # a draft even longer than LONGEST would be faster still
    tokens: float  # a round, at the chosen gamma
    budget: tuple[float, float, float]  # drafting, verifying, host: target passes, likewise
    clock: float | None  # the speedup measured at the chosen gamma


def look(setting: Preset) -> View:
    """Curve, optimum, ceiling and the budget of a round."""
    gamma, every = setting.gamma, range(LONGEST + 1)
    curve = tuple(_speedup(setting, g) for g in every)
    best = max(every, key=curve.__getitem__)
    best = best if curve[best] >= GAIN else 0
    return View(
        setting,
        curve,
        ceiling=tuple(_speedup(replace(setting, alpha=1.0), g) for g in every),
        best=best,
        nearly=next(g for g in every if curve[g] - 1 >= 0.95 * (curve[best] - 1)),
        rising=best == LONGEST and _speedup(setting, LONGEST + 1) > curve[-1],
        tokens=expected_tokens(setting.alpha, gamma),
        budget=(gamma * setting.c, 1 + setting.slope * gamma, setting.o),
        clock=dict(setting.measured).get(gamma),
    )


def fitted_slope(v: Mapping[int, float]) -> float:
    """The s in [0, 1] for which 1 + s (k - 1) is closest to measured v(k).

        >>> fitted_slope({1: 1.0, 2: 1.1, 3: 1.2})
        0.1

    Raises:
        ValueError: no k above 1.
    """
    steps = [(k - 1, float(cost) - 1) for k, cost in v.items() if k > 1]
    if not steps:
        raise ValueError("v has no k above 1: time a pass over 2 tokens or more")
    slope = sum(k * more for k, more in steps) / sum(k * k for k, _ in steps)
    return round(min(max(slope, 0.0), 1.0), 9)


def message(view: View) -> str:
    """The one sentence."""
    gain = view.curve[view.best]
    if view.best == 0:
        return f"No draft length gains here: {_why(view)}"
    much = f"{gain:.1f} times as fast" if gain >= 1.1 else f"only {100 * (gain - 1):.2g} % faster"
    if not view.rising:
        return f"Best at γ = {view.best}: {much}"
    most = f", nearly all by γ = {view.nearly}" * (view.nearly < LONGEST)
    return f"The longer, the better: {much}{most or f' at γ = {LONGEST}, more beyond'}"


def chart(view: View, name: str) -> Chart:
    """Speedup against gamma; `name` is the preset that measured points belong to."""
    setting, top = view.setting, _top(view)
    drawn = Chart(
        message(view),
        (-0.5, LONGEST + 0.5),
        (0, top),
        x_label="γ, drafted tokens a round (0: draft nothing)",
        y_label="speedup over no draft",
        x_ticks=[(gamma, str(gamma)) for gamma in range(0, LONGEST + 1, 2)],
        alt=f"{message(view)}. At γ = {setting.gamma}: {view.curve[setting.gamma]:.2f}.",
    )
    drawn.level(1, "" if view.best else "draft nothing")
    drawn.line([(setting.gamma, 0), (setting.gamma, top)], DRAFT, dash="9 3")
    label = f"\u00a0γ = {setting.gamma}: {view.curve[setting.gamma]:.2f}\u00a0"
    drawn.text(setting.gamma, 0, label, "end" if setting.gamma > 12 else "start", lift=8)
    x = np.linspace(0, LONGEST, 161)
    inside = (y := np.interp(x, range(LONGEST + 1), view.ceiling)) <= top
    drawn.line(list(zip(x[inside], y[inside], strict=True)), NEUTRAL, dash="2 4", width=2.5)
    drawn.line(list(enumerate(view.curve)), "currentColor", width=4, opacity=0.6)
    drawn.mark(view.best, view.curve[view.best], "currentColor", "star")
    if view.best:
        drawn.text(view.best, view.curve[view.best], "best", lift=19)
    legend = [("theory", "currentColor", ""), ("theory at α = 1", NEUTRAL, "2 4")]
    drawn.legend(legend + [(f"measured: {name}", "currentColor", "disc")] * bool(setting.measured))
    for gamma, speedup in setting.measured:
        drawn.mark(gamma, speedup, "currentColor")
    return drawn


def speedup_html(view: View, name: str) -> str:
    """The chart, the budget of a round, and how far the theory is from the clock."""
    return f"{chart(view, name).svg()}<div>{_budget(view)}</div>"


def speedup_explorer(presets: Mapping[str, Preset] = ALWAYS) -> Card:
    """Sliders over `speedup_html`; `presets` come first in the list, under their names."""
    known = {**presets, **ALWAYS, **presets}
    choice = widgets.Dropdown(options=list(known), description="preset")
    back = widgets.Button(description="↺ back to it")
    sliders = {name: _slider(name) for name in SLIDERS}
    view = widgets.HTML()

    def redraw(_=None) -> None:
        preset = known[choice.value]
        setting = replace(preset, **{name: slider.value for name, slider in sliders.items()})
        seen = look(setting)
        if setting != replace(preset, gamma=setting.gamma):
            seen = replace(seen, clock=None)  # it was read at other costs
        view.value = speedup_html(seen, choice.value)

    def take_preset(_=None) -> None:
        for name, slider in sliders.items():
            value = getattr(known[choice.value], name)
            slider.max = max(SLIDERS[name][1], value, slider.value)
            slider.value = value
        redraw()

    take_preset()
    for slider in sliders.values():
        slider.observe(redraw, "value")
    choice.observe(take_preset, "value")
    back.on_click(take_preset)
    wrap = widgets.Layout(flex_flow="row wrap")
    controls = [widgets.Box(row, layout=wrap) for row in ([choice, back], list(sliders.values()))]
    return Card([*controls, view])


def speedup_chart(presets: Mapping[str, Preset] = ALWAYS) -> Still:
    """The static twin: the explorer as it opens, at the first preset."""
    name, preset = next(iter((presets or ALWAYS).items()))
    return chart(look(preset), name).still()


def _speedup(s: Preset, gamma: int) -> float:
    if gamma == 0:
        return 1.0  # plain decoding, which is what all is compared with
    tokens = expected_tokens(s.alpha, gamma)
    bare = speedup_with_costs(tokens, gamma, s.c, lambda k: 1 + s.slope * (k - 1), s.o)
    return (1 + s.plain_o) * bare


def _why(view: View) -> str:
    s = view.setting
    if s.alpha == 0:
        return "no guess is ever accepted"
    costs = {"drafting": s.c, "verifying": s.slope, "the host": s.o - s.plain_o}
    paid = [name for name in costs if costs[name] > 0]
    much = "all" if max(view.curve[1:]) > 1 / GAIN else "more than"
    return f"{paid[0] if len(paid) == 1 else 'a round'} costs {much} it saves"


def _budget(view: View) -> str:
    """A round at the chosen gamma in target passes, and what the clock said of it."""
    s, speedup = view.setting, view.curve[view.setting.gamma]
    parts = {"drafting": DRAFT, "verifying": TARGET, "host": NEUTRAL}
    listed = " + ".join(
        f'<span style="background:{parts[part]}{TINT}">&nbsp;{cost:.2f}&nbsp;{part}&nbsp;</span>'
        for part, cost in zip(parts, view.budget, strict=True)
    )
    plain = f" Plain decoding takes {1 + s.plain_o:.2f} a token." if s.plain_o else ""
    return (
        f"A round at γ = {s.gamma} brings {view.tokens:.2f} tokens and takes "
        f"{sum(view.budget):.2f} target passes ({listed}): {speedup:.2f} times as fast, "
        f"and {view.ceiling[s.gamma]:.2f} with a perfect draft.{plain}{_clock(view.clock, speedup)}"
    )


def _clock(measured: float | None, theory: float) -> str:
    if measured is None:
        return ""
    percent = round(100 * (theory / measured - 1))
    says = f"{abs(percent)} % {'more' if percent > 0 else 'less'}" if percent else "the same"
    return f" The clock said {measured:.2f}; the theory says {says}."


def _top(view: View) -> float:
    """Room for the curve and the measured points; the ceiling may leave the chart."""
    needed = 1.25 * max(*view.curve, *(speedup for _, speedup in view.setting.measured))
    return next((top for top in TOPS if top >= needed), needed)


def _slider(name: str) -> widgets.Widget:
    low, high, step, label = SLIDERS[name]
    ends = {"min": low, "max": high, "step": step, "description": label}
    if name == "gamma":
        return widgets.IntSlider(**ends)
    return widgets.FloatSlider(**ends, readout_format=".3f")
