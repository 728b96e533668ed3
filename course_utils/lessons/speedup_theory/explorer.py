"""Speed against draft length, for any acceptance and any costs, beside the clock.

`speedup_view` computes what the theory says, `speedup_html` draws it, `speedup_explorer`
puts sliders around it.
"""

from collections.abc import Mapping
from dataclasses import replace

import ipywidgets as widgets
import numpy as np

from course_utils.classroom.card import Card
from course_utils.classroom.chart import Chart
from course_utils.classroom.palette import DRAFT, NEUTRAL, TARGET, TINT
from course_utils.lessons.speedup_theory.speedup_view import (
    ALWAYS,
    LONGEST,
    SLIDERS,
    Preset,
    SpeedupView,
    fitted_slope,
    message,
    speedup_view,
)

__all__ = ["Preset", "fitted_slope", "speedup_explorer"]  # what the lesson imports
TOPS = (1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 16, 20, 40)  # of the vertical axis, which seldom jumps


def speedup_chart(view: SpeedupView, name: str) -> Chart:
    """Speedup against gamma; `name` is the preset that measured points belong to."""
    setting, top = view.setting, _top(view)
    drawn = Chart(
        message(view),
        (-0.5, LONGEST + 0.5),
        (0, top),
        x_label="γ, drafted tokens per round (0: draft nothing)",
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


def speedup_html(view: SpeedupView, name: str) -> str:
    """The chart, the budget of a round, and how far the theory is from the clock."""
    return f"{speedup_chart(view, name).svg()}<div>{_budget(view)}</div>"


def speedup_explorer(presets: Mapping[str, Preset] = ALWAYS) -> Card:
    """Sliders over `speedup_html`; `presets` come first in the list, under their names.

    On paper stands the chart of the first preset.
    """
    known = {**presets, **ALWAYS, **presets}
    first = next(iter(known))
    choice = widgets.Dropdown(options=list(known), description="preset")
    back = widgets.Button(description="↺ back to it")
    sliders = {name: _slider(name) for name in SLIDERS}
    view = widgets.HTML()

    def redraw(_=None) -> None:
        preset = known[choice.value]
        setting = replace(preset, **{name: slider.value for name, slider in sliders.items()})
        seen = speedup_view(setting)
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
    return Card([*controls, view], speedup_chart(speedup_view(known[first]), first).still())


def _budget(view: SpeedupView) -> str:
    """A round at the chosen gamma in target passes, and what the clock said of it."""
    s, speedup = view.setting, view.curve[view.setting.gamma]
    parts = {"drafting": DRAFT, "verifying": TARGET, "host": NEUTRAL}
    listed = " + ".join(
        f'<span style="background:{parts[part]}{TINT}">&nbsp;{cost:.2f}&nbsp;{part}&nbsp;</span>'
        for part, cost in zip(parts, view.budget, strict=True)
    )
    plain = f" Plain decoding takes {1 + s.plain_o:.2f} per token." if s.plain_o else ""
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


def _top(view: SpeedupView) -> float:
    """Room for the curve and the measured points; the ceiling may leave the chart."""
    needed = 1.25 * max(*view.curve, *(speedup for _, speedup in view.setting.measured))
    return next((top for top in TOPS if top >= needed), needed)


def _slider(name: str) -> widgets.Widget:
    low, high, step, label = SLIDERS[name]
    ends = {"min": low, "max": high, "step": step, "description": label}
    if name == "gamma":
        return widgets.IntSlider(**ends)
    return widgets.FloatSlider(**ends, readout_format=".3f")
