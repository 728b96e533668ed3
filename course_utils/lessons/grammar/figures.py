"""The picture of this elective: where a free draft fails, token by token of one text."""

from __future__ import annotations

from collections.abc import Sequence

from course_utils.classroom.palette import INK, LIGHTEST, ROLES
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.classroom.tokens import visible

SHOWN = 32  # tokens


def along(
    pieces: Sequence[str], free: Sequence[float], masked: Sequence[float], choices: Sequence[int]
) -> Picture:
    """Acceptance of a free and a masked draft at each token of a text.

    Args:
        pieces: the tokens' texts.
        free, masked: sum of min(p, q) there.
        choices: how many tokens the grammar allows there.
    """
    pieces, free, masked, choices = (x[:SHOWN] for x in (pieces, free, masked, choices))
    figure, (axes,) = panels(height=3.6)
    at = range(len(pieces))
    axes.bar(at, masked, 0.8, color=LIGHTEST, label="masked draft")
    axes.bar(at, free, 0.45, label="free draft", **ROLES["draft"].bars())
    one = [i for i in at if choices[i] == 1]
    axes.plot(one, [1.06] * len(one), "v", color=INK, label="one token is allowed")
    axes.set_xticks(at, map(visible, pieces), rotation=90)
    axes.set(ylabel="Σ min(p, q)", ylim=(0, 1.13), xlim=(-0.7, len(pieces) - 0.3))
    legend_below(figure, 3)
    lost = sum(free[i] < 0.5 for i in one)
    told = f"One token is allowed at {len(one)} places"
    entitle(figure, f"{told}; a free draft gives it less than half at {lost}")
    said = "; ".join(
        f"{p!r} free {f:.2f}, masked {m:.2f}" for p, f, m in zip(pieces, free, masked, strict=True)
    )
    return picture(figure, f"Acceptance along a text under a schema. {said}.")
