"""Where a draft pays: the best speedup over acceptance and cost, and the curve of one point.

`speedup_view` is what is said there; `stage/scenes/speedup.mjs` draws it and answers its
sliders with the same formulas.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.lessons.speedup_theory.speedup_view import (
    ALWAYS,
    SLIDERS,
    Preset,
    fitted_slope,
    message,
    speedup_view,
)

__all__ = ["Preset", "fitted_slope", "speedup_explorer"]  # what the lesson imports


def speedup_explorer(presets: Mapping[str, Preset] = ALWAYS) -> Scene:
    """A map of the best speedup, with a point to drag, and the curve over gamma of that point.

    `presets` come first in the list, under their names; it opens at the first one.
    """
    known = {**presets, **ALWAYS, **presets}
    view = speedup_view(first := next(iter(known.values())))
    alt = (
        f"{message(view)}. At γ = {first.gamma}: {view.curve[first.gamma]:.2f}, with acceptance "
        f"α = {first.alpha:g} and draft cost c = {first.c:g}."
    )
    return Scene("speedup", explorer_data(known), alt)


def explorer_data(presets: Mapping[str, Preset]) -> dict[str, Any]:
    """{"presets": [{"name", and the fields of the preset}], "sliders": {name: {...}}}.

    A slider {"low", "high", "step", "label"} is long enough for every preset.
    """
    return {
        "presets": [{"name": name, **asdict(preset)} for name, preset in presets.items()],
        "sliders": {
            name: {
                "low": low,
                "high": max(high, *(getattr(preset, name) for preset in presets.values())),
                "step": step,
                "label": label,
            }
            for name, (low, high, step, label) in SLIDERS.items()
        },
    }
