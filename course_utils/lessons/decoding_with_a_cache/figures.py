"""Figures of this lesson: attention weights, and the time that a cache saves."""

from collections.abc import Sequence

import numpy as np

from course_utils.classroom.palette import INK, NEUTRAL, ROLES, TARGET, mix, series
from course_utils.classroom.picture import Picture, curves, finished, panels


def attention_weights(weights: Sequence[Sequence[float]], start: int) -> Picture:
    """Draw one head's weights (new, slots): new tokens in rows, slots in columns.

    The first `start` slots were cached before; the last ones are past the text.
    """
    weights = np.asarray(weights, dtype=float)
    n, slots = weights.shape
    figure, (axes,) = panels(height=2.2 + 0.5 * n)
    for (i, j), weight in np.ndenumerate(weights):
        if j > start + i and weight == 0:
            continue  # hidden by the mask: stays blank
        strength = float(np.clip(np.nan_to_num(weight), 0, 1))
        blue = mix("#FFFFFF", TARGET, 0.08 + 0.9 * strength)
        axes.bar(j, 1, 1, i - 0.5, color=blue, edgecolor=NEUTRAL, linewidth=0.8)
        ink = "white" if strength > 0.6 else INK
        axes.text(j, i, f"{100 * weight:.0f}", ha="center", va="center", color=ink)
    kinds = ["cached"] * start + ["new"] * n + ["never\nread"] * (slots - start - n)
    axes.set_xticks(range(slots), [f"{j}\n{kind}" for j, kind in enumerate(kinds)])
    axes.set_yticks(range(n), [f"query of new token {i}" for i in range(n)])
    axes.grid(visible=False)
    axes.set(
        xlim=(-0.5, slots - 0.5), ylim=(n - 0.5, -0.5),
        xlabel="slot with a key and a value; weights in percent, blank: hidden by the mask",
    )  # fmt: skip
    rows = (" ".join(f"{100 * w:.0f}" for w in row) for row in weights)
    alt = "; ".join(f"new token {i}: {row}" for i, row in enumerate(rows))
    message = "Each new token mixes the values of the tokens it may see"
    return finished(figure, message, alt=f"Weights in percent of {slots} slots. {alt}")


def naive_against_cached(
    lengths: Sequence[int], naive: Sequence[float], cached: Sequence[float]
) -> Picture:
    """Draw tokens processed (left) and milliseconds (right) for the next token at each length."""
    figure, (left, right) = panels(2, height=3.8)
    looks, length = [series(2)[1], ROLES["target"]], "length of the text (tokens)"
    counts = {"without a cache": lengths, "with a cache": [1] * len(lengths)}
    curves(left, lengths, counts, length, "tokens processed", looks)
    times = dict(zip(counts, (naive, cached), strict=True))
    curves(right, lengths, times, length, "time of the next token (ms)", looks)
    faster = f"{naive[-1] / cached[-1]:.0f} times as fast"
    return finished(figure, f"After {lengths[-1]} tokens the cache makes a token {faster}", 2)
