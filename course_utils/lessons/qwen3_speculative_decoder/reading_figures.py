"""A picture of what a published program emits: a fall-back that is nearly p."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.palette import NEUTRAL, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture

A_DAY = 24 * 60 * 60 * 1000  # tokens, at 1000 a second


def tokens_to_notice(
    on_a_miss: Callable, placeholders: dict[str, Callable], sizes: Sequence[int]
) -> Picture:
    """After how many sampled tokens a fall-back shows, over the size V of the vocabulary.

    `placeholders` maps a name to a function of V that gives their distribution; the
    favourite is token 11 (or the last) and has probability 0.6.
    """
    figure, (axes,) = panels(height=3.9)
    grid, ends = np.geomspace(min(sizes), max(sizes), 40).astype(int), {}
    for (name, make), look in zip(placeholders.items(), series(len(placeholders)), strict=True):
        for places, style in ((grid, look.curve()), (sizes, look.points())):
            shown = [_tokens(on_a_miss, make, size) for size in places]
            axes.plot(places, shown, label=name if places is grid else None, **style)
        ends[name] = shown[-1]
    axes.axhline(A_DAY, color=NEUTRAL, linewidth=1)
    axes.annotate(
        "a day at 1000 tokens per second", (min(sizes), A_DAY), xytext=(0, 4),
        textcoords="offset points", color=NEUTRAL,
    )  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel="V, tokens in the vocabulary")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.set_ylabel("tokens until it is noticed")
    legend_below(figure, 1)
    entitle(figure, "With even placeholders a large V hides the bias; in bfloat16 it does not")
    told = "; ".join(f"{name}: {tokens:.1e} tokens" for name, tokens in ends.items())
    return picture(figure, f"At a vocabulary of {max(sizes):,}, tokens until noticed: {told}")


def _tokens(on_a_miss: Callable, make: Callable, size: int) -> float:
    p = np.full(size, 0.4 / (size - 1))
    p[min(11, size - 1)] = 0.6
    return on_a_miss(p, make(size))["tokens"]
