"""The pair, its certificate, and the speedup that the costs of a round predict."""

from collections.abc import Mapping

import torch

from course_utils.classroom.palette import MEASURED, NEUTRAL
from course_utils.classroom.picture import Picture, entitle, panels, picture
from course_utils.classroom.table import table
from course_utils.classroom.tokens import Html
from course_utils.decoding.theory import optimal_gamma
from course_utils.measuring.speedups import mark_impossible
from course_utils.models.loading.memory import memory_needed, qwen3_config
from course_utils.pairs import Pair
from course_utils.proofs.certificate import PAIR, Certificate, Check

TABLES = "on tables, every path"
PLACES = {PAIR: "on the pair", "made-up models": "on made-up models"}


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


def speedup_over_gamma(
    predicted: Mapping[int, float], raced: Mapping[int, float], tokens: Mapping[int, float],
    with_prompts: Mapping[int, float] | None = None,
) -> Picture:  # fmt: skip
    """Draw the speedup over standard decoding, predicted for every gamma and raced at some.

    Args:
        tokens: per round, of every gamma that was raced.
        with_prompts: the prediction of whole runs, which read their prompts, too.
    """
    figure, (axes,) = panels(height=3.6)
    axes.axhline(1, color=NEUTRAL, linewidth=1)
    axes.plot(list(predicted), list(predicted.values()), label="predicted", **MEASURED.curve())
    if with_prompts:
        values, style = list(with_prompts.values()), {"color": NEUTRAL, "linestyle": "--"}
        axes.plot(list(with_prompts), values, label="predicted, with the prompts", **style)
    axes.plot(list(raced), list(raced.values()), label="raced", **MEASURED.points())
    marked = mark_impossible(axes, raced, tokens)
    axes.set(
        xticks=list(predicted), xlabel="γ, tokens drafted per round",
        ylabel="speedup (1: standard decoding)",
        ylim=(0, 1.1 * max(1.1, *predicted.values(), *raced.values())),
    )  # fmt: skip
    axes.legend(loc="lower left")
    expected = with_prompts or predicted
    ratios = [speedup / expected[gamma] for gamma, speedup in raced.items()]
    best = max(raced, key=raced.get)
    message = f"Raced: {min(ratios):.2f} to {max(ratios):.2f} of the prediction"
    entitle(figure, message)
    said = f"the best is {raced[best]:.2f} at γ = {best}, where {expected[best]:.2f} was predicted"
    return picture(figure, f"{message}; {said}{marked}")


def certificate_table(certificate: Certificate) -> Html:
    """What was checked where, how much of it passed, and what failed, if anything did."""
    checks: dict[str, list[Check]] = {}
    for check in certificate.checks:
        where, inside, _ = check.name.partition(":")
        checks.setdefault(PLACES.get(where, where) if inside else TABLES, []).append(check)
    rows = [
        {
            "where": where,
            "passed": f"{sum(check.passed for check in made)} of {len(made)}",
            "samples would show": ", ".join(c.sees for c in made if c.sees),
            "failed": "; ".join(f"{c.name}. {c.detail}" for c in made if not c.passed),
        }
        for where, made in checks.items()
    ]
    open_ones = "".join(f"; not run: {reason}" for reason in certificate.not_run)
    return table(rows, f"{certificate.verdict}{open_ones}")


def real_pair_table(alpha: float, context: int) -> Html:
    """Qwen3-4B with 0.6B: the best speedup if c is the ratio of the weights, or of the layers."""
    shapes = [qwen3_config(f"Qwen/Qwen3-{size}") for size in ("0.6B", "4B")]
    needs = [memory_needed(shape, torch.bfloat16, context) for shape in shapes]
    small, large = (shape.num_hidden_layers for shape in shapes)
    ratios = {"weights": needs[0].weights / needs[1].weights, "layers": small / large}
    rows = []
    for name, c in ratios.items():
        best, speed = optimal_gamma(alpha, c)
        rows.append({"c as the ratio of the": name, "c": c, "best γ": best, "speedup": speed})
    needed = sum(need.total for need in needs) / 1e9
    return table(rows, f"α = {alpha}. Memory in bfloat16 with {context} tokens: {needed:.1f} GB")
