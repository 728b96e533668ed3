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


def learning(curve: Curve) -> Picture:
    """Alpha on held-out windows against the tokens learned from."""
    figure, (axes,) = panels(height=3.4)
    thousands = np.array(curve.tokens) / 1000
    axes.plot(thousands, curve.alpha, **ROLES["draft"].line())
    axes.set(xlabel="thousand tokens learned from", ylabel="α on held-out windows")
    room = 0.15 * (max(curve.alpha) - min(curve.alpha)) + 0.002
    axes.set_ylim(min(curve.alpha) - room, max(curve.alpha) + room)
    first, last = curve.alpha[0], curve.alpha[-1]
    entitle(figure, f"From α = {first:.3f} to {last:.3f} on {thousands[-1]:.0f} thousand tokens")
    told = ", ".join(f"{alpha:.3f}" for alpha in curve.alpha)
    return picture(figure, f"Alpha on held-out windows while the draft learns: {told}")


def losses(found: Mapping[tuple[str, str], Sequence[float]], plain: float) -> Picture:
    """Recorded alphas of every seed, {(loss, text): alphas}: a row for each loss, a marker at the
    mean for each source of text, a line from the least to the largest."""
    figure, (axes,) = panels(height=3.7)
    names = list(dict.fromkeys(loss for loss, _ in found))
    sources = list(dict.fromkeys(text for _, text in found))
    means = {key: float(np.mean(alphas)) for key, alphas in found.items()}
    looks = zip(sources, series(len(sources)), np.linspace(-0.2, 0.2, len(sources)), strict=True)
    for source, look, shift in looks:
        own = [(loss, text) for loss, text in found if text == source]
        places = [names.index(loss) + shift for loss, _ in own]
        ends = [min(found[key]) for key in own], [max(found[key]) for key in own]
        axes.hlines(places, *ends, color=look.colour, lw=1.5)
        axes.plot([means[key] for key in own], places, label=source, **look.points() | {"ms": 8})
    axes.axvline(plain, color=NEUTRAL, lw=1.5, label="before")
    runs = max(map(len, found.values()))
    shown = f"α on held-out prompts: mean, least and largest of {runs} runs"
    axes.set(yticks=range(len(names)), yticklabels=names, xlabel=shown)
    every = [plain, *(alpha for alphas in found.values() for alpha in alphas)]
    room = 0.06 * (max(every) - min(every))
    axes.set_xlim(min(every) - room, max(every) + room)
    axes.invert_yaxis()
    legend_below(figure, 4)
    best = max(means, key=means.get)
    entitle(figure, f"The best of the table: {best[0]}, on {best[1]}")
    return picture(
        figure,
        f"Before: {plain:.3f}. "
        + "; ".join(f"{loss} on {text} {mean:.3f}" for (loss, text), mean in means.items()),
    )


def two_kinds(
    panels_of: Mapping[str, Mapping[str, Sequence[float]]],
    temperatures: Sequence[float] = TEMPERATURES,
) -> Picture:
    """Acceptance of a greedy and a sampled draft against temperature: {title: means}."""
    figure, every = panels(len(panels_of), height=3.7)
    said = []
    for axes, (title, means) in zip(every, panels_of.items(), strict=True):
        _both(axes, means, temperatures)
        axes.set(title=title, xlabel="temperature T", ylim=(0, 1.03), xlim=(0, None))
        at = crossing(temperatures, means)
        crossed = f", crossing by T = {at}" if at else ""
        said.append(
            f"{title}: at the highest T greedy {means['greedy'][-1]:.2f}, sampled "
            f"{means['sampled'][-1]:.2f}{crossed}"
        )
    every[0].set_ylabel("acceptance")
    legend_below(figure, 2)
    entitle(figure, "Neither kind of guess is always the better one")
    return picture(figure, "Acceptance against temperature. " + "; ".join(said))


def _both(axes: Axes, means: Mapping[str, Sequence[float]], temperatures: Sequence[float]) -> None:
    looks = zip(means, (INK, LIGHTEST), ("o", "D"), ("-", "--"), strict=True)
    for name, colour, marker, dash in looks:
        label = f"{name} draft"
        axes.plot(temperatures, means[name], dash, color=colour, marker=marker, label=label)
