"""The pair, its certificate, the costs of a round, and the speedup that they predict."""

from collections.abc import Mapping, Sequence

import torch

from course_utils.classroom.palette import MEASURED, NEUTRAL
from course_utils.classroom.picture import Picture, entitle, panels, picture
from course_utils.classroom.table import table
from course_utils.classroom.tokens import Html
from course_utils.decoding.theory import optimal_gamma
from course_utils.engines.accelerators import ACCELERATORS, MODELS
from course_utils.engines.calculator import roofline
from course_utils.lessons.qwen3_speculative_decoder.timing import Parts
from course_utils.measuring.speedups import mark_impossible
from course_utils.models.loading.memory import memory_needed, qwen3_config
from course_utils.pairs import Pair
from course_utils.proofs.certificate import PAIR, Certificate, Check

TABLES = "on tables, every path"
PRIMES = """PRIMES = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29,
    31, 37, 41, 43, 47, 53, 59, 61, 67, 71,
    73, 79, 83, 89, 97, 101, 103, 107, 109, 113,
   """
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


def costs_table(parts: Parts, host: float, rates: Sequence[float], gamma: int) -> Html:
    """What a round is predicted from: measured here, and at best on an H200 (the roofline)."""
    there = roofline(ACCELERATORS["H200"], MODELS["Qwen3-4B"], MODELS["Qwen3-0.6B"])
    one = there.target(1, 1)
    rows = [
        ("T(1) in ms", 1e3 * parts.one, 1e3 * one),
        (f"c, γ = {gamma}", parts.c[gamma], there.draft(1) / one),
        *((f"v({k})", parts.v[k], there.target(1, k) / one) for k in (2, gamma + 1)),
        ("o, no draft", host, "none"),
        (f"o, γ = {gamma}", parts.o[gamma], "none"),
        *((f"accepted at {i}", rate, "") for i, rate in enumerate(rates, 1)),
    ]
    return table(
        [
            {"": name, "measured here": here, "Qwen3-4B, 0.6B on an H200, at best": best}
            for name, here, best in rows
        ]
    )


def speedup_over_gamma(
    predicted: dict[int, float],
    measured: dict[int, float],
    tokens: dict[int, float],
    with_prompts: dict[int, float] | None = None,
) -> Picture:
    """Speedup over standard decoding, from costs, and at some gammas by the clock.

    `tokens` are those per round, of every gamma that was measured; `with_prompts` is the
    prediction of whole runs.
    """
    figure, (axes,) = panels(height=3.6)
    gammas = list(predicted)
    axes.axhline(1, color=NEUTRAL, linewidth=1)
    axes.plot(gammas, list(predicted.values()), label="predicted", **MEASURED.curve())
    said = {"the prediction": predicted}
    if with_prompts:
        said["that with prompts"] = with_prompts
        axes.plot(
            gammas, list(with_prompts.values()), color=NEUTRAL, linestyle="--",
            label="predicted, with the prompts",
        )  # fmt: skip
    axes.plot(list(measured), list(measured.values()), label="raced", **MEASURED.points())
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
    compared = []
    for what, speedups in said.items():
        ratios = [measured[gamma] / speedups[gamma] for gamma in measured]
        compared.append(f"{min(ratios):.2f} to {max(ratios):.2f} of {what}")
    entitle(figure, f"Raced: {', '.join(compared)}")
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


def audit_table(found: Mapping[str, Sequence[str]]) -> Html:
    """How many rounds of each decoder contradict their records, by the record that is wrong."""
    return table(
        [
            {"decoder": name, "rounds": len(said)}
            | {record: list(said).count(record) for record in ("guess", "verdict")}
            for name, said in found.items()
        ]
    )


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
    said = f"α = {alpha}. Memory in bfloat16 with {context} tokens: {needed:.1f} GB"
    return table(rows, said)
