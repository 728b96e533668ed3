"""The figure of this elective: what a round brings beside what it costs."""

from collections.abc import Sequence
from dataclasses import dataclass

from course_utils.classroom.palette import INK, MEASURED, ROLES
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture


@dataclass(frozen=True)
class Priced:
    """One engine with one way to guess."""

    name: str
    tokens: float  # per round
    price: float  # of a round, in plain passes of the same engine

    @property
    def speedup(self) -> float:
        return self.tokens / self.price


def prices(found: Sequence[Priced]) -> Picture:
    """A bar for what a round costs, a mark for the tokens that it brings; the best on top."""
    ordered = sorted(found, key=lambda one: one.speedup)
    figure, (axes,) = panels(height=1.2 + 0.36 * len(ordered))
    widest = max(max(one.tokens, one.price) for one in ordered)
    for y, one in enumerate(ordered):
        look = ROLES["accepted" if one.speedup > 1 else "rejected"]
        axes.barh(y, one.price, height=0.6, **look.bars())
        axes.plot(
            [one.tokens], [y], ls="none", marker="D", ms=8, color=MEASURED.colour, mec="white",
            label="tokens that a round brings" if y == 0 else None,
        )  # fmt: skip
        axes.annotate(
            f"{one.speedup:.2f}x", (max(one.tokens, one.price), y), xytext=(9, 0),
            textcoords="offset points", va="center", color=INK,
        )  # fmt: skip
    pays, loses = (
        next((y for y, one in enumerate(ordered) if (one.speedup > 1) == wins), None)
        for wins in (True, False)
    )
    for y, words in ((pays, "passes it costs: the draft pays"), (loses, "passes it costs: loses")):
        if y is not None:
            axes.patches[y].set_label(words)
    axes.set_yticks(range(len(ordered)), [one.name for one in ordered])
    axes.grid(axis="y", visible=False)
    axes.set(xlim=(0, 1.15 * widest), xlabel="plain passes, tokens")
    legend_below(figure, 3)
    losing = sum(one.speedup <= 1 for one in ordered)
    entitle(figure, f"{losing} of {len(ordered)} drafts cost more passes than they bring tokens")
    said = "; ".join(
        f"{one.name}: {one.tokens:.2f} tokens for {one.price:.2f} passes, {one.speedup:.2f}x"
        for one in reversed(ordered)
    )
    return picture(figure, f"What a round brings and costs. {said}.")
