"""What lossy rules buy, and how far from the target they write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.palette import ACCEPTED, NEUTRAL, ROLES
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.lessons.what_lossy_rules_cost.effects import Cost, speedup

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOSSLESS = {"token-wise": -20, "greedy match": -38}  # and how deep its name stands
AFAR = "p ≥ q"  # so far from all others that it is named, not drawn


def chart(found: Mapping[float, Mapping[str, Cost]], gamma: int, c: float) -> Picture:
    """Distance against speedup, a panel for each temperature; dashed is the ensemble.

    Args:
        found: by temperature, then by the names of `effects.RULES`.
        gamma: guesses per round.
        c: cost of a guess in passes of the target, of a machine that verifies for free.
    """
    figure, axes = panels(len(found), height=4.6)
    placed = {
        temperature: {
            name: (speedup(cost.tokens, gamma, c), cost.distance) for name, cost in costs.items()
        }
        for temperature, costs in found.items()
    }
    near = [place for at in placed.values() for name, place in at.items() if name != AFAR]
    right, top = max(x for x, _ in near), 1.35 * max(y for _, y in near)
    left = min(x for x, _ in near)
    for ax, (temperature, at) in zip(axes, placed.items(), strict=True):
        _panel(ax, at)
        ax.set(title=f"temperature {temperature:g}", ylim=(-0.3 * top, top))
        ax.set_xlim(left - 0.4 * (right - left), right + 0.45 * (right - left))
        ax.set(xlabel=f"speedup at γ = {gamma}, c = {c:.2f}, v = 1")
        ax.set_yticks([t for t in ax.get_yticks() if 0 <= t <= top])
    axes[0].set_ylabel("TV from the target, of a token")
    legend_below(figure, 2)
    entitle(figure, f"{_cheapest(placed)} buys speed for less distance than any other rule")
    said = (
        f"temperature {temperature:g}: "
        + ", ".join(f"{name} {y:.3f} at {x:.2f}" for name, (x, y) in at.items())
        for temperature, at in placed.items()
    )
    return picture(figure, "Distance of a token against speedup; " + "; ".join(said) + ".")


def _cheapest(placed: Mapping[float, Mapping[str, tuple[float, float]]]) -> str:
    """The ensemble, if its curve is below every lossy rule at that rule's speedup."""
    for at in placed.values():
        xs, ys = zip(*_curve(at), strict=True)
        for name, (x, y) in at.items():
            on_curve = name in LOSSLESS or name.startswith("w = ")
            if not on_curve and y <= np.interp(x, xs, ys):
                return "No rule"
    return "The ensemble (dashed)"


def _curve(at: Mapping[str, tuple[float, float]]) -> list[tuple[float, float]]:
    return [at["token-wise"], *(place for name, place in at.items() if name.startswith("w = "))]


def _panel(ax: Axes, at: Mapping[str, tuple[float, float]]) -> None:
    ax.plot(*zip(*_curve(at), strict=True), **ROLES["rejected"].curve() | {"lw": 1.5})
    bent = [place for name, place in at.items() if name not in (*LOSSLESS, AFAR)]
    ax.axhline(0, color=ACCEPTED, lw=1)
    lossless = [at[name] for name in LOSSLESS]
    for role, label, points in (("accepted", "lossless", lossless), ("rejected", "lossy", bent)):
        ax.plot(*zip(*points, strict=True), label=label, **ROLES[role].points() | {"ms": 9})
    for name, place in at.items():
        if name == AFAR:
            said = f"{name} is outside:\nTV {place[1]:.2f}, speedup {place[0]:.2f}"
            ax.annotate(
                said, (0.04, 0.96), xycoords="axes fraction", va="top", color=NEUTRAL, fontsize=10
            )  # fmt: skip
            continue
        if name in LOSSLESS:
            way = {"xytext": (0, LOSSLESS[name]), "ha": "center"}
        elif name.startswith("w = "):
            way = {"xytext": (9, -9), "ha": "left", "color": NEUTRAL}
        else:
            way = {"xytext": (-10, 2), "ha": "right"}
        ax.annotate(name, place, textcoords="offset points", **way)
