"""Figures of this lesson: attention weights, a cache's time and memory, acceptance."""

from collections.abc import Sequence

import numpy as np

from course_utils.classroom.palette import INK, NEUTRAL, ROLES, TARGET, mix, series
from course_utils.classroom.picture import Picture, curves, entitle, finished, panels, picture
from course_utils.engines.calculator import cache_bytes, weight_bytes
from course_utils.theory.accelerators import MODELS

LONGEST = 32768  # tokens, of a text that is long

_PALE = mix(TARGET, "#FFFFFF", 0.65)
_KEYS, _VALUES = -2.1, 2.1  # rows of the strips above and below the grid


def attention_weights(weights: Sequence[Sequence[float]], start: int) -> Picture:
    """Draw one head's weights (new, slots): new tokens in rows, slots in columns.

    The first `start` slots were cached before; the last ones are past the text.
    """
    weights = np.asarray(weights, dtype=float)
    n, slots = weights.shape
    figure, (axes,) = panels(height=3.3 + 0.5 * n)
    axes.set_axis_off()
    axes.set(xlim=(-4.6, slots + 3.6), ylim=(n + 3.7, -3.6), xticks=[], yticks=[])
    kinds = [_PALE] * start + [TARGET] * n + ["white"] * (slots - start - n)
    hatch = [""] * (start + n) + ["//"] * (slots - start - n)
    for name, row in (("keys", _KEYS), ("values", n - 1 + _VALUES)):
        axes.text(-0.8, row, name, ha="right", va="center", weight="bold")
        _cells(axes, range(slots), row, kinds, hatch=hatch)
    for i, weight in enumerate(weights):
        axes.text(-0.8, i, f"query of new token {i}", ha="right", va="center")
        axes.text(slots - 0.2, i, f"→ output of {i}", ha="left", va="center")
        # masked slots without weight stay blank
        drawn = [j for j in range(slots) if j <= start + i or weight[j] != 0]
        strengths = [min(1.0, max(0.0, np.nan_to_num(weight[j]))) for j in drawn]
        blues = [mix("#FFFFFF", TARGET, 0.08 + 0.9 * strength) for strength in strengths]
        _cells(axes, drawn, i, blues)
        for j, strength in zip(drawn, strengths, strict=True):
            ink = "white" if strength > 0.6 else INK
            percent = f"{100 * weight[j]:.0f}"
            axes.text(j, i, percent, ha="center", va="center", color=ink, size=10)
    _labels(axes, start, n, slots)
    entitle(figure, "Each new token mixes the values of the tokens it may see")
    rows = "; ".join(
        f"new token {i}: " + " ".join(f"{100 * w:.0f}" for w in row)
        for i, row in enumerate(weights)
    )
    return picture(
        figure, f"Attention of {n} new tokens over {slots} slots, weights in percent. {rows}"
    )


def _cells(axes, slots: Sequence[int], row: float, colours: Sequence[str], **look) -> None:
    edge = {"edgecolor": NEUTRAL, "linewidth": 0.8}
    axes.bar(slots, 1, 1, row - 0.5, color=colours, **edge, **look)


def _labels(axes, start: int, n: int, slots: int) -> None:
    here = (0, start, f"cached: start = {start}"), (start, start + n, f"new: n = {n}")
    for first, end, name in (*here, (start + n, slots, "never read")):
        axes.text((first + end - 1) / 2, _KEYS - 0.95, name, ha="center", va="center")
    below = n - 1 + _VALUES
    for slot in range(slots):
        axes.text(slot, below + 0.85, str(slot), ha="center", va="center", color=NEUTRAL, size=10)
    axes.text(-0.8, below + 0.85, "slot", ha="right", va="center", color=NEUTRAL, size=10)
    for row, label in (
        (_KEYS / 2 - 0.02, "↓ score: query · key / √d, then softmax over the row"),
        (below - _VALUES / 2 + 0.02, "↓ mix: the sum of weight × value is the row's output"),
        (below + 1.85, "Weights in percent, each row sums to 100. Blank: hidden by the mask."),
    ):
        axes.text(-0.4, row, label, va="center", size=10)


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
    places = np.arange(len(right))
    axes.bar(places - 0.2, right, 0.38, label="rolls back", **ROLES["accepted"].bars())
    axes.bar(places + 0.2, wrong, 0.38, label="never rolls back", **ROLES["rejected"].bars())
    axes.set_xticks(places, [f"prompt {i + 1}" for i in places])
    axes.grid(axis="x", visible=False)
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
