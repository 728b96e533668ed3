"""Which operations change a row's bits, by the number of rows in the pass."""

from collections.abc import Mapping, Sequence

from course_utils.classroom.palette import INK, NEUTRAL, PALE
from course_utils.classroom.picture import Picture, entitle, panels, picture

Changed = Mapping[str, Sequence[int]]  # by operation: of 2, 3, ... rows, how many change


def grid(found: Mapping[str, Changed]) -> Picture:
    """A panel for each way to compute; a square for each operation and number of rows.

    As much of a square is filled as rows change.
    """
    figure, all_axes = panels(len(found), height=3.4)
    names = list(next(iter(found.values())))
    for axes, (way, changed) in zip(all_axes, found.items(), strict=True):
        for y, name in enumerate(names):
            for rows, n in enumerate(changed[name], 2):
                axes.add_patch(_square(rows, y, 0.8, PALE))
                if n:
                    side = 0.8 * (n / rows) ** 0.5
                    axes.add_patch(_square(rows, y, side, INK))
        last = 1 + len(changed[names[0]])
        axes.set(xlim=(1.4, last + 0.6), ylim=(len(names) - 0.4, -0.6))
        axes.set_xticks(range(2, last + 1))
        axes.set_yticks(range(len(names)), names if axes is all_axes[0] else [""] * len(names))
        axes.set_xlabel("rows in the pass")
        axes.set_title(way)
        axes.tick_params(length=0, colors=NEUTRAL)
        axes.set_aspect("equal")
    entitle(figure, "Rows that get other bits among others than alone")
    words = "; ".join(f"{way}: {_in_words(changed)}" for way, changed in found.items())
    return picture(figure, f"Rows with other bits among 2 to {last} rows than alone. {words}")


def _square(x: float, y: float, side: float, colour: str):
    from matplotlib.patches import Rectangle

    return Rectangle((x - side / 2, y - side / 2), side, side, color=colour, lw=0)


def _in_words(changed: Changed) -> str:
    some = [f"{name} {sum(counts)}" for name, counts in changed.items() if any(counts)]
    return ", ".join(some) or "none"
