"""The one figure of this lesson: what each way of decoding asks of the target."""

from course_utils.classroom.palette import ROLES
from course_utils.classroom.picture import Picture, entitle, panels, picture
from course_utils.decoding.metrics import Metrics


def call_strips(plain: Metrics, speculative: Metrics, lengths: list[int]) -> Picture:
    """Two strips over the same tokens, cut where a new call of the target begins.

    Args:
        lengths: tokens emitted by each speculative round, in order.
    """
    figure, (axes,) = panels(height=2.6)
    cut = ROLES["target"].bars() | {"height": 0.55, "linewidth": 1}
    axes.barh([1] * plain.tokens, 1, left=range(plain.tokens), **cut)
    start = 0
    for length in lengths:
        axes.barh(0, length, left=start, **cut)
        if length > 2:
            axes.text(start + length / 2, 0, str(length), ha="center", va="center", color="white")
        start += length
    axes.set_yticks([0, 1], [f"speculative: {len(lengths)} calls", f"plain: {plain.rounds} calls"])
    axes.set(xlabel="token of the text; each bar is one call of the target", xlim=(0, plain.tokens))
    axes.grid(False)
    saved = 1 - speculative.rounds / plain.rounds
    entitle(figure, f"The same {plain.tokens} tokens, {saved:.0%} of the target's calls saved")
    return picture(
        figure,
        f"Two strips over the same {plain.tokens} tokens. Plain decoding is cut into "
        f"{plain.rounds} calls of the target, speculative decoding into {len(lengths)}.",
    )
