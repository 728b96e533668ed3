"""Figures of this lesson: losses, training, and drafts of the target's first layers."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import INK, MEASURED, NEUTRAL, PALE, ROLES, mix, series
from course_utils.classroom.picture import Picture, curves, finished, panels
from course_utils.training.ladder import Rung

EDGES = (0.2, 0.5, 0.8)  # of alpha
BANDS = ("below 0.2", "to 0.5", "to 0.8", "above")


def band_shares(alpha: np.ndarray, lengths: Mapping[str, np.ndarray]) -> dict[str, list[float]]:
    """Return {loss: the share of a batch's gradient that comes from each band of alpha}.

    The first entry is the share of the positions themselves.  Only shares count, since Muon
    and AdamW divide by the length of the whole gradient.
    """
    band = np.searchsorted(EDGES, alpha, side="right")
    every = {"all positions": np.ones(len(alpha)), **lengths}
    return {
        name: [float(x[band == i].sum() / x.sum()) for i in range(len(BANDS))]
        for name, x in every.items()
    }


def shares(alpha: np.ndarray, lengths: Mapping[str, np.ndarray]) -> Picture:
    """Draw `band_shares` as a bar for each loss."""
    figure, (axes,) = panels(height=3.9)
    rows = band_shares(alpha, lengths)
    left = np.zeros(len(rows))
    for i, (name, widths) in enumerate(zip(BANDS, np.array([*rows.values()]).T, strict=True)):
        shade = mix(INK, PALE, i / (len(BANDS) - 1))
        bars = axes.barh(range(len(rows)), widths, 0.66, left, color=shade, edgecolor="white",
                         label=f"α {name}")  # fmt: skip
        labels = [f"{share:.0%}" if share > 0.045 else "" for share in widths]
        axes.bar_label(bars, labels, label_type="center", color="white" if i < 2 else INK)
        left += widths
    axes.set_yticks(range(len(rows)), [*rows])
    axes.set(xlim=(0, 1), xlabel="share of the batch's gradient")
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.grid(visible=False)
    axes.invert_yaxis()
    message = "TV spends the smallest share of a step on hopeless positions"
    return finished(figure, message, len(BANDS))


def learning(alphas: Sequence[float], tokens: int) -> Picture:
    """Draw alpha on held-out windows, at even distances up to `tokens` of training."""
    figure, (axes,) = panels(height=3.4)
    thousands = np.linspace(0, tokens / 1000, len(alphas))
    curves(axes, thousands, {"α": alphas}, "thousand tokens of training",
           "α on held-out windows", [ROLES["draft"]], ylim=(None, None))  # fmt: skip
    rise = f"From α = {alphas[0]:.3f} to {alphas[-1]:.3f}"
    return finished(figure, f"{rise} on {thousands[-1]:.0f} thousand tokens")


def cut(bare: Mapping[int, float], costs: Mapping[int, float], rungs: Sequence[Rung]) -> Picture:
    """Draw alpha of cut and of distilled drafts, and the cost c, over the layers left."""
    figure, (axes,) = panels(height=3.9)
    trained = {rung.layers: rung.alpha for rung in rungs}
    for name, values, look in (
        ("α, cut and distilled", trained, ROLES["accepted"]),
        ("α, cut only", bare, MEASURED),
        ("c, cost ratio", costs, ROLES["draft"]),
    ):
        curves(axes, [*values], {name: [*values.values()]}, "layers used, of 16",
               "α and c (0 to 1)", [look], ylim=(0, 1), xlim=(0, None))  # fmt: skip
    axes.set_xticks(sorted(bare))
    return finished(figure, "Fewer layers cost less; training restores the acceptance", 3)


def losses(alphas: Mapping[tuple[str, str], Sequence[float]], plain: float) -> Picture:
    """Draw the alphas of every seed, {(loss, text): alphas}: a row for each loss, a marker at the
    mean for each source of text, a line from the smallest to the largest."""
    figure, (axes,) = panels(height=3.7)
    names = list(dict.fromkeys(loss for loss, _ in alphas))
    sources = list(dict.fromkeys(text for _, text in alphas))
    means = {key: float(np.mean(each)) for key, each in alphas.items()}
    shifts = np.linspace(-0.2, 0.2, len(sources))
    for source, look, shift in zip(sources, series(len(sources)), shifts, strict=True):
        own = [key for key in alphas if key[1] == source]
        places = [names.index(loss) + shift for loss, _ in own]
        ends = [min(alphas[key]) for key in own], [max(alphas[key]) for key in own]
        axes.hlines(places, *ends, color=look.colour, lw=1.5)
        axes.plot([means[key] for key in own], places, label=source, **look.points() | {"ms": 8})
    axes.axvline(plain, color=NEUTRAL, lw=1.5, label="before")
    runs = max(map(len, alphas.values()))
    xlabel = f"α on held-out prompts: mean, smallest and largest of {runs} runs"
    axes.set(yticks=range(len(names)), yticklabels=names, xlabel=xlabel)
    axes.margins(x=0.06)
    axes.invert_yaxis()
    best = max(means, key=means.get)
    rows = "; ".join(f"{loss} on {text} {mean:.3f}" for (loss, text), mean in means.items())
    alt = f"Before: {plain:.3f}. {rows}"
    return finished(figure, f"The largest α: {best[0]}, on {best[1]}", 4, alt)
