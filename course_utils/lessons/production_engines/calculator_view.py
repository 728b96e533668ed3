"""Where drafting stops paying off: speed by requests in a batch, under a limit on latency.

`stage/scenes/calculator.mjs` draws it and computes every setting
(`stage/formulas/calculator.mjs`).  All numbers are best cases from the data sheets of
`theory.accelerators`.
"""

from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.engines.calculator import (
    LARGEST_BATCH,
    attention_products,
    cache_bytes,
    first_losing_batch,
    roofline,
    weight_bytes,
)
from course_utils.theory.accelerators import ACCELERATORS, MODELS, Accelerator
from course_utils.theory.sizes import Model, parameters

KS = (0, 2, 4, 8)  # tokens drafted per round; 0 is plain decoding
LIMITS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100)  # milliseconds a token
GUESSED = 4  # the K whose crossover the viewer guesses
MACHINE, TARGET, DRAFT = ACCELERATORS["H200"], MODELS["Qwen3-4B"], MODELS["Qwen3-0.6B"]
ALPHA, CONTEXT, LIMIT = 0.8, 512, 4  # at the opening, like the line above


def calculator_scene() -> Scene:
    """Draw speed over batch size for each K, with a guess first and controls at the end.

    The controls offer every accelerator, acceptance and limit.  Sizes are in bytes; "products"
    are the weights that a pass multiplies by, "attention" is what every token of context adds.
    """
    costs = roofline(MACHINE, TARGET, DRAFT, context=CONTEXT)
    losing = (
        f"K = {k} loses from {first_losing_batch(costs, ALPHA, k)} requests on" for k in KS[1:]
    )
    data = {
        "machines": [machine(one) for one in ACCELERATORS.values()],
        "ks": list(KS), "guessed": GUESSED, "largest": LARGEST_BATCH, "limits": list(LIMITS),
        "first": {
            "machine": machine(MACHINE), "target": sizes(TARGET), "draft": sizes(DRAFT),
            "alpha": ALPHA, "context": CONTEXT, "limit": LIMIT,
        },
    }  # fmt: skip
    alt = (
        f"{TARGET.name} with {DRAFT.name} on {MACHINE.name}, best case, α = {ALPHA:g}, {CONTEXT} "
        f"tokens of context: {'; '.join(losing)}."
    )
    return Scene("calculator", data, alt)


def machine(one: Accelerator) -> dict[str, Any]:
    """Return the numbers of an accelerator that the formulas need."""
    return {name: getattr(one, name) for name in ("name", "bandwidth", "operations", "memory")}


def sizes(model: Model) -> dict[str, Any]:
    """Return what a pass of the model reads and multiplies, for `roofline` in the browser."""
    return {
        "name": model.name, "size": model.size, "held": weight_bytes(model),
        "cached": cache_bytes(model), "products": parameters(model.shape),
        "attention": attention_products(model, 1),
    }  # fmt: skip
