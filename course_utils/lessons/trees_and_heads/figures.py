"""The pictures of this lesson: masks, ranks, shapes, what a head reads, two ways to train one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import INK, PALE, ROLES, mix, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.decoding.trees import ancestors, depths


def masks(shapes: Mapping[str, Sequence[int]]) -> Picture:
    """Who sees whom: a square for each shape, a filled cell where row sees column."""
    from matplotlib.colors import ListedColormap

    figure, axes = panels(len(shapes), height=2.9)
    colours = ListedColormap([PALE, ROLES["target"].colour])
    for plot, (name, parents) in zip(axes, shapes.items(), strict=True):
        n = len(parents)
        plot.pcolormesh(
            range(n), range(n), ancestors(parents), cmap=colours, edgecolor="white", linewidth=2
        )
        plot.set(
            ylim=(n - 0.5, -0.5), xticks=range(n), yticks=range(n),
            yticklabels=[f"{i}: +{d}" for i, d in enumerate(depths(parents))], title=name,
            xlabel="is seen", aspect="equal",
        )  # fmt: skip
        plot.grid(False)
    axes[0].set_ylabel("node: + its depth")
    entitle(figure, "A chain's mask is causal; in a tree cousins do not see each other")
    return picture(figure, f"Masks of ancestors of {', '.join(shapes)}: filled where seen.")


def ranks(found: Mapping[str, Sequence[float]]) -> Picture:
    """Acceptance of the child of each rank, given that its parent was reached."""
    figure, (axes,) = panels(height=3.3)
    width = 0.8 / len(found)
    for i, ((name, rates), look) in enumerate(zip(found.items(), series(len(found)), strict=True)):
        places = np.arange(1, len(rates) + 1) + (i - (len(found) - 1) / 2) * width
        axes.bar(places, rates, width, label=name, **look.bars())
    axes.set(xlabel="child, in the order in which they are judged", ylabel="accepted", ylim=(0, 1))
    axes.set_xticks(range(1, len(rates) + 1))
    legend_below(figure, len(found))
    entitle(figure, "The second guess is worth a fraction of the first")
    said = "; ".join(f"{n}: {', '.join(f'{x:.2f}' for x in r)}" for n, r in found.items())
    return picture(figure, f"Acceptance by rank. {said}.")


def shapes(found: Mapping[str, Mapping[str, tuple[float, float]]]) -> Picture:
    """{temperature: {shape: (tokens per round, milliseconds per token)}}"""
    figure, (tokens, times) = panels(2, height=3.9)
    for (label, by_shape), look in zip(found.items(), series(len(found)), strict=True):
        names = list(by_shape)
        at, share = np.arange(len(names)), 0.8 / len(found)
        at = at + (list(found).index(label) - (len(found) - 1) / 2) * share
        for plot, part in ((tokens, 0), (times, 1)):
            values = [by_shape[name][part] for name in names]
            plot.barh(at, values, share, label=label, **look.bars())
            plot.set_yticks(range(len(names)), names if part == 0 else [""] * len(names))
            plot.invert_yaxis() if label == list(found)[-1] else None
    tokens.set(xlabel="tokens per round")
    times.set(xlabel="milliseconds per token")
    legend_below(figure, len(found))
    most = {label: max(by, key=lambda n: by[n][0]) for label, by in found.items()}
    fastest = {label: min(by, key=lambda n: by[n][1]) for label, by in found.items()}
    first = next(iter(found))
    entitle(figure, f"{first}: most tokens from {most[first]}, fastest {fastest[first]}")
    return picture(
        figure,
        "Tokens per round and time per token of tree shapes: "
        + "; ".join(f"{t}: most tokens {most[t]}, fastest {fastest[t]}" for t in found),
    )


def costs(v: Sequence[float], roof: int) -> Picture:
    """v(k), the time of the target's pass over k tokens."""
    figure, (axes,) = panels(height=3.0)
    k = range(1, len(v) + 1)
    axes.plot(k, v, label="measured here", **ROLES["target"].line())
    axes.plot(k, [1.0] * len(v), label="if further rows were free", **ROLES["neutral"].curve())
    axes.set(xlabel="tokens in the pass", ylabel="v(k), in passes over one", ylim=(0, 1.1 * max(v)))
    axes.set_xticks(range(1, len(v) + 1, 2))
    legend_below(figure, 2)
    entitle(figure, f"A pass over {roof} tokens costs {v[roof - 1]:.1f} passes over one here")
    return picture(figure, f"v(k) rises from 1 to {v[-1]:.2f} at {len(v)} tokens.")


def reading() -> Picture:
    """Which state and token go in, and which position comes out: Medusa and an unrolled head."""
    figure, axes = panels(2, height=3.6)
    for plot, title in zip(axes, ("Medusa: all at once", "MTP, EAGLE: step by step"), strict=True):
        plot.set(xlim=(-0.7, 4.7), ylim=(-0.8, 3.1), title=title, xticks=range(5), yticks=[])
        plot.set_xticklabels(["t", "t+1", "t+2", "t+3", "t+4"])
        plot.grid(False)
        plot.set_xlabel("position in the text")
        for x in range(2):
            _node(plot, x, 0, "token", "target")
        _node(plot, 0, 1, "state", "target")
    for k in range(3):
        _node(axes[0], k + 2, 2.4, f"k = {k}", "draft")
        _arrow(axes[0], (0, 1), (k + 2, 2.4))
        _node(axes[1], k + 2, 0, "guess", "draft")
        _node(axes[1], k + 1, 1.9, f"s = {k}", "draft")
        _arrow(axes[1], (k + 1, 0), (k + 1, 1.9))
        _arrow(axes[1], (k, 1 if k == 0 else 1.9), (k + 1, 1.9))
        _arrow(axes[1], (k + 1, 1.9), (k + 2, 0))
    entitle(figure, "Only the unrolled head reads its own guesses")
    return picture(
        figure,
        "Left: from the state of token t each Medusa head guesses one position, t+2 and on. Right: "
        "each step reads the state before and the token, and its guess is the next step's token.",
    )


def _node(axes, x: float, y: float, text: str, role: str) -> None:
    colour = mix(ROLES[role].colour, "#FFFFFF", 0.75)
    box = {"boxstyle": "round,pad=0.3", "facecolor": colour, "edgecolor": ROLES[role].colour}
    axes.text(x, y, text, ha="center", va="center", fontsize=10, bbox=box, zorder=3)


def _arrow(axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    how = {"arrowstyle": "->", "color": INK, "lw": 1.1, "shrinkA": 13, "shrinkB": 13}
    axes.annotate("", end, start, arrowprops=how, zorder=2)


def two_schools(heads: Mapping[str, tuple[Sequence[float], Sequence[float]]]) -> Picture:
    """{head: (alpha where true states are given, alpha on its own states)} by position."""
    figure, axes = panels(len(heads), height=3.5)
    top = 1.15 * max(max(*given, *own) for given, own in heads.values())
    for plot, (name, (given, own)) in zip(axes, heads.items(), strict=True):
        at = range(1, len(own) + 1)
        plot.plot(at, given, label="the target's state is given", **ROLES["target"].line())
        plot.plot(at, own, label="on its own states, as it is served", **ROLES["draft"].line())
        plot.set(xlabel="guess", xticks=at, ylim=(0, top), title=name)
    axes[0].set_ylabel("α on held-out text")
    legend_below(figure, 2)
    falls = {n: own[0] - own[-1] for n, (_, own) in heads.items()}
    worst = max(falls, key=falls.get)
    entitle(figure, f"Served, α falls by {falls[worst]:.2f} where true states were all it knew")
    return picture(
        figure,
        "Alpha by position, given and own states: "
        + "; ".join(f"{n}: own from {o[0]:.2f} to {o[-1]:.2f}" for n, (_, o) in heads.items()),
    )


def budgets(found: Sequence) -> Picture:
    """Where a token's time goes: drafting, the target's pass, the host, in passes per token."""
    figure, (axes,) = panels(height=0.42 * len(found) + 1.5)
    left = np.zeros(len(found))
    for part, role in (("draft", "draft"), ("verify", "target"), ("host", "neutral")):
        width = np.array([getattr(b, part) / b.tokens for b in found])
        label = {"draft": "drafting", "verify": "verifying", "host": "host"}[part]
        axes.barh(range(len(found)), width, left=left, label=label, **ROLES[role].bars())
        left = left + width
    axes.axvline(1, lw=1.5, color=INK)
    axes.set_yticks(range(len(found)), [b.name for b in found])
    axes.invert_yaxis()
    axes.set(xlabel="passes of the target per token; plain decoding is the line at 1")
    legend_below(figure, 3)
    entitle(figure, f"Fastest: {found[0].name}, {found[0].measured:.2f} times plain decoding")
    return picture(
        figure,
        "Time per token in passes: " + "; ".join(
            f"{b.name} {x:.2f}" for b, x in zip(found, left, strict=True)
        ),
    )  # fmt: skip
