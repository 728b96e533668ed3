"""The pictures of this elective: drafters on four kinds of work, and as the draft gets dearer."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from course_utils.classroom.palette import ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.lessons.choosing_a_drafter.workloads import MIXED, Worked, speedups

PRICES = np.linspace(0, 1, 101)  # of a pass of the draft, in passes of the target


def by_kind(found: Mapping[str, Mapping[str, float]]) -> Picture:
    """Speedup in passes of each drafter on each kind of text, as groups of bars."""
    figure, (axes,) = panels(height=4.2)
    kinds = list(next(iter(found.values())))
    width = 0.8 / len(found)
    for i, ((name, values), look) in enumerate(zip(found.items(), series(len(found)), strict=True)):
        places = np.arange(len(kinds)) + (i - (len(found) - 1) / 2) * width
        axes.bar(places, [values[kind] for kind in kinds], width, label=name, **look.bars())
    axes.axhline(1, lw=1, **ROLES["neutral"].curve())
    axes.set_xticks(range(len(kinds)), kinds)
    axes.set(ylabel="tokens per pass spent")
    legend_below(figure, len(found))
    mixed = {name: values[kinds[-1]] for name, values in found.items()}
    entitle(figure, f"Over all texts, {max(mixed, key=mixed.get)} is fastest")
    return picture(
        figure,
        "Tokens per pass spent: "
        + "; ".join(f"{name} {value:.2f} over all" for name, value in mixed.items()),
    )


def as_the_draft_gets_dearer(found: Mapping[str, Mapping[str, Worked]], here: float) -> Picture:
    """Tokens per pass over all texts against c, of drafters whose guesses do not depend on c."""
    figure, (axes,) = panels(height=4.2)
    lines = {
        name: [speedups({name: kinds}, c)[name][MIXED] for c in PRICES]
        for name, kinds in found.items()
    }
    for (name, line), look in zip(lines.items(), series(len(lines)), strict=True):
        axes.plot(PRICES, line, label=name, **look.curve())
    axes.axvline(here, lw=1, **ROLES["neutral"].curve())
    axes.axhline(1, lw=1, **ROLES["neutral"].curve())
    axes.set(xlabel="c: price of a guess of the model, in passes of the target", xlim=(0, 1))
    axes.set(ylabel="tokens per pass spent", ylim=(0, None))
    legend_below(figure, len(found))
    best = [max(lines, key=lambda name: lines[name][i]) for i in range(len(PRICES))]
    changes = [0, *(i for i in range(1, len(best)) if best[i] != best[i - 1])]
    where = " and ".join(f"{PRICES[i]:.2f}" for i in changes[1:])
    entitle(figure, f"Another drafter is fastest from c = {where}" if where else "One is fastest")
    won = (f"{best[i]} from c = {PRICES[i]:.2f}" for i in changes)
    return picture(figure, "Fastest over all texts: " + "; ".join(won))
