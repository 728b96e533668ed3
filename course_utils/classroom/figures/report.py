"""The report of a decoding run, and the pictures of its speed and its law."""

from collections.abc import Sequence

import numpy as np

from course_utils.classroom.palette import ACCEPTED, DRAFT, NEUTRAL, REJECTED, TARGET
from course_utils.classroom.picture import Picture, panels, picture
from course_utils.classroom.table import table
from course_utils.classroom.tokens import Html
from course_utils.decoding.metrics import Metrics
from course_utils.decoding.theory import expected_tokens, expected_tokens_by_position


def statistics_block(standard: Metrics, speculative: Metrics) -> Html:
    """Counts, speed and the four acceptance metrics of two runs, each with what it means."""
    rows = [
        ("drafted (candidates)", lambda m: m.drafted, "guesses sent to the target"),
        ("accepted", lambda m: m.accepted, "guesses committed; no corrections, no bonuses"),
        ("corrections", lambda m: m.corrections, "target's tokens after a rejection"),
        ("bonuses", lambda m: m.bonuses, "target's tokens after full acceptance"),
        (
            "new tokens",
            lambda m: m.tokens,
            "these three, and the target's where nothing was drafted",
        ),
        ("target forwards", lambda m: m.target_forwards, "passes after the prompt"),
        ("seconds", lambda m: m.seconds, "drafting + verifying + host"),
        ("tokens / second", lambda m: m.tokens / m.seconds, "new tokens / seconds"),
        ("accepted / drafted", lambda m: m.accepted_per_drafted, "vLLM, llama.cpp"),
        ("accepted / examined", lambda m: m.accepted_per_examined, "estimates alpha"),
        ("Σ min(p, q)", lambda m: m.overlap, "estimates alpha without the coins' noise"),
        ("tokens / round", lambda m: m.tokens_per_round, "mean accepted + 1"),
        ("accepted / emitted", lambda m: m.accepted_per_emitted, "share of the text drafted"),
    ]
    return table(
        [
            {"": name, "standard": of(standard), "speculative": of(speculative), "meaning": why}
            for name, of, why in rows
        ]
    )


def acceptance_over_gamma(metrics: dict[int, Metrics]) -> Picture:
    """Three "acceptance rates" of the same runs and the estimator of alpha, over gamma."""
    gammas = list(metrics)
    drafted = [m.accepted_per_drafted for m in metrics.values()]
    examined = [m.accepted_per_examined for m in metrics.values()]
    overlap = [m.overlap for m in metrics.values()]
    miscount = [(m.accepted + m.corrections) / m.drafted for m in metrics.values()]
    figure, (axes,) = panels(width=8.5, height=3.6)
    axes.plot(gammas, examined, "-o", color=ACCEPTED, label="accepted / examined")
    axes.plot(gammas, overlap, "-.x", color=TARGET, label="mean of Σ min(p, q)")
    axes.plot(gammas, drafted, "--s", color=DRAFT, label="accepted / drafted")
    axes.plot(
        gammas, miscount, ":^", color=REJECTED, label="(accepted + corrections)\n/ drafted"
    )  # fmt: skip
    axes.set_ylim(0, 1.05)
    axes.set_xticks(gammas)
    axes.set_xlabel("gamma, tokens drafted a round")
    axes.set_ylabel("share")
    axes.set_title("The draft does not get worse with gamma; the ratio does")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    return picture(
        figure,
        f"From gamma {gammas[0]} to {gammas[-1]}: accepted/examined {examined[0]:.2f} to "
        f"{examined[-1]:.2f}, Σ min(p, q) {overlap[0]:.2f} to {overlap[-1]:.2f}, "
        f"accepted/drafted {drafted[0]:.2f} to {drafted[-1]:.2f}",
    )


def acceptance_curve(counts: Sequence[tuple[int, int]], alpha: float) -> Picture:
    """Measured acceptance of the i-th drafted token beside what one alpha predicts.

    `counts` is (kept, reached) for each position: `metrics.acceptance_counts`.  The
    left panel has the rates with their binomial standard errors, the right one
    P(the first i are accepted), estimated as Kaplan & Meier (1958) do, so that a
    short draft counts as far as it went; its standard error is Greenwood's.

    Raises:
        ValueError: no position was reached.
    """
    kept, reached = np.array([pair for pair in counts if pair[1]], float).reshape(-1, 2).T
    if not len(kept):
        raise ValueError("no drafted token was examined, so there is no rate to draw")
    rates, positions = kept / reached, np.arange(1, len(kept) + 1)
    together = rates.cumprod()
    lost = np.divide(reached - kept, reached * kept, out=np.zeros_like(kept), where=kept > 0)
    figure, (left, right) = panels(2, width=9.5, height=3.7)
    for axes, measured, error, formula, name in (
        (left, rates, np.sqrt(rates * (1 - rates) / reached), np.full(len(kept), alpha), "alpha"),
        (right, together, together * np.sqrt(lost.cumsum()), alpha**positions, "alpha^i"),
    ):
        axes.errorbar(
            positions, measured, error, fmt="o", color=ACCEPTED, capsize=3, label="measured"
        )
        axes.plot(positions, formula, "--", color=NEUTRAL, label=f"i.i.d.: {name}")
        axes.set_ylim(0, 1.05)
        axes.set_xticks(positions)
        axes.set_xlabel("i, position in the draft")
        axes.legend(loc="best")
    left.set_title("the i-th, given those before it")
    right.set_title("the first i, all of them")
    left.set_ylabel("probability of being accepted")
    said, true = expected_tokens(alpha, len(kept)), expected_tokens_by_position(rates)
    message = f"Tokens a round: {true:.2f} by the measured positions, {said:.2f} by one alpha"
    figure.suptitle(message, x=0.01, ha="left", weight="bold")
    places = ", ".join(f"{rate:.2f}" for rate in rates)
    return picture(
        figure, f"{message} of {alpha:.2f}. Accepted at each position if reached: {places}"
    )


def speedup_over_gamma(predicted: dict[int, float], measured: dict[int, float]) -> Picture:
    """Speedup over standard decoding, from costs and by the clock."""
    figure, (axes,) = panels(width=8.5, height=3.6)
    gammas = list(measured)
    axes.axhline(1, color=NEUTRAL, linewidth=1)
    axes.plot(gammas, list(predicted.values()), "--s", color=TARGET, label="predicted")
    axes.plot(gammas, list(measured.values()), "-o", color=ACCEPTED, label="measured")
    axes.annotate(
        "standard decoding", (gammas[-1], 1), xytext=(0, 4), textcoords="offset points",
        ha="right", color=NEUTRAL, fontsize=9,
    )  # fmt: skip
    axes.set_ylim(0, 1.1 * max(1.1, *predicted.values(), *measured.values()))
    axes.set_xticks(gammas)
    axes.set_xlabel("gamma, tokens drafted a round")
    axes.set_ylabel("speedup over standard decoding")
    axes.set_title("Predicted from measured costs, then measured")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    best = max(measured, key=measured.get)
    return picture(
        figure,
        f"Speedup over gamma; measured best {measured[best]:.2f} at gamma {best}, where "
        f"{predicted[best]:.2f} was predicted",
    )


def laws_at_one_position(laws: dict[str, Sequence[float]]) -> Picture:
    """Bars of several laws over the same few tokens."""
    figure, (axes,) = panels(width=9, height=3.4)
    looks = ((TARGET, ""), (ACCEPTED, "...."), (REJECTED, "////"), (DRAFT, "xx"))
    width = 0.8 / len(laws)
    for i, ((name, law), (colour, hatch)) in enumerate(zip(laws.items(), looks, strict=False)):
        places = np.arange(len(law)) + (i - (len(laws) - 1) / 2) * width
        axes.bar(
            places, law, width, color=colour, hatch=hatch, edgecolor="white", label=name
        )  # fmt: skip
    axes.set_xticks(range(len(law)), [f"token {i}" for i in range(len(law))])
    axes.grid(axis="x", visible=False)
    axes.set_ylabel("probability")
    axes.set_title("Two settings that look harmless change what is said")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    names = ", ".join(laws)
    return picture(
        figure, f"The law of the next token under {names}: the last is none of the others"
    )


def speed_within_reach(
    lines: dict[str, tuple[float, float]], tokens: int, reported: float, ratios: dict[str, float]
) -> Picture:
    """Speedup over c for programs that make (target, draft) forwards for `tokens` tokens."""
    figure, (axes,) = panels(width=9, height=3.8)
    c = np.linspace(0, 0.9, 91)
    looks = (("-", ACCEPTED), ("--", DRAFT), ("-.", TARGET))
    for (name, (target, draft)), (line, colour) in zip(lines.items(), looks, strict=False):
        axes.plot(c, tokens / (target + draft * c), line, color=colour, label=name)
    axes.axhline(reported, linestyle=":", color=REJECTED, label=f"reported: {reported:.2f}")
    axes.axhline(1, color=NEUTRAL, linewidth=1)
    for name, ratio in ratios.items():
        axes.axvline(ratio, color=NEUTRAL, linewidth=1, linestyle=":")
        axes.annotate(
            f" {name}", (ratio, 0.06), xycoords=("data", "axes fraction"), color=NEUTRAL, fontsize=9
        )
    axes.set_ylim(0, max(reported * 1.3, 3.5))
    axes.set_xlabel("c = time of a draft forward / time of a target forward")
    axes.set_ylabel("speedup, at the very best")
    axes.set_title("At this pair's costs the printed program cannot reach the reported speed")
    axes.legend(loc="upper right")
    ends = "; ".join(
        f"{name}: {tokens / (target + draft * ratio):.2f} at c = {ratio:.2f}"
        for name, (target, draft) in lines.items()
        for ratio in ratios.values()
    )
    return picture(figure, f"Speedup over c against the reported {reported:.2f}. {ends}")
