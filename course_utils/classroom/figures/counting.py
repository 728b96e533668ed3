"""Figures of lessons 01 and 02: calls, tokens and acceptances, counted.

The first two functions count, exactly, what a policy for ending a round costs;
the others draw.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape

import numpy as np

from course_utils.classroom.palette import ACCEPTED, DRAFT, NEUTRAL, REJECTED, TARGET
from course_utils.classroom.picture import Picture, panels, picture
from course_utils.classroom.tokens import Html

Gain = Callable[[int, int, int], int]  # (accepted, drafted, position) -> tokens kept
# kinds of text, all of them in the colour of acceptance
TINTS = (ACCEPTED, ACCEPTED + "A8", ACCEPTED + "60")
HATCHES = ("", "//", "..")


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
    """p and q side by side over `names`, and min(p, q) hatched inside them."""
    figure, (axes,) = panels(width=6.4, height=3.0)
    places, width = np.arange(len(names)), 0.38
    low = np.minimum(p, q)
    for shift, law, colour, label in (
        (-width / 2, p, TARGET, "p, the target"),
        (width / 2, q, DRAFT, "q, the draft"),
    ):
        axes.bar(places + shift, law, width, color=colour, label=label)
        label = "min(p, q)" if shift > 0 else None
        axes.bar(
            places + shift, low, width, fill=False, hatch="///", edgecolor="white", label=label
        )
        for x, value in zip(places + shift, law, strict=True):
            axes.text(x, value + 0.02, f"{value:.2g}", ha="center")
    legend = axes.legend(loc="upper right")
    legend.legend_handles[-1].set_edgecolor(NEUTRAL)
    axes.set_xticks(places, names)
    axes.set_ylim(0, 1.15)
    axes.set_ylabel("probability")
    axes.grid(axis="x", visible=False)
    total = float(low.sum())
    axes.set_title(f"The two laws overlap in {total:.0%} of their mass")
    return picture(figure, f"Bars of p and q over {', '.join(names)}; they share {total:.2f}.")


def calls_histogram(measured: Sequence[int], law: np.ndarray, alone: int) -> Picture:
    """Target calls of many runs, the exact law over them, and the calls without a draft."""
    figure, (axes,) = panels()
    calls, possible = np.arange(len(law)), law > 1e-3
    share = np.bincount(measured, minlength=len(law)) / len(measured)
    axes.bar(calls, share, color=ACCEPTED, label=f"measured, {len(measured)} runs")
    axes.plot(calls[possible], law[possible], "o", color="black", markersize=5, label="predicted")
    axes.axvline(alone, color=TARGET, linestyle="--")
    axes.text(
        alone - 0.2, share.max() / 2, "one token a call", rotation=90, ha="right", va="center"
    )
    axes.set_xlim(0, alone + 1)
    axes.set_xticks(range(0, alone + 2, 2))
    axes.set_xlabel("target calls for the whole sentence")
    axes.set_ylabel("share of the runs")
    axes.legend(loc="upper center", bbox_to_anchor=(0.65, 1))
    mean = float(np.mean(measured))
    axes.set_title(f"{mean:.1f} target calls on average instead of {alone}")
    return picture(
        figure, f"Histogram of target calls, mean {mean:.1f}, against {alone} without a draft."
    )


def calls_by_acceptance(
    alphas: Sequence[float], curves: Mapping[str, Sequence[float]], alone: int
) -> Picture:
    """Expected target calls against alpha, one line a policy."""
    figure, (axes,) = panels(height=3.6)
    looks = ((ACCEPTED, "-"), (DRAFT, "-."), (REJECTED, ":"))
    axes.axhline(alone, color=TARGET, linestyle="--", label="no draft at all")
    for (name, calls), (colour, line) in zip(curves.items(), looks, strict=False):
        axes.plot(alphas, calls, color=colour, linestyle=line, label=name)
    axes.set_ylim(0, 2 * alone)
    axes.set_xlim(0, 1)
    axes.set_xlabel("alpha, the probability that a drafted token is accepted")
    axes.set_ylabel("expected target calls")
    axes.legend()
    axes.set_title("With correction and bonus, a bad draft costs no target call")
    return picture(
        figure,
        f"Expected target calls falling with alpha: {'; '.join(curves)}; no draft needs {alone}.",
    )


def tokens_by_gamma(
    gammas: Sequence[int], predicted: Sequence[float], measured: Sequence[float], alpha: float
) -> Picture:
    """Tokens a round against gamma, with the limit that no gamma passes."""
    figure, (axes,) = panels()
    axes.axhline(1 / (1 - alpha), color=NEUTRAL, linestyle="--", label="limit 1/(1 - alpha)")
    axes.plot(gammas, gammas, color=DRAFT, linestyle=":", label="tokens drafted")
    axes.plot(gammas, predicted, color=ACCEPTED, label="tokens a round, predicted")
    axes.plot(gammas, measured, "s", color="black", markersize=6, label="tokens a round, measured")
    axes.set_xticks(list(gammas))
    axes.set_ylim(0, max(gammas) + 0.5)
    axes.set_xlabel("gamma, tokens drafted a round")
    axes.set_ylabel("tokens")
    axes.legend(loc="upper left")
    axes.set_title("Drafting longer buys less and less")
    return picture(
        figure,
        f"Tokens a round against gamma at alpha {alpha:.2g}: measured points on the predicted "
        f"curve, which levels off below {1 / (1 - alpha):.3g}.",
    )


def acceptance_bars(
    acceptance: Mapping[str, Mapping[str, Mapping[str, tuple[float, int]]]],
) -> Picture:
    """setting -> drafter -> kind of text -> (alpha, guesses examined), a panel a setting."""
    figure, all_axes = panels(len(acceptance), width=9, height=3.6)
    for axes, (setting, drafters) in zip(all_axes, acceptance.items(), strict=True):
        kinds = list(next(iter(drafters.values())))
        width = 0.8 / len(kinds)
        for k, kind in enumerate(kinds):
            rates, examined = np.transpose([drafters[name][kind] for name in drafters])
            places = np.arange(len(drafters)) + (k - (len(kinds) - 1) / 2) * width
            axes.bar(
                places, rates, width, yerr=np.sqrt(rates * (1 - rates) / examined), capsize=3,
                color=TINTS[k], hatch=HATCHES[k], edgecolor="white", label=kind,
            )  # fmt: skip
        axes.set_xticks(range(len(drafters)), list(drafters))
        axes.set_ylim(0, 1.05)
        axes.grid(axis="x", visible=False)
        axes.set_title(setting)
    all_axes[0].set_ylabel("alpha: accepted / examined")
    all_axes[0].legend(loc="upper left")
    figure.suptitle(
        "The same drafter fares differently on each kind of text", x=0.01, ha="left", weight="bold"
    )
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
    end = start + length
    marks = dict.fromkeys(range(start, end), "match")
    marks |= dict.fromkeys(range(end, min(end + copied, len(texts))), "copy")
    marks |= dict.fromkeys(range(len(texts) - length, len(texts)), "ending")
    looks = {
        "match": (TARGET, "font-weight:bold", "the same tokens, earlier"),
        "copy": (DRAFT, "font-style:italic", "what followed them: the draft"),
        "ending": (TARGET, "text-decoration:underline", "how the text ends now"),
    }

    def span(text: str, mark: str) -> str:
        colour, style, meaning = looks[mark]
        return f'<span style="background:{colour}44;{style}" title="{meaning}">{text}</span>'

    shown = "".join(
        span(escape(text), marks[i]) if i in marks else escape(text) for i, text in enumerate(texts)
    )
    legend = " &nbsp; ".join(span(meaning, mark) for mark, (_, _, meaning) in looks.items())
    return Html(
        f'<pre style="white-space:pre-wrap;line-height:1.6;margin:0">{shown}</pre>'
        f'<p style="margin:.6em 0 0"><small>{legend}</small></p>',
        f"ends in {''.join(texts[-length:])!r}, seen before; "
        f"copies {''.join(texts[end : end + copied])!r}",
    )
