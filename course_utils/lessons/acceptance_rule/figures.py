"""Pictures of this lesson: two distributions, darts, and distributions rebuilt by a rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.palette import INK, NEUTRAL, PALE, ROLES, Look, mix
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.lessons.acceptance_rule.by_hand import Place
from course_utils.lessons.acceptance_rule.darts import Darts

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def overlap_and_residual(words: Sequence[str], p: np.ndarray, q: np.ndarray) -> Picture:
    """p and q (vocabulary,) beside each other, and what each has more of than the other.

    The rows may be cut to a few tokens; the masses named are those of the tokens shown.
    """
    figure, (distributions, rest) = panels(2, height=4.1)
    places = np.arange(len(words))
    common = np.minimum(p, q)
    distributions.bar(places - 0.21, p, 0.4, label="p, the target", **ROLES["target"].bars())
    distributions.bar(places + 0.21, q, 0.4, label="q, the draft", **ROLES["draft"].bars())
    distributions.hlines(common, places - 0.42, places + 0.42, color=INK, label="min(p, q)")
    distributions.set(title=f"shared: {common.sum():.2f}", ylabel="probability")
    rare, often = p - common, q - common
    rest.bar(places, rare, 0.6, label="p above q", **ROLES["correction"].bars())
    rest.bar(places, -often, 0.6, label="q above p", **ROLES["rejected"].bars())
    rest.axhline(0, color=INK, lw=1)
    rest.set(title=f"too rarely: {rare.sum():.2f}, too often: {often.sum():.2f}", ylabel="p − q")
    for axes in (distributions, rest):
        _name_words(axes, words)
    legend_below(figure, 5)
    entitle(figure, "The draft offers some tokens too often and others too rarely")
    return picture(
        figure,
        f"Left: bars of p and q over {len(words)} tokens, sharing {common.sum():.2f}. "
        f"Right: p minus q, {rare.sum():.2f} above zero and {often.sum():.2f} below.",
    )


def darts(words: Sequence[str], p: np.ndarray, q: np.ndarray, thrown: Darts) -> Picture:
    """Darts thrown under q, accepted where they are under p; the rest thrown again."""
    figure, (first, rebuilt) = panels(2, height=4.1)
    accepted, missed = thrown.accepted, ~thrown.accepted
    # where a dart lies within its column means nothing: spread them evenly
    spread = (np.arange(len(accepted)) * 0.618034 % 1 - 0.5) * 0.7
    places, again = thrown.drafted + spread, thrown.corrections + spread
    small = {"ms": 3.5, "mew": 0}
    for axes in (first, rebuilt):
        axes.plot(
            places[accepted], thrown.heights[accepted], label="accepted",
            **ROLES["accepted"].points() | {"ms": 2.2, "mew": 0},
        )  # fmt: skip
        _outline(axes, q, ROLES["draft"], "q")
        _outline(axes, p, ROLES["target"], "p")
        axes.set_ylim(0, 1.05 * max(p.max(), q.max()))
        _name_words(axes, words)
    first.plot(
        places[missed], thrown.heights[missed], label="rejected, above p",
        **ROLES["rejected"].points() | small,
    )  # fmt: skip
    rebuilt.plot(
        again[missed], thrown.heights_again[missed], label="corrections, above q",
        **ROLES["correction"].points() | small,
    )  # fmt: skip
    title = f"thrown under q: {accepted.mean():.2f} accepted"
    first.set(title=title, ylabel="height, a probability")
    rebuilt.set(title="and thrown again where p has room")
    legend_below(figure, 5, markerscale=2.5)
    entitle(figure, "Rejected darts, thrown again, fill what was missing of p")
    return picture(
        figure,
        f"Left: {len(accepted)} darts fill the columns of q; {accepted.sum()} are also below p. "
        "Right: with the rejected darts thrown again, the columns of p are filled evenly.",
    )


def one_pass(text: Sequence[str], drafted: Sequence[str]) -> Picture:
    """What each row of the target's pass has read, and what its p is about: one row a token."""
    from matplotlib.patches import Rectangle

    tokens, first = [*text, *drafted], len(text) - 1
    figure, (axes,) = panels(height=1.4 + 0.42 * len(tokens))
    for row, word in enumerate(tokens):
        used = row >= first
        for column in range(row + 1):
            colour = ROLES["draft" if column >= len(text) else "target"].colour
            ground = mix(colour, "#FFFFFF", 0.35 if used else 0.8)
            axes.add_patch(Rectangle((column - 0.46, row - 0.42), 0.92, 0.84, fc=ground, lw=0))
        edge = {"fill": False, "ec": INK if used else PALE, "lw": 1.8 if used else 1}
        axes.add_patch(Rectangle((row + 0.54, row - 0.42), 0.92, 0.84, **edge))
        if used:
            axes.text(row + 1, row, f"p{row - first + 1}", ha="center", va="center", weight="bold")
        if not used:
            said = f"known: after {word}"
        elif row < len(tokens) - 1:
            said = f"p{row - first + 1} judges {drafted[row - first]}"
        else:
            said = f"p{row - first + 1} has read all"
        axes.text(
            len(tokens) + 0.8, row, said, va="center", color=INK if used else NEUTRAL,
            weight="bold" if used else "normal",
        )  # fmt: skip
    axes.set(xlim=(-0.6, len(tokens) + 4.0), ylim=(len(tokens) - 0.4, -0.6))
    axes.set_xticks(range(len(tokens)), tokens)
    axes.set_yticks(range(len(tokens)), [f"row of {word}" for word in tokens])
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    many = len(drafted)
    entitle(figure, f"One pass of the target: {many} drafted words, {many + 1} rows to use")
    rows = "; ".join(
        f"p{i + 1} has read {' '.join(tokens[: first + i + 1])}" for i in range(many + 1)
    )
    return picture(figure, f"A triangle: each row reads its word and those before it. {rows}.")


def on_paper(places: Sequence[Place], drafted: Sequence[str]) -> Picture:
    """The bars of p and q at each place of a round, with their numbers."""
    figure, axes = panels(len(places), height=3.9)
    for number, (ax, place) in enumerate(zip(axes, places, strict=True)):
        ticks = np.arange(len(place.words))
        shift = 0.2 if place.q else 0.0
        rows = [(place.p, -shift, "p", "target"), (place.q, shift, "q", "draft")]
        for row, aside, name, role in rows:
            if row is None:
                continue
            ax.bar(ticks + aside, row, 0.38, label=name, **ROLES[role].bars())
            for tick, value in zip(ticks, row, strict=True):
                ax.text(
                    tick + aside, value + 0.008, f"{100 * value:.0f}", ha="center"
                )  # fmt: skip
        word = f"drafted: {drafted[number]}" if number < len(drafted) else "nothing drafted"
        ax.set(title=f"place {number + 1}, {word}", ylim=(0, 0.56))
        _name_words(ax, place.words)
        ax.tick_params(labelleft=ax is axes[0])
    axes[0].set_ylabel("probability")
    legend_below(figure, 2)
    entitle(figure, "A round on paper (numbers in hundredths)")
    said = "; ".join(
        f"place {n}: "
        + ", ".join(
            f"{word} p {place.p[i]:.2f}" + (f" q {place.q[i]:.2f}" if place.q else "")
            for i, word in enumerate(place.words)
        )
        for n, place in enumerate(places, 1)
    )
    return picture(figure, f"Bars of p and q at three places. {said}.")


def built_distributions(
    words: Sequence[str], p: np.ndarray, distributions: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> Picture:
    """Output distributions as stacks of (accepted, corrected) mass, in the outline of p."""
    figure, axes = panels(len(distributions), height=3.9)
    top = 1.08 * max(p.max(), *((a + c).max() for a, c in distributions.values()))
    distances = {
        name: abs(sum(distribution) - p).sum() / 2 for name, distribution in distributions.items()
    }
    for ax, (name, (accepted, corrected)) in zip(axes, distributions.items(), strict=True):
        places = np.arange(len(words))
        ax.bar(places, accepted, 0.7, label="accepted drafts", **ROLES["accepted"].bars())
        ax.bar(
            places, corrected, 0.7, accepted, label="corrections", **ROLES["correction"].bars()
        )  # fmt: skip
        _outline(ax, p, ROLES["target"], "p")
        ax.set(title=f"{name}: TV from p {distances[name]:.3f}", ylim=(0, top))
        _name_words(ax, words)
    axes[0].set_ylabel("probability")
    legend_below(figure, 3)
    exact = [name for name, distance in distances.items() if distance < 1e-12]
    entitle(figure, f"The output is p only with {', '.join(exact) or 'another rule'}")
    return picture(
        figure,
        "Output distributions as stacked bars of accepted and corrected mass against the "
        "outline of p, for: " + ", ".join(distributions),
    )


def _outline(axes: Axes, distribution: np.ndarray, look: Look, name: str) -> None:
    """The columns of a distribution as empty boxes."""
    edge = {"edgecolor": look.colour, "linestyle": look.curve()["linestyle"], "lw": 2}
    axes.bar(np.arange(len(distribution)), distribution, 0.8, fill=False, label=name, **edge)


def _name_words(axes: Axes, words: Sequence[str]) -> None:
    many = len(words) > 5
    axes.set_xticks(
        range(len(words)), words, rotation=45 * many, ha="right" if many else "center",
        rotation_mode="anchor",
    )  # fmt: skip
    axes.grid(visible=False, axis="x")
