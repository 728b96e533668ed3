"""Pictures of lesson 03: two laws, darts, rebuilt laws, dice, temperature, passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.palette import (
    ACCEPTED,
    CORRECTION,
    DRAFT,
    REJECTED,
    TARGET,
)
from course_utils.classroom.picture import Picture, panels, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def overlap_and_residual(words: Sequence[str], p: np.ndarray, q: np.ndarray) -> Picture:
    """p and q (vocabulary,) beside each other, and what each has more of than the other."""
    figure, (laws, rest) = panels(2, width=9.6, height=3.5)
    places = np.arange(len(words))
    common = np.minimum(p, q)
    laws.bar(places - 0.21, p, 0.4, color=TARGET, label="p, the target")
    laws.bar(places + 0.21, q, 0.4, color=DRAFT, hatch="//", edgecolor="white", label="q, draft")
    laws.hlines(common, places - 0.42, places + 0.42, color="black", label="min(p, q)")
    laws.set(title=f"p and q share {common.sum():.2f} of their mass", ylabel="probability")
    laws.legend()
    shortfall, excess = p - common, q - common
    rest.bar(places, shortfall, 0.6, color=CORRECTION, label="(p − q)₊, offered too rarely")
    rest.bar(
        places, -excess, 0.6, color=REJECTED, hatch="xx", edgecolor="white",
        label="(q − p)₊, offered too often",
    )  # fmt: skip
    rest.axhline(0, color="black", lw=1)
    rest.set(title=f"the rest: {shortfall.sum():.2f} above and below", ylabel="p − q")
    highest = max(shortfall.max(), excess.max())
    rest.set_ylim(-1.25 * highest, 1.9 * highest)
    rest.legend(loc="upper right")
    for axes in (laws, rest):
        _name_words(axes, words)
    return picture(
        figure,
        f"Left: bars of p and q over {len(words)} tokens, sharing {common.sum():.2f}. "
        f"Right: p minus q, with {shortfall.sum():.2f} of mass above zero and as much below.",
    )


def darts(
    words: Sequence[str],
    p: np.ndarray,
    q: np.ndarray,
    drafted: np.ndarray,
    uniforms: np.ndarray,
    corrections: np.ndarray,
    fresh: np.ndarray,
) -> Picture:
    """Darts thrown under q, kept where they are under p; the rest thrown again.

    drafted, uniforms (n,): dart i lands on token drafted[i] at height
    uniforms[i] q.  corrections, fresh: for each rejected dart its new token, and
    its new height as a share of the room between q and p.
    """
    figure, (thrown, rebuilt) = panels(2, width=9.6, height=3.8)
    heights = uniforms * q[drafted]
    kept = heights < p[drafted]
    # where a dart lies within its column means nothing: spread them evenly
    spread = (np.arange(len(drafted)) * 0.618034 % 1 - 0.5) * 0.7
    again = q[corrections] + fresh * (p - q)[corrections]
    green = {"s": 5, "color": ACCEPTED, "label": "accepted: under q and under p"}
    thrown.scatter(drafted[kept] + spread[kept], heights[kept], **green)
    thrown.scatter(
        drafted[~kept] + spread[~kept], heights[~kept], s=14, marker="x", lw=0.9,
        color=REJECTED, label="rejected: under q, above p",
    )  # fmt: skip
    thrown.set(title="Darts thrown under q …", ylabel="height")
    rebuilt.scatter(drafted[kept] + spread[kept], heights[kept], **green)
    rebuilt.scatter(
        corrections + spread[~kept], again, s=14, marker="^", lw=0,
        color=CORRECTION, label="corrections: under p, above q",
    )  # fmt: skip
    rebuilt.set(title="… and thrown again where p has room", ylabel="height")
    for axes in (thrown, rebuilt):
        _outline(axes, q, DRAFT, "q", ":")
        _outline(axes, p, TARGET, "p", "-")
        axes.set_ylim(0, 1.65 * max(p.max(), q.max()))
        _name_words(axes, words)
        axes.legend(loc="upper right", fontsize=9, markerscale=1.6)
    return picture(
        figure,
        f"Left: {len(drafted)} darts fill the columns of q; {kept.sum()} are also below p. "
        "Right: with the rejected darts thrown again, the columns of p are filled evenly.",
    )


def built_laws(
    words: Sequence[str], p: np.ndarray, laws: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> Picture:
    """Output laws as stacks of (accepted, corrected) mass, each in the outline of p."""
    figure, axes = panels(len(laws), width=max(4.8, 3.1 * len(laws)), height=3.6)
    top = 1.3 * max(p.max(), *((a + c).max() for a, c in laws.values()))
    for ax, (name, (accepted, corrected)) in zip(axes, laws.items(), strict=True):
        places = np.arange(len(words))
        ax.bar(places, accepted, 0.7, color=ACCEPTED, label="accepted drafts")
        ax.bar(
            places, corrected, 0.7, bottom=accepted, color=CORRECTION, hatch="\\\\",
            edgecolor="white", label="corrections",
        )  # fmt: skip
        _outline(ax, p, TARGET, "p", "-")
        distance = abs(accepted + corrected - p).sum() / 2
        ax.set_title(f"{name}\nTV from p: {distance:.3f}", fontsize=11)
        ax.set_ylim(0, top)
        _name_words(ax, words)
    axes[0].set_ylabel("probability")
    axes[0].legend(fontsize=9, loc="upper right")
    return picture(
        figure,
        "Output laws as stacked bars of accepted and corrected mass against the outline of p, "
        "for: " + ", ".join(laws),
    )


def chi_squares(honest: np.ndarray, observed: Mapping[str, float], title: str) -> Picture:
    """Chi-squares of texts drawn from the target itself, and of what decoders emit."""
    figure, (axes,) = panels(1, width=7.5, height=3.5)
    highest = 1.3 * max(*observed.values(), honest.max())
    bins = np.geomspace(honest.min(), highest, 60)
    axes.hist(honest, bins, color=TARGET, alpha=0.5, label="drawn from the target directly")
    lines = ((ACCEPTED, "-"), (REJECTED, "--"), (CORRECTION, ":"))
    for (name, value), (colour, style) in zip(observed.items(), lines, strict=False):
        axes.axvline(value, color=colour, ls=style, lw=2.5, label=f"{name}: {value:.1f}")
    axes.set(
        title=title, xscale="log", ylabel="repetitions",
        xlabel="chi-square of the counts against the target (log scale)",
    )  # fmt: skip
    figure.legend(loc="outside lower center", ncols=2)
    return picture(
        figure,
        "Histogram of chi-square for samples of the target; the loop's values are "
        + ", ".join(f"{name} {value:.1f}" for name, value in observed.items()),
    )


def cooling(
    temperatures: np.ndarray, curves: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> Picture:
    """Acceptance against temperature: (token-wise, greedy match) for each context."""
    figure, axes = panels(len(curves), width=9.2, height=3.5)
    for ax, (name, (token_wise, match)) in zip(axes, curves.items(), strict=True):
        ax.plot(temperatures, token_wise, color=ACCEPTED, label="token-wise, Σ min(p, q)")
        ax.plot(temperatures, match, color=TARGET, ls="--", label="greedy match, Σ p·q")
        ax.set(title=name, xscale="log", ylim=(-0.03, 1.03), xlabel="temperature")
    axes[0].set_ylabel("acceptance probability")
    axes[-1].legend()
    return picture(
        figure,
        "Acceptance probability of two rules as the temperature falls: "
        + "; ".join(f"{name}: ends at {curve[0][0]:.2f}" for name, curve in curves.items()),
    )


def target_passes(
    gammas: Sequence[int], serial: Sequence[float], parallel: Sequence[float]
) -> Picture:
    """Forward passes of the target for each emitted token, both ways of verifying."""
    figure, (axes,) = panels(1, width=7.5, height=3.3)
    axes.plot(gammas, serial, "s--", color=REJECTED, label="one pass for each row (serial)")
    axes.plot(gammas, parallel, "o-", color=TARGET, label="one pass for all rows (parallel)")
    axes.set(
        title="Row by row, verification saves nothing", xlabel="γ, drafted tokens a round",
        ylabel="target passes a token", ylim=(0, 1.25),
    )  # fmt: skip
    axes.legend()
    return picture(
        figure,
        f"Target passes a token against gamma: serial stays at {serial[-1]:.2f}, "
        f"parallel falls to {parallel[-1]:.2f}.",
    )


def _outline(axes: Axes, law: np.ndarray, colour: str, name: str, style: str) -> None:
    """The columns of a law as empty boxes."""
    axes.bar(
        np.arange(len(law)), law, 0.8, fill=False, edgecolor=colour, ls=style, lw=2, label=name
    )


def _name_words(axes: Axes, words: Sequence[str]) -> None:
    many = len(words) > 5
    axes.set_xticks(
        range(len(words)), words, rotation=30 * many, ha="right" if many else "center",
        rotation_mode="anchor",
    )  # fmt: skip
    axes.grid(visible=False, axis="x")
