"""The figures of this lesson: two distributions, darts, and what a rule makes of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from course_utils.classroom.palette import INK, NEUTRAL, PALE, ROLES, mix
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


def one_pass(text: Sequence[str], drafted: Sequence[str]) -> Picture:
    """Draw which words each row of the target's pass has read, and which position it predicts."""
    from matplotlib.patches import Rectangle

    tokens, first = [*text, *drafted], len(text) - 1
    figure, (axes,) = panels(height=1.4 + 0.42 * len(tokens))
    known = [f"known: after {word}" for word in tokens[:first]]
    judges = [f"p{i} judges {word}" for i, word in enumerate(drafted, 1)]
    roles = [*known, *judges, f"p{len(drafted) + 1} has read all"]

    def box(column: int, row: int, **look: object) -> None:
        axes.add_patch(Rectangle((column - 0.46, row - 0.42), 0.92, 0.84, **look))

    for row, role in enumerate(roles):
        used = row >= first
        for column in range(row + 1):
            colour = ROLES["draft" if column >= len(text) else "target"].colour
            box(column, row, fc=mix(colour, "#FFFFFF", 0.35 if used else 0.8), lw=0)
        box(row + 1, row, fill=False, ec=INK if used else PALE, lw=1.8 if used else 1)
        if used:
            axes.text(row + 1, row, f"p{row - first + 1}", ha="center", va="center", weight="bold")
        look = {"color": INK, "weight": "bold"} if used else {"color": NEUTRAL}
        axes.text(len(tokens) + 0.8, row, role, va="center", **look)
    axes.set(xlim=(-0.6, len(tokens) + 4.0), ylim=(len(tokens) - 0.4, -0.6))
    axes.set_xticks(range(len(tokens)), tokens)
    axes.set_yticks(range(len(tokens)), [f"row of “{word}”" for word in tokens])
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    rows = "; ".join(f"{' '.join(tokens[: i + 1])}: {roles[i]}" for i in range(first, len(tokens)))
    message = f"{len(drafted)} drafted words, {len(drafted) + 1} rows to use"
    alt = f"Each row reads its word and those before it. {rows}."
    return finished(figure, f"One pass of the target: {message}", alt=alt)


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
    words: Sequence[str], p: np.ndarray, distributions: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> Picture:
    """Stack the (accepted, corrected) mass of each output distribution in the outline of p."""
    figure, axes = panels(len(distributions), height=3.9)
    top = 1.08 * max(p.max(), *(sum(parts).max() for parts in distributions.values()))
    exact = []
    for ax, (name, (accepted, corrected)) in zip(axes, distributions.items(), strict=True):
        mass = {"accepted drafts": (accepted, "accepted"), "corrections": (corrected, "correction")}
        bars(ax, words, mass, stacked=True)
        outline(ax, p, "target", "p")
        distance = abs(accepted + corrected - p).sum() / 2
        exact += [name] if distance < 1e-12 else []
        ax.set(title=f"{name}: TV from p {distance:.3f}", ylim=(0, top))
    axes[0].set_ylabel("probability")
    return finished(figure, f"The output is p only with {', '.join(exact) or 'another rule'}", 3)
