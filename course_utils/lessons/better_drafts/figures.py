"""The pictures of this lesson's losses, its training and its greedy and sampled drafts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.palette import INK, LIGHTEST, NEUTRAL, ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.lessons.better_drafts.greedy_or_sampled import crossing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from course_utils.lessons.better_drafts.distilled import Curve

TEMPERATURES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0)


def slopes(alpha: np.ndarray, norms: Mapping[str, np.ndarray], bins: int = 9) -> Picture:
    """Length of each loss's gradient against alpha, both (rows,), in means over like rows."""
    figure, (axes,) = panels(height=4.1)
    edges = np.quantile(alpha, np.linspace(0, 1, bins + 1))
    place = np.clip(np.searchsorted(edges, alpha, side="right") - 1, 0, bins - 1)
    centres = [alpha[place == i].mean() for i in range(bins)]
    ends = []
    others = iter(series(len(norms) - 2))
    for name, norm in norms.items():
        look = {"TV": ROLES["rejected"], "-log α": ROLES["accepted"]}.get(name) or next(others)
        means = [norm[place == i].mean() for i in range(bins)]
        axes.plot(centres, means, label=name, **look.line())
        ends.append(f"{name} {means[0]:.3f} to {means[-1]:.3f}")
    axes.set(xlabel="α at the position", xlim=(0, 1), yscale="log")
    axes.set_ylabel("length of the gradient (log scale)")
    legend_below(figure, 5)
    entitle(figure, "Where the draft is far off, TV hardly pulls, and −log α pulls")
    return picture(
        figure,
        f"Gradient length from alpha {centres[0]:.2f} to {centres[-1]:.2f}: " + "; ".join(ends),
    )


def learning(curve: Curve, reference: float) -> Picture:
    """Alpha on held-out windows against the tokens learned from, beside a trained draft's."""
    figure, (axes,) = panels(height=3.6)
    thousands = np.array(curve.tokens) / 1000
    axes.plot(thousands, curve.alpha, label="this draft", **ROLES["draft"].line())
    axes.axhline(reference, color=NEUTRAL, lw=1.5, label="the pair's own draft, trained for hours")
    axes.set(xlabel="thousand tokens learned from", ylabel="α on held-out windows")
    low, high = min(curve.alpha), max(*curve.alpha, reference)
    axes.set_ylim(low - 0.08 * (high - low), high + 0.08 * (high - low))
    axes.legend(loc="center right")
    gained = curve.alpha[-1] - curve.alpha[0]
    title = f"{thousands[-1]:.0f} thousand tokens of the target's rows: α {gained:+.3f}"
    entitle(figure, title)
    return picture(
        figure,
        f"Alpha from {curve.alpha[0]:.3f} to {curve.alpha[-1]:.3f}; the pair's draft: "
        f"{reference:.3f}",
    )


def losses(entries: Sequence[Mapping], plain: float) -> Picture:
    """Recorded alphas: a row for each loss, a marker for each source of text."""
    figure, (axes,) = panels(height=3.7)
    names = list(dict.fromkeys(entry["loss"] for entry in entries))
    sources = list(dict.fromkeys(entry["text"] for entry in entries))
    looks = zip(sources, series(len(sources)), np.linspace(-0.15, 0.15, len(sources)), strict=True)
    for source, look, shift in looks:
        own = [entry for entry in entries if entry["text"] == source]
        places = [names.index(entry["loss"]) + shift for entry in own]
        axes.plot([e["alpha"] for e in own], places, label=source, **(look.points() | {"ms": 9}))
    axes.axvline(plain, color=NEUTRAL, lw=1.5, label="before")
    axes.set(yticks=range(len(names)), yticklabels=names, xlabel="α on held-out prompts")
    axes.invert_yaxis()
    legend_below(figure, 4)
    best = max(entries, key=lambda entry: entry["alpha"])
    entitle(figure, f"The best of the table: {best['loss']}, on {best['text']}")
    return picture(
        figure,
        f"Before: {plain:.3f}. "
        + "; ".join(f"{e['loss']} on {e['text']} {e['alpha']:.3f}" for e in entries),
    )


def two_kinds(
    panels_of: Mapping[str, Mapping[str, Sequence[float]]],
    temperatures: Sequence[float] = TEMPERATURES,
) -> Picture:
    """Acceptance of a greedy and a sampled draft against temperature: {title: means}."""
    figure, every = panels(len(panels_of), height=3.7)
    said, greedy_wins = [], 0
    for axes, (title, means) in zip(every, panels_of.items(), strict=True):
        _both(axes, means, temperatures)
        axes.set(title=title, xlabel="temperature T", ylim=(0, 1.03), xlim=(0, None))
        greedy_wins += any(g > s for g, s in zip(means["greedy"], means["sampled"], strict=True))
        at = crossing(temperatures, means)
        crossed = f", crossing by T = {at}" if at else ""
        said.append(
            f"{title}: at the highest T greedy {means['greedy'][-1]:.2f}, sampled "
            f"{means['sampled'][-1]:.2f}{crossed}"
        )
    every[0].set_ylabel("acceptance")
    legend_below(figure, 2)
    entitle(figure, "Which kind of guess is accepted more often depends on the rows and on T")
    return picture(figure, "Acceptance against temperature. " + "; ".join(said))


def _both(axes: Axes, means: Mapping[str, Sequence[float]], temperatures: Sequence[float]) -> None:
    looks = zip(means, (INK, LIGHTEST), ("o", "D"), ("-", "--"), strict=True)
    for name, colour, marker, dash in looks:
        label = f"{name} draft"
        axes.plot(temperatures, means[name], dash, color=colour, marker=marker, label=label)
