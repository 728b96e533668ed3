"""What lossy rules buy, and how far from the target they write."""

from collections.abc import Mapping

import numpy as np

from course_utils.classroom.palette import ACCEPTED, NEUTRAL, ROLES
from course_utils.classroom.picture import Picture, finished, panels

LOSSLESS = {"token-wise": -20, "greedy match": -38}  # name -> offset of its label, in points
AFAR = "p ≥ q"  # too far from the others to draw: given in words
Place = tuple[float, float]  # speedup, TV of a token


def chart(places: Mapping[float, Mapping[str, Place]]) -> Picture:
    """Plot distance against speedup, a panel per temperature; the ensemble is dashed.

    Args:
        places: by temperature, then by the names of `effects.RULES`.
    """
    figure, axes = panels(len(places), height=4.6)
    near = [place for at in places.values() for name, place in at.items() if name != AFAR]
    xs, ys = zip(*near, strict=True)
    left, right, top = min(xs), max(xs), 1.35 * max(ys)
    beaten = []  # rules that are not above the ensemble's curve
    for ax, (temperature, at) in zip(axes, places.items(), strict=True):
        lossy = [name for name in at if name not in (*LOSSLESS, AFAR)]
        curve = ["token-wise", *(name for name in at if name.startswith("w = "))]
        line = [*zip(*map(at.get, curve), strict=True)]
        ax.plot(*line, **ROLES["rejected"].curve() | {"lw": 1.5})
        others = [at[name] for name in lossy if name not in curve]
        beaten += [x for x, y in others if y <= np.interp(x, *line)]
        ax.axhline(0, color=ACCEPTED, lw=1)
        for role, label, names in (
            ("accepted", "lossless", LOSSLESS), ("rejected", "lossy", lossy)
        ):  # fmt: skip
            look = ROLES[role].points() | {"ms": 9, "label": label}
            ax.plot(*zip(*map(at.get, names), strict=True), **look)
        for name in (*LOSSLESS, *lossy):
            way = {"xytext": (-10, 2), "ha": "right"}
            if name in LOSSLESS:
                way = {"xytext": (0, LOSSLESS[name]), "ha": "center"}
            elif name in curve:
                way = {"xytext": (9, -9), "ha": "left", "color": NEUTRAL}
            ax.annotate(name, at[name], textcoords="offset points", **way)
        speed, tv = at[AFAR]
        ax.text(
            0.04, 0.96, f"{AFAR} is outside:\nTV {tv:.2f}, speedup {speed:.2f}",
            transform=ax.transAxes, va="top", color=NEUTRAL, fontsize=10,
        )  # fmt: skip
        ax.set(title=f"temperature {temperature:g}", ylim=(-0.3 * top, top), xlabel="speedup")
        ax.set_xlim(left - 0.4 * (right - left), right + 0.45 * (right - left))
        ax.set_yticks([t for t in ax.get_yticks() if 0 <= t <= top])
    axes[0].set_ylabel("TV from the target, per token")
    cheapest = "No single rule" if beaten else "The ensemble (dashed)"
    message = f"{cheapest} has the smallest distance at every speed"
    return finished(figure, message, columns=2)
