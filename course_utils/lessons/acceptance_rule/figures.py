"""The figures of this lesson: two distributions, darts, and what a rule makes of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from course_utils.classroom.palette import INK, ROLES
from course_utils.classroom.picture import Picture, bars, finished, outline, panels
from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import sample
from course_utils.lessons.acceptance_rule.by_hand import Position
from course_utils.lessons.acceptance_rule.playground import WORDS, P, Q


def overlap_and_residual(words: Sequence[str], p: np.ndarray, q: np.ndarray) -> Picture:
    """Draw p and q (vocabulary,) next to each other, and where each exceeds the other."""
    figure, (distributions, rest) = panels(2, height=4.1)
    places, common = np.arange(len(words)), np.minimum(p, q)
    bars(distributions, words, {"p, the target": (p, "target"), "q, the draft": (q, "draft")})
    distributions.hlines(common, places - 0.42, places + 0.42, color=INK, label="min(p, q)")
    distributions.set(title=f"shared: {common.sum():.2f}", ylabel="probability")
    rare, often = p - common, q - common
    apart = {"p above q": (rare, "correction"), "q above p": (-often, "rejected")}
    bars(rest, words, apart, stacked=True)  # never both over one token
    rest.use_sticky_edges = False
    rest.axhline(0, color=INK, lw=1)
    rest.set(title=f"too rarely: {rare.sum():.2f}, too often: {often.sum():.2f}", ylabel="p − q")
    return finished(figure, "The draft offers some tokens too often and others too rarely", 5)


class Darts(NamedTuple):
    """Arrays (count,) with an entry for each dart; heights are probabilities."""

    drafted: np.ndarray  # the token whose column it hits
    heights: np.ndarray  # under q
    accepted: np.ndarray  # is it also under p?
    corrections: np.ndarray  # where it lands when it is thrown again; the same if accepted
    heights_again: np.ndarray  # between q and p


def throw(p: np.ndarray, q: np.ndarray, count: int, seed: int) -> Darts:
    """Throw `count` darts by the token-wise rule, for rows p and q (vocabulary,)."""
    noise = Noise(seed).round(0)
    drafted = np.array([sample(q, u) for u in noise.uniforms("draft", count)])
    uniforms = np.array(noise.uniforms("verify", count))
    accepted = uniforms < (p / q)[drafted]
    # a uniform that caused a rejection is no longer uniform: two fresh ones for each new throw
    columns, again = np.reshape(noise.uniforms("other", 2 * count), (2, count))
    left = residual(p, q)
    corrections = np.where(accepted, drafted, [sample(left, u) for u in columns])
    heights = uniforms * q[drafted]
    room = q[corrections] + again * (p - q)[corrections]
    return Darts(drafted, heights, accepted, corrections, np.where(accepted, heights, room))


def darts(
    words: Sequence[str], p: np.ndarray, q: np.ndarray, thrown: Darts,
    names: tuple[str, str] = ("p", "q"),
) -> Picture:  # fmt: skip
    """Draw the darts thrown under q, accepted where they are under p, and the rest thrown again.

    Args:
        names: of p and q in the figure.
    """
    target, draft = names
    figure, (first, rebuilt) = panels(2, height=4.1)
    accepted, missed = thrown.accepted, ~thrown.accepted
    # the horizontal position within a column has no meaning: spread the darts evenly
    spread = (np.arange(len(accepted)) * 0.618034 % 1 - 0.5) * 0.7
    places, again = thrown.drafted + spread, thrown.corrections + spread
    for axes, x, heights, role, label in (
        (first, places, thrown.heights, "rejected", "rejected"),
        (rebuilt, again, thrown.heights_again, "correction", "corrections"),
    ):
        green = ROLES["accepted"].points() | {"ms": 2.2, "mew": 0}
        axes.plot(places[accepted], thrown.heights[accepted], label="accepted", **green)
        outline(axes, q, "draft", draft)
        outline(axes, p, "target", target)
        marks = ROLES[role].points() | {"ms": 3.5, "mew": 0}
        axes.plot(x[missed], heights[missed], label=label, **marks)
        axes.set_ylim(0, 1.05 * max(p.max(), q.max()))
        axes.set_xticks(range(len(words)), words)
        axes.grid(visible=False, axis="x")
    title = f"thrown under {draft}: {accepted.mean():.2f} accepted"
    first.set(title=title, ylabel="height, a probability")
    rebuilt.set(title="rejected darts, thrown again")
    alt = (
        f"Left: {len(accepted)} darts fill the columns of {draft}; {accepted.sum()} are also below "
        f"{target}. Right: with the rejected darts thrown again, the columns of {target} are "
        "filled evenly."
    )
    return finished(figure, f"Rejected darts, thrown again, fill the rest of {target}", 5, alt)


def darts_ahead() -> Picture:
    """Draw the darts for a reader who has not met p and q: lesson 00 promises them."""
    p, q = np.array(P), np.array(Q)
    return darts(WORDS, p, q, throw(p, q, 600, seed=0), ("the target", "the draft"))


def on_paper(positions: Sequence[Position], drafted: Sequence[str]) -> Picture:
    """Draw the bars of p and q at each position of a round, with their values in hundredths."""
    figure, axes = panels(len(positions), height=3.9)
    numbers = []
    for number, (ax, position) in enumerate(zip(axes, positions, strict=True)):
        rows = {"p": (position.p, "target")} | ({"q": (position.q, "draft")} if position.q else {})
        bars(ax, position.words, rows, lambda value: f"{100 * value:.0f}")
        for name, (row, _) in rows.items():
            listed = ", ".join(f"{w} {x}" for w, x in zip(position.words, row, strict=True))
            numbers.append(f"position {number + 1}, {name}: {listed}")
        word = f"drafted: {drafted[number]}" if number < len(drafted) else "nothing drafted"
        ax.set(title=f"position {number + 1}, {word}", ylim=(0, 0.56))
        ax.tick_params(labelleft=ax is axes[0])
    axes[0].set_ylabel("probability")
    alt = f"Bars of p and q at {len(positions)} positions. {'; '.join(numbers)}."
    return finished(figure, "A round on paper (numbers in hundredths)", 2, alt)


def built_distributions(
    words: Sequence[str], p: np.ndarray,
    distributions: Mapping[str, tuple[np.ndarray, np.ndarray]], message: str,
    offered: Mapping[str, np.ndarray] | None = None,
) -> Picture:  # fmt: skip
    """Stack the (accepted, corrected) mass of each distribution in the outline of p.

    Args:
        p: the mass (words,) that the output must have.
        message: the title of the figure.
        offered: the mass (words,) that is drafted and may be accepted, in the same panels.
    """
    figure, axes = panels(len(distributions), height=3.9)
    alt = [f"Wanted {_numbers(words, p)}"]
    for ax, (name, (accepted, corrected)) in zip(axes, distributions.items(), strict=True):
        mass = {"accepted drafts": (accepted, "accepted"), "corrections": (corrected, "correction")}
        bars(ax, words, mass, stacked=True)
        if offered:
            outline(ax, offered[name], "draft", "offered by the draft")
        outline(ax, p, "target", "wanted by the target")
        distance = abs(accepted + corrected - p).sum() / 2
        result = f"{accepted.sum():.2f} accepted" if offered else f"TV from p {distance:.3f}"
        ax.set(title=f"{name}: {result}")
        ax.sharey(axes[0])
        alt.append(f"{name}: accepted {_numbers(words, accepted)}")
    axes[0].set_ylabel("probability")
    return finished(figure, message, 4, "; ".join(alt))


def _numbers(words: Sequence[str], row: np.ndarray) -> str:
    return ", ".join(f"{word} {x:.2f}" for word, x in zip(words, row, strict=True))
