"""Figures of the verification rules: what each gains, and what a lossy one costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.palette import ACCEPTED, INK, NEUTRAL, ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Points = Mapping[str, tuple[float, float]]  # name -> (tokens a round, TV)


def chart(lossless: Points, lossy: Points, mixture: Points) -> Picture:
    """All rules: TV from the target against tokens a round; `mixture` is one curve."""
    figure, (axes,) = panels(height=5.2)
    tokens, distances = zip(*mixture.values(), strict=True)
    axes.plot(tokens, distances, **ROLES["rejected"].curve() | {"lw": 1.5})
    bent = [(x, y) for x, y in [*mixture.values(), *lossy.values()] if y > 1e-12]
    for role, label, points in (
        ("accepted", "lossless", list(lossless.values())),
        ("rejected", "lossy", bent),
    ):
        axes.plot(
            *zip(*points, strict=True), label=label, **ROLES[role].points() | {"ms": 10}
        )  # fmt: skip
    for name, (x, y) in mixture.items():
        axes.annotate(name, (x, y), (9, -4), textcoords="offset points")
    top = 1.12 * max(y for _, y in [*lossy.values(), *mixture.values()])
    axes.axhline(0, color=ACCEPTED, lw=1)
    _label_below(axes, lossless, top)
    _label_left(axes, lossy, top)
    axes.set(xlabel="tokens a round", ylabel="TV from the target, over texts")
    axes.set_ylim(-0.5 * top, top)
    axes.set_yticks([t for t in axes.get_yticks() if 0 <= t <= top])
    axes.margins(x=0.09)
    axes.legend(loc="upper left", bbox_to_anchor=(0, 0.9))
    entitle(figure, "On the line the law is the target's; above it every rule pays in law")
    return picture(
        figure,
        "TV against tokens a round: "
        + "; ".join(
            f"{name} {y:.3f} at {x:.2f}"
            for name, (x, y) in {**lossless, **lossy, **mixture}.items()
        ),
    )


def _label_below(axes: Axes, points: Points, top: float) -> None:
    """Names under the zero line, from right to left ever deeper, so that none meet."""
    depths = np.linspace(-0.08, -0.4, len(points)) * top
    ordered = sorted(points.items(), key=lambda item: -item[1][0])
    for (name, (x, y)), depth in zip(ordered, depths, strict=True):
        axes.plot([x, x], [y, depth], color=NEUTRAL, lw=0.8, zorder=1)
        axes.annotate(
            f"{name}, {x:.2f}", (x, depth), (4, 0), textcoords="offset points", va="center"
        )


def _label_left(axes: Axes, points: Points, top: float) -> None:
    """Names to the left of their points, pushed up until none overlap."""
    at = -1.0
    for name, (x, y) in sorted(points.items(), key=lambda item: item[1][1]):
        at = max(y, at + 0.06 * top)
        axes.annotate(name, (x, at), (-12, 0), textcoords="offset points", ha="right", va="center")


def cooling(
    temperatures: np.ndarray, curves: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> Picture:
    """Acceptance against temperature: (token-wise, greedy match) for each context."""
    figure, axes = panels(len(curves), height=3.7)
    names = ("token-wise, Σ min(p, q)", "greedy match, Σ p·q")
    for ax, (name, rules) in zip(axes, curves.items(), strict=True):
        for values, label, look in zip(rules, names, series(2), strict=True):
            ax.plot(temperatures, values, label=label, **look.curve())
        ax.set(title=name, xscale="log", ylim=(-0.03, 1.03), xlabel="temperature (log scale)")
    axes[0].set_ylabel("acceptance probability")
    legend_below(figure, 2)
    entitle(figure, "Near temperature 0 the favourite tokens alone decide acceptance")
    return picture(
        figure,
        "Acceptance probability of two rules as the temperature falls: "
        + "; ".join(f"{name}: ends at {curve[0][0]:.2f}" for name, curve in curves.items()),
    )


def gains(points: Mapping[int, tuple[Sequence[float], Sequence[float]]]) -> Picture:
    """Expected tokens that block verification gains over token-wise: for each gamma its pairs.

    points[gamma]: (accepted / examined, gain as a share) of each pair.
    """
    figure, (axes,) = panels(height=3.7)
    axes.axhline(0, color=INK, lw=1)
    # the longest draft darkest
    for (gamma, (rates, gained)), look in zip(
        points.items(), reversed(series(len(points))), strict=True
    ):
        dots = look.points() | {"mec": "white", "mew": 0.5}
        axes.plot(rates, 100 * np.asarray(gained), label=f"γ = {gamma}", **dots)
    axes.set(xlabel="accepted / examined, token-wise", ylabel="expected tokens a round, gained (%)")
    axes.legend()
    entitle(figure, "In expectation block verification never yields fewer tokens")
    best = max(100 * max(gained) for _, gained in points.values())
    return picture(
        figure,
        f"Gain of block verification over token-wise for random pairs: never below zero, zero at "
        f"gamma 1, at most {best:.1f} %.",
    )
