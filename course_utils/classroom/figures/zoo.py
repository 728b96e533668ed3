"""The pictures of lesson 03's bug zoo and of all rules on one chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.palette import (
    ACCEPTED,
    BONUS,
    CORRECTION,
    NEUTRAL,
    REJECTED,
    TARGET,
)
from course_utils.classroom.picture import Picture, panels, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def suspects(
    words: Sequence[str], p: np.ndarray, evidence: Mapping[str, Sequence[np.ndarray]]
) -> Picture:
    """For each suspect: first tokens, accepted and corrected, and the law of its bonus.

    evidence[name]: (accepted, corrected, bonus), each (vocabulary,); a decoder
    that never gives a bonus has zeros there.
    """
    figure, axes = panels(len(evidence), width=11.5, height=4.3)
    places = np.arange(len(words))
    top = 1.08 * max(p.max(), *(max((a + c).max(), b.max()) for a, c, b in evidence.values()))
    for ax, (name, (accepted, corrected, bonus)) in zip(axes, evidence.items(), strict=True):
        ax.bar(places, accepted, 0.7, color=ACCEPTED, label="first token, accepted")
        ax.bar(
            places, corrected, 0.7, bottom=accepted, color=CORRECTION, hatch="\\\\",
            edgecolor="white", label="first token, corrected",
        )  # fmt: skip
        ax.bar(places, p, 0.84, fill=False, edgecolor=TARGET, lw=1.8, label="p, as it should be")
        if bonus.any():
            ax.plot(
                places, bonus, "D", ms=7, color=BONUS, mec="black", clip_on=False, zorder=3,
                label="law of the bonus",
            )  # fmt: skip
        ax.set(title=name, ylim=(0, top))
        ax.set_xticks(places, words, rotation=60, ha="right", rotation_mode="anchor")
        ax.grid(visible=False, axis="x")
        ax.tick_params(labelleft=ax is axes[0])
    axes[0].set_ylabel("probability")
    handles = dict(zip(*reversed(axes[0].get_legend_handles_labels()), strict=True))
    figure.legend(handles.values(), handles, loc="outside lower center", ncols=4)
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
    figure, (distance, rate) = panels(2, width=9.8, height=6.4)
    ordered = sorted(specimens, key=lambda s: (s[1] if s[0] not in notes else 0.0, s[0] in notes))
    names = [name for name, _, _ in ordered]
    places = np.arange(len(ordered))
    wrong = np.array([name not in notes for name in names])
    tv = np.array([value for _, value, _ in ordered])
    floor = tv[wrong].min() / 8
    distance.hlines(places[wrong], floor, tv[wrong], color=REJECTED, lw=3)
    distance.plot(tv[wrong], places[wrong], "o", color=REJECTED, ms=8)
    for place, name in zip(places[~wrong], np.array(names)[~wrong], strict=True):
        distance.plot(floor, place, "s", color=ACCEPTED, ms=8, clip_on=False)
        distance.text(floor * 1.6, place, f"TV 0; {notes[str(name)]}", va="center", fontsize=10)
    distance.set(
        xscale="log", xlim=(floor, 1.3), xlabel="TV from the target (log scale)",
        title=f"{wrong.sum()} of {len(wrong)} specimens bend the law …",
    )  # fmt: skip
    distance.set_yticks(places, names)
    shown = np.array([value for _, _, value in ordered])
    same = np.isclose(shown, shown_if_right)
    rate.axvline(shown_if_right, color=ACCEPTED, label="the correct decoder")
    rate.plot(shown[same], places[same], "o", color=ACCEPTED, ms=8, label="exactly as if correct")
    rate.plot(shown[~same], places[~same], "X", color=REJECTED, ms=9, label="different")
    rate.set(
        xlim=(0, 1.05), xlabel="accepted / examined, first round",
        title=f"… {(same & wrong).sum()} of them at the right acceptance",
    )  # fmt: skip
    rate.set_yticks(places, [])
    rate.legend(loc=(0.02, 0.24), fontsize=10)
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
    figure, (axes,) = panels(1, width=9.6, height=5.6)
    tokens, distances = zip(*mixture.values(), strict=True)
    axes.plot(tokens, distances, "s--", color=TARGET, ms=6, label="lossy, a knob: ensemble")
    for name, (x, y) in mixture.items():
        axes.annotate(name, (x, y), (9, -4), textcoords="offset points", color=TARGET)
    for points, marker, colour, label in (
        (lossless, "o", ACCEPTED, "lossless"),
        (lossy, "X", REJECTED, "lossy"),
    ):
        axes.plot(*zip(*points.values(), strict=True), marker, color=colour, ms=10, label=label)
    top = 1.12 * max(y for _, y in [*lossy.values(), *mixture.values()])
    axes.axhline(0, color=ACCEPTED, lw=1)
    _label_below(axes, lossless, top)
    _label_left(axes, lossy, top)
    axes.set(
        title="On the line speed is free; above it, it is paid for in law",
        xlabel="tokens a round", ylabel="TV from the target, over texts", ylim=(-0.46 * top, top),
    )  # fmt: skip
    axes.set_yticks([t for t in axes.get_yticks() if 0 <= t <= top])
    axes.margins(x=0.09)
    axes.legend(loc="upper right")
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
            f"{name}, {x:.2f}", (x, depth), (4, 0), textcoords="offset points", va="center",
            color=ACCEPTED,
        )  # fmt: skip


def _label_left(axes: Axes, points: Points, top: float) -> None:
    """Names to the left of their points, pushed up until none overlap."""
    at = -1.0
    for name, (x, y) in sorted(points.items(), key=lambda item: item[1][1]):
        at = max(y, at + 0.06 * top)
        axes.annotate(
            name, (x, at), (-12, 0), textcoords="offset points", ha="right", va="center",
            color=REJECTED,
        )  # fmt: skip
