"""The pictures of lesson 03's bug zoo and of all rules on one chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.palette import ACCEPTED, INK, NEUTRAL, REJECTED, ROLES, TARGET
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def suspects(
    words: Sequence[str], p: np.ndarray, evidence: Mapping[str, Sequence[np.ndarray]]
) -> Picture:
    """For each suspect: first tokens, accepted and corrected, and the law of its bonus.

    evidence[name]: (accepted, corrected, bonus), each (vocabulary,); a decoder
    that never gives a bonus has zeros there.
    """
    figure, axes = panels(len(evidence), height=4.4)
    places = np.arange(len(words))
    top = 1.08 * max(p.max(), *(max((a + c).max(), b.max()) for a, c, b in evidence.values()))
    for ax, (name, (accepted, corrected, bonus)) in zip(axes, evidence.items(), strict=True):
        ax.bar(places, accepted, 0.7, label="first token, accepted", **ROLES["accepted"].bars())
        ax.bar(
            places, corrected, 0.7, accepted, label="first token, corrected",
            **ROLES["correction"].bars(),
        )  # fmt: skip
        ax.bar(places, p, 0.84, fill=False, edgecolor=TARGET, lw=1.8, label="p, as it should be")
        if bonus.any():
            dots = ROLES["bonus"].points() | {"mec": INK, "clip_on": False, "zorder": 3}
            ax.plot(places, bonus, label="law of the bonus", **dots)
        ax.set(title=name, ylim=(0, top))
        ax.set_xticks(places, words, rotation=90)
        ax.grid(visible=False, axis="x")
        ax.tick_params(labelleft=ax is axes[0])
    axes[0].set_ylabel("probability")
    legend_below(figure, 2)
    entitle(figure, "A bug shows where bars or diamonds leave the outline of p")
    return picture(
        figure,
        "For each specimen the law of the first token of a round, in the outline of p: "
        + "; ".join(
            f"{name}: {np.round(a + c, 2).tolist()}, bonus {np.round(b, 2).tolist()}"
            for name, (a, c, b) in evidence.items()
        ),
    )


def zoo(
    specimens: Sequence[tuple[str, float, float]], shown_if_right: float, notes: Mapping[str, str]
) -> Picture:
    """The whole zoo: (name, TV, acceptance) each; `notes` for those whose TV is 0."""
    figure, (distance, rate) = panels(2, height=6.6)
    ordered = sorted(specimens, key=lambda s: (s[1] if s[0] not in notes else 0.0, s[0] in notes))
    names = [name for name, _, _ in ordered]
    places = np.arange(len(ordered))
    wrong = np.array([name not in notes for name in names])
    tv = np.array([value for _, value, _ in ordered])
    floor = tv[wrong].min() / 8
    distance.hlines(places[wrong], floor, tv[wrong], color=REJECTED, lw=3)
    distance.plot(tv[wrong], places[wrong], **ROLES["rejected"].points() | {"ms": 9})
    for place, name in zip(places[~wrong], np.array(names)[~wrong], strict=True):
        distance.plot(floor, place, **ROLES["accepted"].points() | {"ms": 8, "clip_on": False})
        distance.text(floor * 1.7, place, f"TV 0; {notes[str(name)]}", va="center", fontsize=10)
    distance.set(xscale="log", xlim=(floor, 1.3), xlabel="TV from the target (log scale)")
    distance.set_yticks(places, names)
    shown = np.array([value for _, _, value in ordered])
    same = np.isclose(shown, shown_if_right)
    rate.axvline(shown_if_right, color=ACCEPTED, lw=1)
    for those, kind, label in (
        (same, "accepted", "exactly as if correct"),
        (~same, "rejected", "different"),
    ):
        dots = ROLES[kind].points() | {"ms": 9}
        rate.plot(shown[those], places[those], label=label, **dots)
    rate.set(xlim=(0, 1.05), xlabel="accepted / examined, first round")
    rate.set_yticks(places, [])
    rate.tick_params(axis="y", length=0)
    legend_below(figure, 2)
    entitle(
        figure,
        f"{wrong.sum()} of {len(wrong)} specimens bend the law, "
        f"{(same & wrong).sum()} at the right acceptance",
    )
    for axes in (distance, rate):
        axes.set_ylim(-0.7, len(ordered) - 0.3)
    return picture(
        figure,
        "TV from the target and acceptance shown by each specimen: "
        + "; ".join(f"{name} {value:.1e}, {shown:.2f}" for name, value, shown in ordered),
    )


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
