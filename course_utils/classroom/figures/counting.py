"""Figures of lessons 01 and 02: calls, tokens and acceptances, counted.

The first two functions count, exactly, what a policy for ending a round costs;
the others draw.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape

import numpy as np

from course_utils.classroom.palette import (
    ACCEPTED,
    INK,
    MEASURED,
    NEUTRAL,
    ROLES,
    TINT,
    mix,
    series,
)
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.classroom.tokens import Html, block, marked

Gain = Callable[[int, int, int], int]  # (accepted, drafted, position) -> tokens kept


def calls_law(length: int, alpha: float, gamma: int, gain: Gain, most: int = 40) -> np.ndarray:
    """P(a text of `length` tokens takes k target calls) for k = 0 .. most, exactly.

    Each drafted token is right with probability `alpha`, independently; a round
    keeps `gain(accepted, drafted, position)` tokens.  What is missing from a sum
    of 1 is the probability of more than `most` calls.
    """
    at, finished = np.zeros(length), [0.0]  # at[i]: probability of having i tokens
    at[0] = 1
    for _ in range(most):
        after = np.zeros(length + 1)
        for position in range(length):
            for kept, chance in _outcomes(length - position, alpha, gamma, gain, position):
                after[position + kept] += at[position] * chance
        finished.append(after[length])
        at = after[:length]
    return np.array(finished)


def expected_calls(length: int, alpha: float, gamma: int, gain: Gain) -> float:
    """Mean of `calls_law`, with no bound on the calls; infinite if it never ends."""
    left = [0.0] * (length + 1)  # left[i]: calls still expected with i tokens
    for position in reversed(range(length)):
        stuck, calls = 0.0, 1.0
        for kept, chance in _outcomes(length - position, alpha, gamma, gain, position):
            stuck += chance * (kept == 0)
            calls += chance * left[position + kept] if kept and chance else 0.0
        left[position] = calls / (1 - stuck) if stuck < 1 else math.inf
    return left[0]


def _outcomes(
    room: int, alpha: float, gamma: int, gain: Gain, position: int
) -> Iterator[tuple[int, float]]:
    """Each way a round can end: (tokens kept, probability)."""
    drafted = min(gamma, room)
    for accepted in range(drafted + 1):
        chance = alpha**accepted * (1 if accepted == drafted else 1 - alpha)
        yield min(gain(accepted, drafted, position), room), chance


def overlap_bars(names: Sequence[str], p: Sequence[float], q: Sequence[float]) -> Picture:
    """p and q side by side over `names`, and min(p, q) as a line through both."""
    figure, (axes,) = panels(height=3.4)
    places, width = np.arange(len(names)), 0.38
    low = np.minimum(p, q)
    for shift, law, role, label in (
        (-width / 2, p, "target", "p, the target"),
        (width / 2, q, "draft", "q, the draft"),
    ):
        axes.bar(places + shift, law, width, label=label, **ROLES[role].bars())
        for x, value in zip(places + shift, law, strict=True):
            axes.text(x, value + 0.02, f"{value:.2g}", ha="center")
    axes.hlines(low, places - width, places + width, color=INK, label="min(p, q)")
    axes.legend(loc="upper right")
    axes.set_xticks(places, names)
    axes.set_ylim(0, 1.15)
    axes.set_ylabel("probability")
    axes.grid(axis="x", visible=False)
    total = float(low.sum())
    entitle(figure, f"The two laws overlap in {total:.0%} of their mass")
    return picture(figure, f"Bars of p and q over {', '.join(names)}; they share {total:.2f}.")


def calls_histogram(measured: Sequence[int], law: np.ndarray, alone: int) -> Picture:
    """Target calls of many runs, the exact law over them, and the calls without a draft."""
    figure, (axes,) = panels()
    calls, possible = np.arange(len(law)), law > 1e-3
    share = np.bincount(measured, minlength=len(law)) / len(measured)
    axes.bar(calls, share, color=NEUTRAL, label=f"measured, {len(measured)} runs")
    dots = {"mfc": "white", "mew": 2, "ms": 7}
    axes.plot(calls[possible], law[possible], label="predicted", **MEASURED.points() | dots)
    axes.axvline(alone, **ROLES["target"].curve())
    axes.text(
        alone - 0.2, share.max() / 2, "one token a call", rotation=90, ha="right", va="center"
    )
    axes.set_xlim(0, alone + 1)
    axes.set_xticks(range(0, alone + 2, 2))
    axes.set_xlabel("target calls for the whole sentence")
    axes.set_ylabel("share of the runs")
    axes.legend(loc="upper center", bbox_to_anchor=(0.7, 1))
    mean = float(np.mean(measured))
    entitle(figure, f"The sentence takes {mean:.1f} target calls on average, not {alone}")
    return picture(
        figure, f"Histogram of target calls, mean {mean:.1f}, against {alone} without a draft."
    )


def calls_by_acceptance(
    alphas: Sequence[float], curves: Mapping[str, Sequence[float]], alone: int
) -> Picture:
    """Expected target calls against alpha, one line a policy."""
    figure, (axes,) = panels(height=3.6)
    axes.axhline(alone, label="no draft at all", **ROLES["target"].curve())
    for (name, calls), look in zip(curves.items(), series(len(curves)), strict=True):
        axes.plot(alphas, calls, label=name, **look.curve())
    axes.set_ylim(0, 2 * alone)
    axes.set_xlim(0, 1)
    axes.set_xlabel("α, the probability that a drafted token is accepted")
    axes.set_ylabel("expected target calls")
    axes.legend(loc="upper right")
    entitle(figure, "With correction and bonus, a bad draft costs no target call")
    return picture(
        figure,
        f"Expected target calls falling with alpha: {'; '.join(curves)}; no draft needs {alone}.",
    )


def tokens_by_gamma(
    gammas: Sequence[int], predicted: Sequence[float], measured: Sequence[float], alpha: float
) -> Picture:
    """Tokens a round against gamma, with the limit that no gamma passes."""
    figure, (axes,) = panels()
    axes.axhline(1 / (1 - alpha), label="limit 1/(1 − α)", **ROLES["neutral"].curve())
    axes.plot(gammas, gammas, label="tokens drafted", **ROLES["draft"].curve())
    axes.plot(gammas, predicted, label="tokens a round, predicted", **MEASURED.curve())
    axes.plot(gammas, measured, label="tokens a round, measured", **MEASURED.points())
    axes.set_xticks(list(gammas))
    axes.set_ylim(0, max(gammas) + 0.5)
    axes.set_xlabel("γ, tokens drafted a round")
    axes.set_ylabel("tokens")
    axes.legend(loc="upper left")
    entitle(figure, "Drafting longer buys less and less")
    return picture(
        figure,
        f"Tokens a round against gamma at alpha {alpha:.2g}: measured points on the predicted "
        f"curve, which levels off below {1 / (1 - alpha):.3g}.",
    )


def acceptance_bars(
    acceptance: Mapping[str, Mapping[str, Mapping[str, tuple[float, int]]]],
) -> Picture:
    """setting -> drafter -> kind of text -> (alpha, guesses examined), a panel a setting."""
    figure, all_axes = panels(len(acceptance), height=3.9)
    for axes, (setting, drafters) in zip(all_axes, acceptance.items(), strict=True):
        kinds = list(next(iter(drafters.values())))
        width = 0.8 / len(kinds)
        for k, kind in enumerate(kinds):
            rates, examined = np.transpose([drafters[name][kind] for name in drafters])
            places = np.arange(len(drafters)) + (k - (len(kinds) - 1) / 2) * width
            # kinds of text are steps of the one colour of acceptance
            step = mix(ACCEPTED, "#FFFFFF", 0.8 * k / max(len(kinds) - 1, 1))
            axes.bar(
                places, rates, width, yerr=np.sqrt(rates * (1 - rates) / examined), capsize=3,
                color=step, edgecolor=ACCEPTED, ecolor=INK, label=kind,
            )  # fmt: skip
        axes.set_xticks(range(len(drafters)), list(drafters))
        axes.set_ylim(0, 1.05)
        axes.grid(axis="x", visible=False)
        axes.set_title(setting)
    all_axes[0].set_ylabel("α: accepted / examined")
    legend_below(figure, 3)
    entitle(figure, "The same drafter fares differently on each kind of text")
    return picture(
        figure,
        "Bars of alpha with standard errors for each drafter and kind of text: "
        + "; ".join(
            f"{setting}, {name}: " + ", ".join(f"{k} {a:.2f}" for k, (a, _) in kinds.items())
            for setting, drafters in acceptance.items()
            for name, kinds in drafters.items()
        ),
    )


def match_in_text(texts: Sequence[str], start: int, length: int, copied: int) -> Html:
    """Where a lookup found the ending of a text, and what it copies from there.

    `texts` are the pieces of the text, one a token; the match is
    `length` tokens from `start`, the copy the `copied` tokens after it.
    """
    end, ending = start + length, len(texts) - length
    shown = {i: _match(text) for i, text in enumerate(texts) if start <= i < end or i >= ending}
    shown |= {i: marked(texts[i], "draft") for i in range(end, min(end + copied, ending))}
    markup = "".join(shown.get(i, escape(text)) for i, text in enumerate(texts))
    legend = (
        f"{_match('ending')} how the text ends, and the same tokens earlier",
        f"{marked('draft', 'draft')} what followed them: the draft",
    )
    return block(
        markup,
        legend,
        f"ends in {''.join(texts[-length:])!r}, seen before; "
        f"copies {''.join(texts[end : end + copied])!r}",
    )


def _match(text: str) -> str:
    style = f"background:{NEUTRAL}{TINT};border-radius:3px;font-weight:bold"
    return f'<span style="{style}"><b>{escape(text)}</b></span>'
