"""The figure of this lesson: what the draft offers, and how much of it is accepted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.palette import ROLES
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def offers(
    names: Sequence[str], wanted: np.ndarray, offered: Mapping[str, np.ndarray], message: str
) -> Picture:
    """Plot how much of each offer is accepted, and how much is corrected.

    wanted (names,): mass that the output must have; offered[panel] (names,): mass that is
    drafted and may be accepted.  Accepted is the smaller of the two.  `message` is the title.
    """
    figure, axes = panels(len(offered), height=3.9)
    top = 1.1 * max(wanted.max(), *(o.max() for o in offered.values()))
    accepted = {panel: np.minimum(wanted, o) for panel, o in offered.items()}
    for ax, (panel, offer) in zip(axes, offered.items(), strict=True):
        mass = accepted[panel]
        _stack(ax, names, mass, wanted - mass)
        _outline(ax, offer, "draft", "offered by the draft")
        _outline(ax, wanted, "target", "wanted by the target")
        ax.set(title=f"{panel}: {mass.sum():.2f} accepted", ylim=(0, top))
    axes[0].set_ylabel("probability")
    legend_below(figure, 4)
    entitle(figure, message)
    return picture(
        figure,
        f"Wanted {_numbers(names, wanted)}. "
        + "; ".join(f"{panel}: accepted {_numbers(names, a)}" for panel, a in accepted.items()),
    )


def _stack(axes: Axes, names: Sequence[str], accepted: np.ndarray, corrected: np.ndarray) -> None:
    places = np.arange(len(names))
    axes.bar(places, accepted, 0.7, label="accepted", **ROLES["accepted"].bars())
    axes.bar(places, corrected, 0.7, accepted, label="corrected", **ROLES["correction"].bars())
    axes.set_xticks(places, names)
    axes.grid(visible=False, axis="x")


def _outline(axes: Axes, row: np.ndarray, role: str, label: str) -> None:
    """Draw empty boxes; the draft's are wider, so that both are visible where they are equal."""
    look, width = ROLES[role], 0.92 if role == "draft" else 0.8
    edge = {"edgecolor": look.colour, "linestyle": look.curve()["linestyle"], "lw": 2}
    axes.bar(np.arange(len(row)), row, width, fill=False, label=label, **edge)


def _numbers(names: Sequence[str], row: np.ndarray) -> str:
    return ", ".join(f"{name} {x:.2f}" for name, x in zip(names, row, strict=True))
