"""Where a draft pays: the best speedup over acceptance and cost, and the curve of one point.

`stage/scenes/speedup.mjs` draws it and computes every setting (`stage/formulas/speedup.mjs`).
Costs are in units of one target pass over one token, as in `theory.speedup`.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

from course_utils.classroom.scene import Scene

SLIDERS = {  # name: (from, to, step, label)
    "alpha": (0, 1, 0.01, "acceptance α"),
    "c": (0, 1, 0.01, "draft cost c"),
    "slope": (0, 1, 0.005, "slope s of v(k)"),
    "o": (0, 1, 0.01, "host time o"),
}


@dataclass(frozen=True)
class Preset:
    """One setting of the sliders, and speedups measured there."""

    alpha: float
    c: float
    slope: float = 0.0  # s in v(k) = 1 + s (k - 1)
    o: float = 0.0  # host time of a round
    plain_o: float = 0.0  # host time of a token without a draft; it has no slider
    measured: tuple[tuple[int, float], ...] = ()  # (gamma, speedup)


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
    first = next(iter(known.values()))
    alt = (
        "A map of the best speedup over acceptance and draft cost, with a point at "
        f"α = {first.alpha:.2g} and c = {first.c:.2g}."
    )
    entries = [{"name": name, **asdict(preset)} for name, preset in known.items()]
    sliders = {
        name: {
            "low": low,
            "high": max(high, *(entry[name] for entry in entries)),
            "step": step,
            "label": label,
        }
        for name, (low, high, step, label) in SLIDERS.items()
    }
    return Scene("speedup", {"presets": entries, "sliders": sliders}, alt)


def fitted_slope(v: Mapping[int, float]) -> float:
    """Fit s in [0, 1] so that 1 + s (k - 1) is closest to measured v(k).

        >>> fitted_slope({1: 1.0, 2: 1.1, 3: 1.2})
        0.1

    Raises:
        ValueError: no k above 1.
    """
    more, cost = np.array([(k - 1, cost - 1) for k, cost in v.items()]).T
    if not more.any():
        raise ValueError("v has no k above 1: time a pass over 2 tokens or more")
    return round(float(np.clip(more @ cost / (more @ more), 0, 1)), 9)
