"""Alpha against c: where the drafts stand, and what a draft standing there would bring."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from course_utils.classroom.palette import INK, MEASURED, NEUTRAL, ROLES
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.lessons.better_drafts.worth import Worth, best_gain
from course_utils.measuring.speedups import shown
from course_utils.training.ladder import Rung

# of a name: how far from its point, in points, and which end of it stands there
PLACES = (
    ((9, -4), "left"), ((0, 9), "left"), ((0, -18), "left"), ((-9, -4), "right"),
    ((0, 9), "right"), ((0, -18), "right"),
)  # fmt: skip
LEVELS = (0.8, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0)


def map_of_drafts(
    found: Sequence[Worth],
    rungs: Sequence[Rung],
    costs: Sequence[float],
    moves: Mapping[str, Sequence[tuple[str, str]]],
    per_row: float,
) -> Picture:
    """Lines of equal speedup at the best gamma; measured drafts; the ladder as a path; arrows.

    Args:
        costs: c of each rung.
        moves: {what was done: (from, to)}, names of drafts or "2×256" of a rung.
        per_row: what each further row adds to the target's pass.
    """
    figure, (axes,) = panels(height=5.4)
    points = [(w.name, w.alpha, w.c) for w in found]
    shown = [c for _, _, c in points] + list(costs)
    alphas, cs = np.linspace(0.02, 0.995, 60), np.geomspace(min(shown) / 1.6, 1.6 * max(shown), 60)
    gain = np.array([[best_gain(a, c, per_row) for a in alphas] for c in cs])
    axes.contour(alphas, cs, gain, levels=LEVELS, colors=[NEUTRAL], linewidths=0.8)
    # named at the right, where hardly a draft stands; those that leave above or below are not
    for level in (level for level in LEVELS if gain[-1, -1] < level < gain[0, -1]):
        end = alphas[-1], np.interp(-level, -gain[:, -1], cs)
        axes.annotate(
            f"{level:g}x", end, (7, 0), textcoords="offset points", color=NEUTRAL, va="center"
        )
    steps = [(f"{r.layers}×{r.hidden}", r.alpha, c) for r, c in zip(rungs, costs, strict=True)]
    if steps:
        look = ROLES["bonus"].line()
        axes.plot(
            [a for _, a, _ in steps], [c for *_, c in steps], label="more layers kept", **look
        )
    look = ROLES["draft"].points() | {"ms": 9}
    axes.plot([a for _, a, _ in points], [c for *_, c in points], label="measured", **look)
    where = {name: (a, c) for name, a, c in steps + points}
    for (what, arrows), look in zip(moves.items(), (ROLES["accepted"], MEASURED), strict=False):
        axes.plot([], label=what, **look.curve())
        how = {"arrowstyle": "-|>", "lw": 1.8, "shrinkA": 6, "shrinkB": 6, **look.curve()}
        for begin, end in arrows:
            axes.annotate("", where[end], where[begin], arrowprops=how)
    axes.set(xlabel="α", xlim=(0, 1.08), ylim=(cs[0], cs[-1]), yscale="log")
    axes.set_ylabel("c: a drafted token, in passes of the target (log scale)")
    legend_below(figure, 4)
    entitle(figure, "Training goes right; cutting and rounding go down")
    _name_all(figure, axes, points + steps)
    told = "; ".join(f"{name} alpha {a:.2f}, c {c:.2f}" for name, a, c in points)
    return picture(figure, f"Lines of equal speedup at the best gamma. {told}")


def _name_all(figure: Figure, axes: Axes, points: Sequence[tuple[str, float, float]]) -> None:
    """Write each name beside its point, at the first place where nothing else stands."""
    figure.canvas.draw()  # from here on places are known
    at = [axes.transData.transform((x, y)) for _, x, y in points]
    taken = [Bbox.from_bounds(x - 7, y - 7, 14, 14) for x, y in at]
    for name, x, y in points:
        for shift, side in PLACES:
            text = axes.annotate(
                name, (x, y), shift, textcoords="offset points", color=INK, ha=side
            )
            box = text.get_window_extent()
            inside = axes.bbox.containsx(box.x0) and axes.bbox.containsx(box.x1)
            if inside and not any(map(box.overlaps, taken)):
                break
            text.set_visible(False)
        text.set_visible(True)
        taken.append(box)


def as_rows(found: Sequence[Worth], per_row: float) -> list[dict[str, object]]:
    """For the table of this lesson, the best measured first."""
    return [
        {
            "draft": w.name,
            "α": f"{w.alpha:.2f}",
            "c": f"{w.c:.2f}",
            "tokens per round": f"{w.tokens_per_round:.2f}",
            "measured": shown(w.measured, w.tokens_per_round),
            "by α and c, best γ": f"{best_gain(w.alpha, w.c, per_row):.2f}x",
            "memory added": f"{w.added / 1e6:.1f} MB",
        }
        for w in sorted(found, key=lambda w: -w.measured)
    ]
