"""The picture of this elective: what acceptance sees of a fault, and what the rows say of it."""

from __future__ import annotations

from collections.abc import Mapping

from course_utils.classroom.palette import INK, MEASURED, ROLES
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture

ROUNDING = 1e-3


def verdicts(found: Mapping[str, tuple[float, float, float]]) -> Picture:
    """{way: (acceptance as served, as defined, largest TV of a row)}"""
    figure, (left, right) = panels(2, height=4.0)
    at = range(len(found))
    served, defined, apart = zip(*found.values(), strict=True)
    for shift, values, label, role in (
        (-0.2, served, "as served", "draft"), (0.2, defined, "as the head defines it", "target"),
    ):  # fmt: skip
        left.barh([y + shift for y in at], values, 0.38, label=label, **ROLES[role].bars())
    left.set_yticks(at, list(found))
    left.set(xlabel="acceptance, mean of Σ min(p, q)")
    right.plot(apart, at, **MEASURED.points())
    right.axvline(ROUNDING, color=INK, lw=1.2, ls=":")
    right.set_yticks(at, [""] * len(found))
    right.set(xscale="log", xlim=(1e-8, 3), xlabel="largest TV of a row (dotted: 0.001)")
    for plot in (left, right):
        plot.invert_yaxis()
    legend_below(figure, 2)
    wrong = sum(x > ROUNDING for x in apart)
    entitle(figure, f"The rows convict {wrong} of {len(found)} ways; acceptance leaves doubts")
    said = "; ".join(
        f"{name}: served {s:.2f}, defined {d:.2f}, rows apart {a:.1g}"
        for name, (s, d, a) in found.items()
    )
    return picture(figure, f"Acceptance and distance of rows of {len(found)} ways. {said}.")
