"""What lossy rules buy, and how far from the target they write."""

from collections.abc import Mapping

import numpy as np

from course_utils.classroom.palette import ACCEPTED, NEUTRAL, ROLES
from course_utils.classroom.picture import Picture, finished, panels

LOSSLESS = {"token-wise": -20, "greedy match": -38}  # and how deep its name stands
AFAR = "p ≥ q"  # so far from all others that it is named, not drawn
Place = tuple[float, float]  # speedup, TV of a token


def chart(found: Mapping[float, Mapping[str, Place]]) -> Picture:
    """Distance against speedup, a panel for each temperature; dashed is the ensemble.

    Args:
        found: by temperature, then by the names of `effects.RULES`.
    """
    figure, axes = panels(len(found), height=4.6)
    near = [place for at in found.values() for name, place in at.items() if name != AFAR]
    xs, ys = zip(*near, strict=True)
    left, right, top = min(xs), max(xs), 1.35 * max(ys)
    beaten = []  # rules that are not above the ensemble's curve
    for ax, (temperature, at) in zip(axes, found.items(), strict=True):
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
        speed, away = at[AFAR]
        ax.text(
            0.04, 0.96, f"{AFAR} is outside:\nTV {away:.2f}, speedup {speed:.2f}",
            transform=ax.transAxes, va="top", color=NEUTRAL, fontsize=10,
        )  # fmt: skip
        ax.set(title=f"temperature {temperature:g}", ylim=(-0.3 * top, top), xlabel="speedup")
        ax.set_xlim(left - 0.4 * (right - left), right + 0.45 * (right - left))
        ax.set_yticks([t for t in ax.get_yticks() if 0 <= t <= top])
    axes[0].set_ylabel("TV from the target, of a token")
    cheapest = "No rule" if beaten else "The ensemble (dashed)"
    message = f"{cheapest} buys speed for less distance than any other rule"
    return finished(figure, message, columns=2)
