"""Where a draft pays: the best speedup over acceptance and cost, and the curve of one point.

`stage/scenes/speedup.mjs` draws it, and recomputes `speedup_view` and `message` at every move of
a slider (`stage/formulas/speedup.mjs`; tests compare the two).  Costs are in units of one target
pass over one token, as in `theory.speedup`.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import floor, inf, isfinite

from course_utils.classroom.scene import Scene
from course_utils.theory.speedup import expected_tokens, speedup_with_costs

LONGEST = 16  # the largest gamma shown
SLIDERS = {  # name: (from, to, step, label)
    "alpha": (0, 1, 0.01, "acceptance α"),
    "c": (0, 1, 0.01, "draft cost c"),
    "slope": (0, 1, 0.005, "slope s of v(k)"),
    "o": (0, 1, 0.01, "host time o"),
    "gamma": (1, LONGEST, 1, "draft length γ"),
}
GAIN = 1.001  # anything less is no gain
GRAIN = 2.0**-30  # speedups are compared in these, so that rounding breaks no tie


@dataclass(frozen=True)
class Preset:
    """One setting of the sliders, rounded to their steps, and speedups measured there.

    Raises:
        ValueError: a number outside its slider, or an impossible measurement.
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


def speedup_explorer(presets: Mapping[str, Preset] = ALWAYS) -> Scene:
    """Return a map of the best speedup with a point to drag, and this point's curve over gamma.

    `presets` come first in the list, under their names; the scene opens at the first one.  The
    sliders reach every preset.
    """
    known = {**presets, **ALWAYS, **presets}
    view = speedup_view(first := next(iter(known.values())))
    alt = (
        f"{message(view)}. At γ = {first.gamma}: {view.curve[first.gamma]:.2f}, with acceptance "
        f"α = {first.alpha:g} and draft cost c = {first.c:g}."
    )
    entries = [{"name": name, **asdict(preset)} for name, preset in known.items()]
    sliders = {
        name: {
            "low": low,
            "high": max(high, *(getattr(preset, name) for preset in known.values())),
            "step": step,
            "label": label,
        }
        for name, (low, high, step, label) in SLIDERS.items()
    }
    return Scene("speedup", {"presets": entries, "sliders": sliders}, alt)


# --- one setting


@dataclass(frozen=True)
class SpeedupView:
    """The theory's results for one setting; speedups are over plain decoding."""

    setting: Preset
    curve: tuple[float, ...]  # speedup at gamma = 0 (no draft, so 1), 1, ... LONGEST
    best: int  # the fastest gamma; 0: none gains
    nearly: int  # the smallest gamma with 95 % of the best one's gain
    rising: bool  # a draft even longer than LONGEST would be faster still


def speedup_view(setting: Preset) -> SpeedupView:
    """Compute the curve and its optimum."""
    every = range(LONGEST + 1)
    curve = tuple(_speedup(setting, g) for g in every)
    best = max(every, key=lambda g: _grains(curve[g]))  # the smallest in a tie
    free = setting.alpha > 0 == setting.c == setting.slope  # a longer draft costs nothing
    best = LONGEST if free else best
    best = best if _grains(curve[best]) >= _grains(GAIN) else 0
    gain = 0.95 * (curve[best] - 1)
    beyond = _speedup(setting, LONGEST + 1) - curve[-1]
    return SpeedupView(
        setting,
        curve,
        best=best,
        nearly=next(g for g in every if _grains(curve[g] - 1) >= _grains(gain)),
        rising=best == LONGEST and (free or _grains(beyond) > 0),
    )


def fitted_slope(v: Mapping[int, float]) -> float:
    """Fit s in [0, 1] so that 1 + s (k - 1) is closest to measured v(k).

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


def message(view: SpeedupView) -> str:
    """Return the scene's headline."""
    gain = _grains(view.curve[view.best]) * GRAIN
    if view.best == 0:
        return f"No draft length gains here: {_why(view)}"
    percent = 100 * (gain - 1)
    few = _half_up(percent, 1 if percent >= 1 else 2)
    fast = f"{_half_up(gain, 1):.1f} times as fast"
    much = fast if _grains(gain) >= _grains(1.1) else f"only {few:g} % faster"
    if not view.rising:
        return f"Best at γ = {view.best}: {much}"
    most = f", nearly all by γ = {view.nearly}" * (view.nearly < LONGEST)
    return f"The longer, the better: {much}{most or f' at γ = {LONGEST}, more beyond'}"


def _grains(value: float) -> int:
    """Round to whole grains: binary, since decimal costs often fall halfway between digits."""
    return floor(value / GRAIN + 0.5)


def _half_up(value: float, digits: int) -> float:
    """Round; halves go up, as they do in the browser."""
    return floor(value * 10**digits + 0.5) / 10**digits


def _speedup(s: Preset, gamma: int) -> float:
    if gamma == 0:
        return 1.0  # plain decoding, the baseline
    tokens = expected_tokens(s.alpha, gamma)
    bare = speedup_with_costs(tokens, gamma, s.c, lambda k: 1 + s.slope * (k - 1), s.o)
    return (1 + s.plain_o) * bare


def _why(view: SpeedupView) -> str:
    s = view.setting
    if s.alpha == 0:
        return "no guess is ever accepted"
    costs = {"drafting": s.c, "verifying": s.slope, "the host": s.o - s.plain_o}
    paid = [name for name in costs if costs[name] > 0]
    much = "all" if _grains(max(view.curve[1:])) > _grains(1 / GAIN) else "more than"
    return f"{paid[0] if len(paid) == 1 else 'a round'} costs {much} it saves"
