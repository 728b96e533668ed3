"""What was measured for a plan, and the plan beside the clock."""

import numpy as np

from course_utils.classroom.palette import MEASURED, NEUTRAL, ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.decoding.theory import speedup as textbook
from course_utils.lessons.speedup_theory.calibration import Calibration, Clock
from course_utils.lessons.speedup_theory.figures import mark_slower
from course_utils.measuring.speedups import mark_impossible


def calibration(found: Calibration) -> Picture:
    """Left: the rate at each position of a draft. Right: v(k), a pass over k tokens."""
    figure, (left, right) = panels(2, height=3.9)
    rates, errors = np.array(found.rates), 2 * np.array(found.errors)
    positions = range(1, len(rates) + 1)
    left.errorbar(positions, rates, errors, capsize=3, label="measured", **MEASURED.points())
    left.axhline(found.alpha, label=f"one α = {found.alpha:.2f}", **series(2)[1].curve())
    left.set(title="accepted, given the ones before", ylabel="probability", ylim=(0, 1.05))
    left.set(xlabel="position in the draft", xticks=positions)
    left.legend(loc="lower left")
    passes, v = list(found.passes), list(found.passes.values())
    right.plot(passes, v, label="measured", **ROLES["target"].line())
    right.axhline(1, color=NEUTRAL, lw=1, label="“verification is free”")
    right.plot(passes, passes, label="no parallelism at all", **ROLES["neutral"].curve())
    right.set(title="a pass over k tokens", xlabel="k, tokens in one pass", xticks=passes)
    right.set(ylabel="v(k), in passes over 1 token", ylim=(0, 1.5 * max(v)))
    right.legend(loc="lower right")
    entitle(figure, f"A pass over {passes[-1]} tokens costs {v[-1]:.2f} passes over one")
    return picture(
        figure,
        f"Left: acceptance by position, from {rates[0]:.2f} to {rates[-1]:.2f}, around alpha "
        f"{found.alpha:.2f}. Right: v(k) is {v[-1]:.2f} at k = {passes[-1]}.",
    )


def planned_and_measured(planned: dict, clock: Clock, found: Calibration) -> Picture:
    """Left: tokens per round. Right: speedup; `planned` is what the planner returned."""
    figure, (left, right) = panels(2, height=4.2)
    gammas, (ours, plain) = clock.gammas, series(2)
    low, middle, high = clock.speedup
    best = int(planned["best"])
    left.plot(gammas, planned["tokens"], **ours.curve())
    left.plot(gammas, clock.tokens, **MEASURED.points())
    left.set(title="tokens per round", ylabel="tokens", ylim=(0, None))
    right.plot(gammas, planned["speedup"], label="planned", **ours.curve())
    free = [textbook(found.alpha, gamma, found.c) for gamma in gammas]
    right.plot(gammas, free, label="planned with v = 1, o = 0, one α", **plain.curve())
    right.errorbar(
        gammas, middle, [middle - low, high - middle], capsize=3,
        label="measured (speedup: median and quartiles)", **MEASURED.points(),
    )  # fmt: skip
    ring = ours.points() | {"marker": "o", "mfc": "none", "mew": 2, "ms": 13}
    right.plot(best, planned["speedup"][best], label="the plan's best γ", **ring)
    mark_slower(right)
    tokens = dict(zip(gammas, clock.tokens, strict=True))
    marked = mark_impossible(right, dict(zip(gammas, middle, strict=True)), tokens)
    right.set(title="speedup", ylabel="speedup over γ = 0", ylim=(0, None))
    for axes in (left, right):
        axes.set(xlabel="γ, drafted tokens per round", xticks=gammas)
    legend_below(figure, 2)
    reached = middle[gammas.index(best)] / middle.max()
    entitle(figure, f"The planned γ = {best} reached {reached:.0%} of the best measured speed")
    return picture(
        figure,
        f"Left: tokens per round, planned and measured. Right: speedup, planned best "
        f"{planned['speedup'][best]:.2f} at gamma {best}; measured best {middle.max():.2f} at "
        f"gamma {gammas[int(middle.argmax())]}{marked or '.'}",
    )
