"""Alpha against c: where the drafts stand, and what a draft standing there would bring."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import INK, NEUTRAL, ROLES
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.lessons.better_drafts.worth import Worth, best_gain
from course_utils.training.ladder import Rung

LEVELS = (0.8, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0)


def map_of_drafts(
    found: Sequence[Worth], rungs: Sequence[Rung], costs: Sequence[float], per_row: float
) -> Picture:
    """Lines of equal speedup at the best gamma; measured drafters, and the ladder as a path.

    Args:
        costs: c of each rung.
        per_row: what each further row adds to the target's pass.
    """
    figure, (axes,) = panels(height=5.4)
    points = [(w.name, w.alpha, w.c) for w in found if w.c is not None and w.alpha is not None]
    shown = [c for _, _, c in points] + list(costs)
    alphas, cs = np.linspace(0.02, 0.995, 60), np.geomspace(min(shown) / 2, 1.6 * max(shown), 60)
    gain = np.array([[best_gain(a, c, per_row) for a in alphas] for c in cs])
    lines = axes.contour(alphas, cs, gain, levels=LEVELS, colors=[NEUTRAL], linewidths=1)
    axes.clabel(lines, fmt=lambda level: f"{level:g}x", fontsize=11)
    axes.plot(
        [rung.alpha for rung in rungs], costs, label="drafts of other shapes (ladder)",
        **ROLES["bonus"].line(),
    )  # fmt: skip
    for rung, c in zip(rungs, costs, strict=True):
        axes.annotate(
            f"{rung.layers}×{rung.hidden}", (rung.alpha, c), (-7, 5), textcoords="offset points",
            color=INK, ha="right",
        )  # fmt: skip
    look = ROLES["draft"].points() | {"ms": 9}
    axes.plot([a for _, a, _ in points], [c for *_, c in points], label="measured", **look)
    for i, (name, alpha, c) in enumerate(sorted(points, key=lambda point: point[2])):
        side = "right" if alpha > 0.85 else "center"
        axes.annotate(
            name, (alpha, c), (0, 9 if i % 2 else -17), textcoords="offset points",
            color=INK, ha=side,
        )  # fmt: skip
    axes.set(xlabel="α", xlim=(0, 1.02), yscale="log")
    axes.set_ylabel("c: a drafted token, in passes of the target (log scale)")
    legend_below(figure, 2)
    entitle(figure, "Right and cheap: a draft must be both")
    told = "; ".join(f"{name} alpha {a:.2f}, c {c:.2f}" for name, a, c in points)
    return picture(figure, f"Lines of equal speedup at the best gamma. {told}")


def as_rows(found: Sequence[Worth]) -> list[Mapping[str, object]]:
    """For the table of this lesson, the best measured first."""
    return [
        {
            "draft": w.name,
            "α": "" if w.alpha is None else f"{w.alpha:.2f}",
            "c": "" if w.c is None else f"{w.c:.3f}",
            "tokens per round": f"{w.tokens_per_round:.2f}",
            "predicted": f"{w.predicted:.2f}x",
            "measured": f"{w.measured:.2f}x",
            "memory added": f"{w.added / 1e6:.1f} MB",
        }
        for w in sorted(found, key=lambda w: -w.measured)
    ]
