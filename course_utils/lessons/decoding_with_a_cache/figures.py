"""Figures of this lesson: attention weights, a cache's time and memory, acceptance."""

from collections.abc import Sequence

import numpy as np

from course_utils.classroom.palette import INK, NEUTRAL, ROLES, TARGET, mix, series
from course_utils.classroom.picture import Picture, bars, curves, finished, panels
from course_utils.engines.calculator import cache_bytes, weight_bytes
from course_utils.theory.accelerators import MODELS

LONGEST = 32768  # tokens, of a text that is long


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


def acceptance_against(right: Sequence[float], wrong: Sequence[float]) -> Picture:
    """Draw accepted / examined per prompt, for a draft that rolls back and one that does not."""
    figure, (axes,) = panels(height=3.6)
    prompts = [f"prompt {i + 1}" for i in range(len(right))]
    rows = {"rolls back": (right, "accepted"), "never rolls back": (wrong, "rejected")}
    bars(axes, prompts, rows)
    axes.set(ylim=(0, 1), ylabel="accepted / examined")
    falls = f"from {np.mean(right):.2f} to {np.mean(wrong):.2f}"
    return finished(figure, f"Same text, but acceptance falls {falls}", 2)


def cache_of_qwen3() -> Picture:
    """Draw the gigabytes of a text's cache over its length, and of the weights, in bfloat16."""
    figure, (axes,) = panels(height=3.8)
    lengths, lines, looks, heaviest = [0, LONGEST / 1000], {}, [], 0.0
    for name, look in zip(("Qwen3-0.6B", "Qwen3-4B"), series(2), strict=True):
        cache, weights = cache_bytes(MODELS[name], LONGEST), weight_bytes(MODELS[name])
        lines[f"{name}: cache"] = [0, cache / 1e9]
        lines[f"{name}: weights"] = [weights / 1e9] * 2
        looks += [look, look._replace(dash=(1, 1))]
        heaviest = max(heaviest, cache / weights)
    curves(axes, lengths, lines, "length of the text (thousands of tokens)", "memory (GB)", looks)
    message = f"The cache of one long text can be {heaviest:.1f} times as large as its model"
    return finished(figure, message, 2)
