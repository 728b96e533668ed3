"""The pair, the report of a decoding run, and the pictures of its acceptance and its speed."""

from course_utils.classroom.palette import MEASURED, NEUTRAL, ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.classroom.table import table
from course_utils.classroom.tokens import Html
from course_utils.decoding.metrics import Metrics
from course_utils.measuring.speedups import mark_impossible
from course_utils.models.memory import memory_needed
from course_utils.models.pairs import Pair
from course_utils.proofs.certificate import PAIR, Certificate
from course_utils.proofs.table_checks import Check

TABLES = "on tables, every path"
PLACES = {PAIR: "on the pair", "48 tokens": "on made-up models"}


def pair_table(pair: Pair, context: int) -> Html:
    """What is loaded: shape, number format, place, and memory with caches of `context` tokens.

    Raises:
        ValueError: there is no draft.
    """
    if pair.draft is None:
        raise ValueError(
            "this lesson needs a draft: set draft to a folder or a hub id with the target's "
            'vocabulary, or target to a pair, "tiny" or "qwen3"'
        )
    models = {"target": pair.target, "draft": pair.draft}
    return table(
        [
            {
                "role": role,
                "layers": model.config.num_hidden_layers,
                "hidden size": model.config.hidden_size,
                "vocabulary": model.vocabulary_size,
                "dtype": str(model.dtype).removeprefix("torch."),
                "device": str(model.device),
                "MB": memory_needed(model.config, model.dtype, context).total / 1e6,
            }
            for role, model in models.items()
        ]
    )


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


def speedup_over_gamma(
    predicted: dict[int, float], measured: dict[int, float], tokens: dict[int, float]
) -> Picture:
    """Speedup over standard decoding, from costs and by the clock; `tokens` are those per round."""
    figure, (axes,) = panels(height=3.6)
    gammas = list(measured)
    axes.axhline(1, color=NEUTRAL, linewidth=1)
    axes.plot(gammas, list(predicted.values()), label="predicted", **MEASURED.curve())
    axes.plot(gammas, list(measured.values()), label="measured", **MEASURED.points())
    axes.annotate(
        "standard decoding", (gammas[-1], 1), xytext=(0, -14), textcoords="offset points",
        ha="right", color=NEUTRAL,
    )  # fmt: skip
    marked = mark_impossible(axes, measured, tokens)
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
        f"{predicted[best]:.2f} was predicted{marked}",
    )


def certificate_table(certificate: Certificate) -> Html:
    """What was checked where, how much of it passed, and what failed, if anything did."""
    checks: dict[str, list[Check]] = {}
    for check in certificate.checks:
        where, inside, _ = check.name.partition(":")
        checks.setdefault(PLACES.get(where, where) if inside else TABLES, []).append(check)
    rows = [
        {
            "where": where,
            "passed": f"{sum(check.passed for check in found)} of {len(found)}",
            "samples would show": ", ".join(c.sees for c in found if c.sees),
            "failed": "; ".join(f"{c.name}. {c.detail}" for c in found if not c.passed),
        }
        for where, found in checks.items()
    ]
    open_ones = "".join(f"; not run: {reason}" for reason in certificate.not_run)
    return table(rows, f"{certificate.verdict}{open_ones}")
