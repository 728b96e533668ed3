"""The pictures of this lesson's losses, of its training and of what is cut off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import INK, MEASURED, NEUTRAL, PALE, ROLES, mix, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.lessons.better_drafts.slopes import shares_of
from course_utils.training.ladder import Rung


def shares(alpha: np.ndarray, lengths: Mapping[str, np.ndarray]) -> Picture:
    """A bar for each loss: the share of a batch's gradient that positions of such an alpha have."""
    figure, (axes,) = panels(height=3.9)
    rows = shares_of(alpha, lengths)
    parts = list(rows[0].shares)
    shades = [mix(INK, PALE, i / (len(parts) - 1)) for i in range(len(parts))]
    left = np.zeros(len(rows))
    for part, shade in zip(parts, shades, strict=True):
        found = np.array([row.shares[part] for row in rows])
        drawn = axes.barh(range(len(rows)), found, 0.66, left, color=shade, edgecolor="white",
                          label=f"α {part}")  # fmt: skip
        written = [f"{share:.0%}" if share > 0.045 else "" for share in found]
        dark = parts.index(part) < 2
        axes.bar_label(drawn, written, label_type="center", color="white" if dark else INK)
        left += found
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    axes.set(xlim=(0, 1), xlabel="share of the batch's gradient")
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.grid(visible=False)
    axes.invert_yaxis()
    legend_below(figure, len(parts))
    entitle(figure, "Which positions lead a step: TV spends least on the hopeless ones")
    told = "; ".join(
        f"{row.name} " + ", ".join(f"{part} {share:.0%}" for part, share in row.shares.items())
        for row in rows
    )
    return picture(figure, f"Shares of a batch's gradient by alpha. {told}")


def learning(alphas: Sequence[float], tokens: int) -> Picture:
    """Alpha on held-out windows, over the tokens learned from, at even distances up to `tokens`."""
    figure, (axes,) = panels(height=3.4)
    thousands = np.linspace(0, tokens / 1000, len(alphas))
    axes.plot(thousands, alphas, **ROLES["draft"].line())
    axes.set(xlabel="thousand tokens learned from", ylabel="α on held-out windows")
    room = 0.15 * (max(alphas) - min(alphas)) + 0.002
    axes.set_ylim(min(alphas) - room, max(alphas) + room)
    entitle(
        figure,
        f"From α = {alphas[0]:.3f} to {alphas[-1]:.3f} on {thousands[-1]:.0f} thousand tokens",
    )
    told = ", ".join(f"{alpha:.3f}" for alpha in alphas)
    return picture(figure, f"Alpha on held-out windows while the draft learns: {told}")


def cut(bare: Mapping[int, float], costs: Mapping[int, float], rungs: Sequence[Rung]) -> Picture:
    """Over the number of layers kept: alpha of the bare cut and of a taught one, and the cost c."""
    figure, (axes,) = panels(height=3.9)
    taught = {rung.layers: rung.alpha for rung in rungs}
    axes.plot(list(taught), list(taught.values()), label="α, taught", **ROLES["accepted"].line())
    axes.plot(list(bare), list(bare.values()), label="α, cut off and no more", **MEASURED.line())
    look = ROLES["draft"].line() | {"color": NEUTRAL}
    axes.plot(list(costs), list(costs.values()), label="c, its cost", **look)
    axes.set(xlabel="layers kept, of 16", ylabel="a share, 0 to 1", ylim=(0, 1), xlim=(0, None))
    axes.set_xticks(sorted(bare))
    legend_below(figure, 3)
    entitle(figure, "Fewer layers cost less; training brings the acceptance back")
    said = {"bare": bare, "taught": taught, "c": costs}
    told = "; ".join(
        f"{name} " + ", ".join(f"{n}: {x:.2f}" for n, x in found.items())
        for name, found in said.items()
    )
    return picture(figure, f"Over the number of layers kept. {told}")


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
    entitle(figure, f"The largest α: {best[0]}, on {best[1]}")
    return picture(
        figure,
        f"Before: {plain:.3f}. "
        + "; ".join(f"{loss} on {text} {mean:.3f}" for (loss, text), mean in means.items()),
    )
