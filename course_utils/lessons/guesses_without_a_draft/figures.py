"""The picture of this elective: what each way to guess brings, by kind of text."""

from __future__ import annotations

from collections.abc import Mapping

from course_utils.classroom.palette import INK, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture


def brought(found: Mapping[str, Mapping[str, float]]) -> Picture:
    """{kind of text: {way: tokens per pass of the target}}"""
    ways = list(next(iter(found.values())))
    figure, (axes,) = panels(height=0.55 * len(ways) + 1.6)
    share = 0.8 / len(found)
    for i, ((kind, by_way), look) in enumerate(zip(found.items(), series(len(found)), strict=True)):
        at = [place + (i - (len(found) - 1) / 2) * share for place in range(len(ways))]
        axes.barh(at, [by_way[way] for way in ways], share, label=kind, **look.bars())
    axes.axvline(1, lw=1.5, color=INK)
    axes.set_yticks(range(len(ways)), ways)
    axes.invert_yaxis()
    axes.set(xlabel="tokens per pass of the target; plain decoding is the line at 1")
    legend_below(figure, len(found))
    entitle(figure, "Old answers alone bring nothing; remembered, they bring what repeats")
    said = "; ".join(
        f"{kind}: " + ", ".join(f"{way} {x:.2f}" for way, x in by_way.items())
        for kind, by_way in found.items()
    )
    return picture(figure, f"Tokens per pass, greedy. {said}.")
