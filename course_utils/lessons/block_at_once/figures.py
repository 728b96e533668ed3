"""Figures of this elective: acceptance by position, and the speedups of chain and block."""

from collections.abc import Mapping, Sequence

from course_utils.classroom.palette import NEUTRAL, ROLES
from course_utils.classroom.picture import Picture, curves, finished, panels

LOOKS = [ROLES["target"], ROLES["draft"], ROLES["neutral"]]  # EAGLE, block, no error


def by_position(rates: Mapping[str, Sequence[float]]) -> Picture:
    """Plot {name: acceptance of guess 1, 2, ...}."""
    figure, (axes,) = panels(height=3.6)
    guesses = range(1, len(rates["block"]) + 1)
    curves(axes, guesses, rates, "position of the guess", "acceptance", LOOKS, ylim=(0, 1.05))
    first, *_, last = rates["block"]
    message = f"A block's acceptance falls with each guess: {first:.2f} to {last:.2f}"
    return finished(figure, message, columns=3)


def crossing(
    predicted: Mapping[str, Sequence[float]], measured: Mapping[str, Sequence[float]]
) -> Picture:
    """Plot the speedups for gamma = 1, 2, ...: {name: predicted}, {name: measured}."""
    figure, (axes,) = panels(height=3.9)
    gammas = range(1, len(predicted["block"]) + 1)
    for (name, values), look in zip(measured.items(), LOOKS, strict=False):
        axes.plot(gammas, values, label=f"{name}, measured", **look.points())
    curves(axes, gammas, predicted, "γ, guesses per round", "speedup", LOOKS[:2])
    axes.axhline(1, lw=1, color=NEUTRAL)
    best = " and ".join(f"{name} {max(values):.2f}" for name, values in predicted.items())
    return finished(figure, f"Predicted speedups at the best γ: {best}", columns=4)
