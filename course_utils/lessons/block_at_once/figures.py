"""The pictures of this elective: rates by position, and the curves that cross."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from course_utils.classroom.palette import NEUTRAL, ROLES
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture

LOOKS = {"eagle": ROLES["target"], "block": ROLES["draft"]}


def by_position(found: Mapping[str, Sequence[float]]) -> Picture:
    """{name: acceptance of guess 1, 2, ...}"""
    figure, (axes,) = panels(height=3.6)
    for name, values in found.items():
        look = LOOKS.get(name, ROLES["neutral"])
        axes.plot(range(1, len(values) + 1), values, label=name, **look.line())
    axes.set(xlabel="position of the guess", ylabel="mean of Σ min(p, q)", ylim=(0, 1.05))
    legend_below(figure, 3)
    first, last = found["block"][0], found["block"][-1]
    entitle(figure, f"A block knows less of each guess further on: {first:.2f} to {last:.2f}")
    said = "; ".join(
        f"{name} {', '.join(f'{x:.2f}' for x in values)}" for name, values in found.items()
    )
    return picture(figure, f"Acceptance by position: {said}.")


def crossing(
    predicted: Mapping[str, Sequence[float]], measured: Mapping[str, Sequence[float]],
    drafting: Mapping[str, Sequence[float]],
) -> Picture:  # fmt: skip
    """Left: what drafting costs in a round.  Right: speedups, predicted and measured."""
    figure, (left, right) = panels(2, height=3.9)
    for name, look in LOOKS.items():
        gammas = range(1, len(predicted[name]) + 1)
        left.plot(gammas, drafting[name], label=name, **look.line())
        right.plot(gammas, predicted[name], label=name, **look.curve())
        right.plot(gammas, measured[name], label=f"{name}, measured", **look.points())
    left.set(title="drafting in a round", xlabel="γ, guesses per round", ylim=(0, None))
    left.set_ylabel("passes of the target")
    right.axhline(1, lw=1, color=NEUTRAL)
    right.set(title="over plain decoding", xlabel="γ, guesses per round", ylim=(0, None))
    right.set_ylabel("speedup")
    legend_below(figure, 4)
    best = {name: max(values) for name, values in predicted.items()}
    entitle(
        figure,
        f"Predicted at its best γ: block {best['block']:.2f}, eagle {best['eagle']:.2f}",
    )
    said = "; ".join(
        f"{name} predicted {', '.join(f'{x:.2f}' for x in predicted[name])}, measured "
        + ", ".join(f"{x:.2f}" for x in measured[name])
        for name in LOOKS
    )
    return picture(figure, f"Left: drafting per round. Right: speedups over γ. {said}.")
