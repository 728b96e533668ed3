"""The picture of attention: queries meet keys, the future is hidden, values are mixed."""

from collections.abc import Sequence

import numpy as np

from course_utils.classroom.palette import INK, NEUTRAL, TARGET, mix
from course_utils.classroom.picture import Picture, entitle, panels, picture

_PALE = mix(TARGET, "#FFFFFF", 0.65)
_KEYS, _VALUES = -2.1, 2.1  # rows of the strips above and below the grid


def attention_weights(weights: Sequence[Sequence[float]], start: int) -> Picture:
    """One head: weights (new, slots) of new tokens (rows) over slots (columns);
    the first `start` slots were there before, the last ones lie behind the text.
    """
    weights = np.asarray(weights, dtype=float)
    n, slots = weights.shape
    figure, (axes,) = panels(height=3.3 + 0.5 * n)
    axes.set_axis_off()
    axes.set(xlim=(-4.6, slots + 3.6), ylim=(n + 3.7, -3.6), xticks=[], yticks=[])
    kinds = [_PALE] * start + [TARGET] * n + ["white"] * (slots - start - n)
    for name, row in (("keys", _KEYS), ("values", n - 1 + _VALUES)):
        axes.text(-0.8, row, name, ha="right", va="center", weight="bold")
        for slot, colour in enumerate(kinds):
            _cell(axes, slot, row, colour, hatch="" if colour != "white" else "//")
    for i in range(n):
        axes.text(-0.8, i, f"query of new token {i}", ha="right", va="center")
        axes.text(slots - 0.2, i, f"→ output of {i}", ha="left", va="center")
        for slot in range(slots):
            _weight(axes, slot, i, weights[i, slot], slot <= start + i)
    _words(axes, start, n, slots)
    entitle(figure, "Each new token asks, and mixes the values of what it may see")
    rows = "; ".join(
        f"new token {i}: " + " ".join(f"{100 * w:.0f}" for w in row)
        for i, row in enumerate(weights)
    )
    return picture(
        figure, f"Attention of {n} new tokens over {slots} slots, weights in percent. {rows}"
    )


def _cell(axes, slot: int, row: float, colour: str, hatch: str = "") -> None:
    from matplotlib.patches import Rectangle

    look = {"facecolor": colour, "edgecolor": NEUTRAL, "linewidth": 0.8, "hatch": hatch}
    axes.add_patch(Rectangle((slot - 0.5, row - 0.5), 1, 1, **look))


def _weight(axes, slot: int, row: int, weight: float, may_see: bool) -> None:
    """A weight in percent; what may not be seen and has none is blank."""
    if not may_see and weight == 0:
        return
    strength = min(1.0, max(0.0, np.nan_to_num(weight)))
    _cell(axes, slot, row, mix("#FFFFFF", TARGET, 0.08 + 0.9 * strength))
    ink = "white" if strength > 0.6 else INK
    axes.text(slot, row, f"{100 * weight:.0f}", ha="center", va="center", color=ink, size=10)


def _words(axes, start: int, n: int, slots: int) -> None:
    here = (0, start, f"cached: start = {start}"), (start, start + n, f"new: n = {n}")
    for first, end, name in (*here, (start + n, slots, "never read")):
        axes.text((first + end - 1) / 2, _KEYS - 0.95, name, ha="center", va="center")
    below = n - 1 + _VALUES
    for slot in range(slots):
        axes.text(slot, below + 0.85, str(slot), ha="center", va="center", color=NEUTRAL, size=10)
    axes.text(-0.8, below + 0.85, "slot", ha="right", va="center", color=NEUTRAL, size=10)
    for row, said in (
        (_KEYS / 2 - 0.02, "↓ score: query · key / √d, then softmax over the row"),
        (below - _VALUES / 2 + 0.02, "↓ mix: the sum of weight × value is the row's output"),
        (below + 1.85, "Weights in percent, each row sums to 100. Blank: hidden by the mask."),
    ):
        axes.text(-0.4, row, said, va="center", size=10)
