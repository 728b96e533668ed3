"""Figures of the verification rules: what each gains, and what a lossy one costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.palette import ACCEPTED, INK, NEUTRAL, ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Points = Mapping[str, tuple[float, float]]  # name -> (tokens per round, TV)


def chart(lossless: Points, lossy: Points, mixture: Points) -> Picture:
    """All rules: TV from the target against tokens per round; `mixture` is one curve."""
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
    axes.set(xlabel="tokens per round", ylabel="TV from the target, over texts")
    axes.set_ylim(-0.5 * top, top)
    axes.set_yticks([t for t in axes.get_yticks() if 0 <= t <= top])
    axes.margins(x=0.09)
    axes.legend(loc="upper left", bbox_to_anchor=(0, 0.9))
    entitle(figure, "On the zero line rules are lossless; above it every rule pays in TV")
    return picture(
        figure,
        "TV against tokens per round: "
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


def offers(
    names: Sequence[str], wanted: np.ndarray, offered: Mapping[str, np.ndarray], message: str
) -> Picture:
    """What is accepted of each offer, the smaller of wanted and offered; the rest is corrected.

    wanted (names,): mass that the output must have; offered[panel] (names,): mass that is
    drafted and may be accepted.  `message` is the title of the whole figure.
    """
    figure, axes = panels(len(offered), height=3.9)
    top = 1.1 * max(wanted.max(), *(o.max() for o in offered.values()))
    accepted = {panel: np.minimum(wanted, o) for panel, o in offered.items()}
    for ax, (panel, offer) in zip(axes, offered.items(), strict=True):
        taken = accepted[panel]
        _stack(ax, names, taken, wanted - taken)
        _outline(ax, offer, "draft", "offered by the draft")
        _outline(ax, wanted, "target", "wanted by the target")
        ax.set(title=f"{panel}: {taken.sum():.2f} accepted", ylim=(0, top))
    axes[0].set_ylabel("probability")
    legend_below(figure, 4)
    entitle(figure, message)
    return picture(
        figure,
        f"Wanted {_numbers(names, wanted)}. "
        + "; ".join(f"{panel}: accepted {_numbers(names, a)}" for panel, a in accepted.items()),
    )


def outputs(
    words: Sequence[str], p: np.ndarray, parts: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> Picture:
    """What some rules say at one position: (accepted, corrected), in the outline of p."""
    figure, axes = panels(len(parts), height=4.2)
    said = {name: accepted + corrected for name, (accepted, corrected) in parts.items()}
    top = 1.1 * max(p.max(), *(row.max() for row in said.values()))
    distances = {name: abs(row - p).sum() / 2 for name, row in said.items()}
    for ax, (name, (accepted, corrected)) in zip(axes, parts.items(), strict=True):
        _stack(ax, words, accepted, corrected)
        _outline(ax, p, "target", "p")
        ax.set(title=f"{name}\nTV {distances[name]:.3f}", ylim=(0, top))
        ax.tick_params(axis="x", rotation=90)
        ax.tick_params(labelleft=ax is axes[0])
    axes[0].set_ylabel("probability")
    legend_below(figure, 3)
    entitle(figure, "A lossy rule says some tokens too often and others too rarely")
    return picture(
        figure,
        "Distribution of the token that each rule emits, against p: "
        + "; ".join(f"{n}: {_numbers(words, r)}, TV {distances[n]:.2f}" for n, r in said.items()),
    )


def _stack(axes: Axes, names: Sequence[str], accepted: np.ndarray, corrected: np.ndarray) -> None:
    places = np.arange(len(names))
    axes.bar(places, accepted, 0.7, label="accepted", **ROLES["accepted"].bars())
    axes.bar(places, corrected, 0.7, accepted, label="corrected", **ROLES["correction"].bars())
    axes.set_xticks(places, names)
    axes.grid(visible=False, axis="x")


def _outline(axes: Axes, row: np.ndarray, role: str, label: str) -> None:
    """Empty boxes; the draft's are wider, so that both can be seen where they are equal."""
    look, width = ROLES[role], 0.92 if role == "draft" else 0.8
    edge = {"edgecolor": look.colour, "linestyle": look.curve()["linestyle"], "lw": 2}
    axes.bar(np.arange(len(row)), row, width, fill=False, label=label, **edge)


def _numbers(names: Sequence[str], row: np.ndarray) -> str:
    return ", ".join(f"{name} {x:.2f}" for name, x in zip(names, row, strict=True))


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
    axes.set(xlabel="accepted / examined, token-wise", ylabel="gain in tokens per round (%)")
    axes.legend()
    entitle(figure, "In expectation block verification never yields fewer tokens")
    best = max(100 * max(gained) for _, gained in points.values())
    return picture(
        figure,
        f"Gain of block verification over token-wise for random pairs: never below zero, zero at "
        f"gamma 1, at most {best:.1f} %.",
    )
