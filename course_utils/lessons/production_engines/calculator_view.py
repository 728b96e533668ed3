"""Where drafting stops paying off: speed by requests in a batch, under a limit on latency.

`calculator_view` computes it with `engines.calculator`; `stage/scenes/calculator.mjs` draws it
and handles its controls with the same formulas (`stage/formulas/calculator.mjs`), which
tests/stage/test_formulas.py compares.  All numbers are best cases from the data sheets of
`theory.accelerators`.
"""

from dataclasses import dataclass
from math import isfinite
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.engines.calculator import (
    LARGEST_BATCH,
    TurnCosts,
    attention_products,
    cache_bytes,
    first_losing_batch,
    roofline,
    tokens_per_second,
    weight_bytes,
)
from course_utils.theory.accelerators import ACCELERATORS, MODELS, Accelerator
from course_utils.theory.sizes import Model, parameters
from course_utils.theory.speedup import expected_tokens

KS = (0, 2, 4, 8)  # tokens drafted per round; 0 is plain decoding
TARGETS = ("Qwen3-1.7B", "Qwen3-4B", "Qwen3-8B")
DRAFTS = ("Qwen3-0.6B", "Qwen3-1.7B")
CONTEXTS = (0, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768)  # tokens in a row's cache
LIMITS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100)  # milliseconds a token
GUESSED = 4  # the K whose crossover the viewer guesses


@dataclass(frozen=True)
class Setting:
    """The settings of the scene's controls.

    Raises:
        ValueError: a name that is not offered, or a number outside its control's range.
    """

    machine: str = "H200"
    target: str = "Qwen3-4B"
    draft: str | None = "Qwen3-0.6B"  # None: drafts cost nothing, as (nearly) in prompt lookup
    alpha: float = 0.8
    context: int = 512
    limit: float = 4  # milliseconds per token of a row, at most

    def __post_init__(self) -> None:
        for name, known in (
            ("machine", tuple(ACCELERATORS)),
            ("target", TARGETS),
            ("draft", drafts_of(self.target)),
            ("context", CONTEXTS),
            ("limit", LIMITS),
        ):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} is {getattr(self, name)!r}; choose one of {known}")
        if not (isfinite(self.alpha) and 0 <= self.alpha < 1):
            raise ValueError(f"alpha is {self.alpha}; it must be at least 0 and below 1")


@dataclass(frozen=True)
class View:
    """What the scene draws for a setting; an entry for each of `KS`."""

    speeds: tuple[tuple[float, ...], ...]  # tokens per second of 1, 2, ... rows; () if none fits
    off: tuple[int | None, ...]  # the smallest batch in which drafts lose, if any
    within: tuple[int, ...]  # the largest batch within the limit; 0 if none is
    served: tuple[float, ...]  # the most tokens per second within the limit


def drafts_of(target: str) -> tuple[str | None, ...]:
    """Return the drafts offered for a target: smaller models, and None for one without cost."""
    of = MODELS.get(target)
    return (*(name for name in DRAFTS if of and MODELS[name].size < of.size), None)


def calculator_view(setting: Setting) -> View:
    """Compute what the scene draws; without a draft, more rows fit in memory."""
    plain, drafting = _costs(setting, None), _costs(setting, setting.draft)
    lines = [_line(setting, drafting if k else plain, k) for k in KS]
    return View(*map(tuple, zip(*lines, strict=True)))


def crossovers(view: View) -> str:
    """Return a sentence on the batch size from which each K loses."""
    if not all(view.speeds):
        return "The models and one request's context do not fit in memory."
    parts = [
        f"K = {k} loses from {rows} {'request' if rows == 1 else 'requests'} on"
        if rows
        else f"K = {k} pays up to the memory's end, {len(speeds)} in a batch"
        for k, rows, speeds in zip(KS, view.off, view.speeds, strict=True)
        if k
    ]
    return "; ".join(parts) + "."


def calculator_scene(setting: Setting | None = None) -> Scene:
    """Draw speed over batch size for each K, with a guess first and controls at the end.

    Args:
        setting: at the opening; the controls offer every accelerator, acceptance and limit.
    """
    setting = setting or Setting()
    draft = setting.draft or "a draft that costs nothing"
    alt = (
        f"{setting.target} with {draft} on {setting.machine}, best case, α = {setting.alpha:g}, "
        f"{setting.context} tokens of context: {crossovers(calculator_view(setting))}"
    )
    return Scene("calculator", calculator_data(setting), alt)


def calculator_data(setting: Setting) -> dict[str, Any]:
    """Return the accelerators on offer, with the numbers that the formulas need, and `setting`.

    Sizes are in bytes; "products" are the weights that a pass multiplies by, "attention" is what
    every token of context adds to them.
    """
    return {
        "machines": [machine(one) for one in ACCELERATORS.values()],
        "ks": list(KS), "guessed": GUESSED, "largest": LARGEST_BATCH, "limits": list(LIMITS),
        "first": {
            "machine": machine(ACCELERATORS[setting.machine]),
            "target": sizes(MODELS[setting.target]),
            "draft": sizes(MODELS[setting.draft]) if setting.draft else None,
            "alpha": setting.alpha, "context": setting.context, "limit": setting.limit,
        },
    }  # fmt: skip


def machine(one: Accelerator) -> dict[str, Any]:
    """Return the numbers of an accelerator that the formulas need."""
    return {
        "name": one.name, "bandwidth": one.bandwidth, "operations": one.operations,
        "memory": one.memory,
    }  # fmt: skip


def sizes(model: Model) -> dict[str, Any]:
    """Return what a pass of the model reads and multiplies, for `roofline` in the browser."""
    return {
        "name": model.name, "size": model.size, "held": weight_bytes(model),
        "cached": cache_bytes(model), "products": parameters(model.shape),
        "attention": attention_products(model, 1),
    }  # fmt: skip


def _costs(setting: Setting, draft: str | None) -> TurnCosts | None:
    """Return the costs of a turn, or None if the models do not fit in memory."""
    machine, small = ACCELERATORS[setting.machine], MODELS[draft] if draft else None
    try:
        return roofline(machine, MODELS[setting.target], small, context=setting.context)
    except ValueError:
        return None


def _line(
    setting: Setting, costs: TurnCosts | None, k: int
) -> tuple[tuple[float, ...], int | None, int, float]:
    if costs is None:
        return (), None, 0, 0.0
    tokens, limit = expected_tokens(setting.alpha, k), setting.limit / 1000
    speeds = [tokens_per_second(costs, rows, k, tokens) for rows in range(1, costs.most_rows + 1)]
    within = [(rows, speed) for rows, speed in enumerate(speeds, 1) if rows / speed <= limit]
    return (
        tuple(speeds),
        first_losing_batch(costs, setting.alpha, k) if k else None,
        max((rows for rows, _ in within), default=0),
        max((speed for _, speed in within), default=0.0),
    )
