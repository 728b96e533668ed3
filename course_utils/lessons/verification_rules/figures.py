"""The figure of this lesson: what the draft offers, and how much of it is accepted."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.picture import Picture, bars, finished, outline, panels


def offers(
    names: Sequence[str], wanted: np.ndarray, offered: Mapping[str, np.ndarray], message: str
) -> Picture:
    """Plot how much of each offer is accepted, and how much is corrected.

    wanted (names,): mass that the output must have; offered[panel] (names,): mass that is
    drafted and may be accepted.  Accepted is the smaller of the two.  `message` is the title.
    """
    figure, axes = panels(len(offered), height=3.9)
    top = 1.1 * max(wanted.max(), *(o.max() for o in offered.values()))
    alt = [f"Wanted {_numbers(names, wanted)}"]
    for ax, (panel, offer) in zip(axes, offered.items(), strict=True):
        mass = np.minimum(wanted, offer)
        parts = {"accepted": (mass, "accepted"), "corrected": (wanted - mass, "correction")}
        bars(ax, names, parts, stacked=True)
        outline(ax, offer, "draft", "offered by the draft")
        outline(ax, wanted, "target", "wanted by the target")
        ax.set(title=f"{panel}: {mass.sum():.2f} accepted", ylim=(0, top))
        alt.append(f"{panel}: accepted {_numbers(names, mass)}")
    axes[0].set_ylabel("probability")
    return finished(figure, message, 4, "; ".join(alt))


def _numbers(names: Sequence[str], row: np.ndarray) -> str:
    return ", ".join(f"{name} {x:.2f}" for name, x in zip(names, row, strict=True))
