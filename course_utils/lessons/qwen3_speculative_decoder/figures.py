"""The report of a decoding run, and the pictures of its speed and its distribution."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import MEASURED, NEUTRAL, ROLES, TARGET, mix, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.classroom.table import table
from course_utils.classroom.tokens import Html
from course_utils.decoding.metrics import Metrics


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
        ("Σ min(p, q)", lambda m: m.overlap, "estimates alpha, without the chance in the verdicts"),
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
    figure, (axes,) = panels(height=3.9)
    darker, lighter = series(3)[1:]
    axes.plot(gammas, examined, label="accepted / examined", zorder=3, **ROLES["accepted"].line())
    axes.plot(gammas, overlap, label="mean of Σ min(p, q)", zorder=4, **lighter.points())
    axes.plot(gammas, drafted, label="accepted / drafted", **darker.line())
    wrong = ROLES["rejected"].line()
    axes.plot(gammas, miscount, label="(accepted + corrections) / drafted", **wrong)
    axes.set_ylim(0, 1.05)
    axes.set_xticks(gammas)
    axes.set_xlabel("γ, tokens drafted per round")
    axes.set_ylabel("share")
    legend_below(figure, 2)
    entitle(
        figure,
        f"Accepted / drafted: {drafted[0]:.2f} to {drafted[-1]:.2f}; "
        f"accepted / examined: {examined[0]:.2f} to {examined[-1]:.2f}",
    )
    return picture(
        figure,
        f"From gamma {gammas[0]} to {gammas[-1]}: accepted/examined {examined[0]:.2f} to "
        f"{examined[-1]:.2f}, Σ min(p, q) {overlap[0]:.2f} to {overlap[-1]:.2f}, "
        f"accepted/drafted {drafted[0]:.2f} to {drafted[-1]:.2f}",
    )


def speedup_over_gamma(predicted: dict[int, float], measured: dict[int, float]) -> Picture:
    """Speedup over standard decoding, from costs and by the clock."""
    figure, (axes,) = panels(height=3.6)
    gammas = list(measured)
    axes.axhline(1, color=NEUTRAL, linewidth=1)
    axes.plot(gammas, list(predicted.values()), label="predicted", **MEASURED.curve())
    axes.plot(gammas, list(measured.values()), label="measured", **MEASURED.points())
    axes.annotate(
        "standard decoding", (gammas[-1], 1), xytext=(0, -14), textcoords="offset points",
        ha="right", color=NEUTRAL,
    )  # fmt: skip
    axes.set_ylim(0, 1.1 * max(1.1, *predicted.values(), *measured.values()))
    axes.set_xticks(gammas)
    axes.set_xlabel("γ, tokens drafted per round")
    axes.set_ylabel("speedup over standard decoding")
    axes.legend(loc="lower left")
    ratios = [measured[gamma] / predicted[gamma] for gamma in gammas]
    entitle(
        figure,
        f"Measured speedups are {min(ratios):.2f} to {max(ratios):.2f} times the predicted ones",
    )
    best = max(measured, key=measured.get)
    return picture(
        figure,
        f"Speedup over gamma; measured best {measured[best]:.2f} at gamma {best}, where "
        f"{predicted[best]:.2f} was predicted",
    )


def distributions_at_one_position(distributions: dict[str, Sequence[float]]) -> Picture:
    """Bars of several distributions over the same few tokens."""
    figure, (axes,) = panels(height=3.7)
    # the target's own distribution, cooler ones in lighter steps of its colour, and the last on
    # trial
    steps = [i / max(len(distributions) - 1, 1) for i in range(len(distributions) - 1)]
    looks = [{"color": mix(TARGET, "#FFFFFF", 0.9 * step), "edgecolor": TARGET} for step in steps]
    looks.append(ROLES["rejected"].bars())
    width = 0.8 / len(distributions)
    for i, ((name, distribution), look) in enumerate(
        zip(distributions.items(), looks, strict=True)
    ):
        places = np.arange(len(distribution)) + (i - (len(distributions) - 1) / 2) * width
        axes.bar(places, distribution, width, label=name, **look)
    first, *_, last = distributions.values()
    axes.set_xticks(range(len(first)), [f"token {i}" for i in range(len(first))])
    axes.grid(axis="x", visible=False)
    axes.set_ylabel("probability")
    legend_below(figure, len(distributions))
    moved = np.abs(np.subtract(first, last)).sum() / 2
    entitle(figure, f"The article's rule moves the distribution by TV {moved:.2f}")
    names = ", ".join(distributions)
    return picture(
        figure, f"The distribution of the next token under {names}: the last is none of the others"
    )


def speed_within_reach(
    lines: dict[str, tuple[float, float]], tokens: int, reported: float, ratios: dict[str, float]
) -> Picture:
    """Speedup over c for programs that make (target, draft) forwards for `tokens` tokens."""
    figure, (axes,) = panels(height=4.2)
    c = np.linspace(0, 0.9, 91)
    for (name, (target, draft)), look in zip(lines.items(), series(len(lines)), strict=True):
        axes.plot(c, tokens / (target + draft * c), label=name, **look.curve())
    axes.axhline(reported, label=f"reported: {reported:.2f}", **ROLES["rejected"].curve())
    axes.axhline(1, color=NEUTRAL, linewidth=1)
    for name, ratio in ratios.items():
        axes.axvline(ratio, **ROLES["neutral"].curve())
        axes.annotate(f" {name}", (ratio, 0.04), xycoords=("data", "axes fraction"))
    axes.set_ylim(0, max(reported * 1.3, 3.5))
    axes.set_xlabel("c = time of a draft forward / time of a target forward")
    axes.set_ylabel("speedup, at the very best")
    legend_below(figure, 2)
    entitle(figure, "At these costs the printed program cannot reach the reported speed")
    ends = "; ".join(
        f"{name}: {tokens / (target + draft * ratio):.2f} at c = {ratio:.2f}"
        for name, (target, draft) in lines.items()
        for ratio in ratios.values()
    )
    return picture(figure, f"Speedup over c against the reported {reported:.2f}. {ends}")


Row = Mapping[str, object]


def floors(rows: Sequence[Row]) -> Picture:
    """Tokens per second, and what the passes alone, and reading their weights, would allow."""
    figure, (axes,) = panels(height=0.5 * len(rows) + 1.6)
    names = [row["name"] for row in rows]
    speeds = [row["tokens_per_second"] for row in rows]
    told = [(i, row) for i, row in enumerate(rows) if row["floor_ratio"]]
    bounds = (
        ("floor_ratio", "D", "if only forward passes took time"),
        ("memory_ratio", "|", "if only reading the weights did"),
    )
    for (ratio, marker, label), look in zip(bounds, series(3)[1:], strict=True):
        axes.plot(
            [row["tokens_per_second"] * row[ratio] for _, row in told],
            [i for i, _ in told],
            label=label, **look.points() | {"marker": marker, "ms": 14 if marker == "|" else 9},
            mew=3,
        )  # fmt: skip
    axes.plot(speeds, range(len(rows)), label="measured", **MEASURED.points() | {"ms": 9})
    axes.set_yticks(range(len(rows)), names)
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel="tokens per second (log scale)")
    axes.set_xticks([100, 300, 1000, 3000, 10000], ["100", "300", "1000", "3000", "10 000"])
    axes.minorticks_off()
    legend_below(figure, 2, markerscale=0.8)
    passes = max(row["floor_ratio"] for _, row in told)
    entitle(figure, f"With forward passes only it would be at most {passes - 1:.0%} faster")
    return picture(
        figure,
        "Tokens per second: "
        + "; ".join(f"{n} {s:.0f}" for n, s in zip(names, speeds, strict=True)),
    )
