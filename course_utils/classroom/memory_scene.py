"""Where the time of a token goes: the weights of a model on their way from memory.

A scene: one pass for one token, the same pass for five, and where it stops to be free.
`memory_data` is pure; `where_time_goes` makes the scene of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.classroom.memory_examples import (
    ON_AN_H200,
    Example,
    Model,
    layer_parameters,
    parameters,
)
from course_utils.classroom.scene import Scene
from course_utils.decoding.roofline import memory_time

LONGEST = 1.8  # seconds that a pass may last in the picture
ALT = (
    "Where the time of a token goes: for each pass of a model all of its weights come from "
    "memory, once, whether for one token or for {tokens}."
)


def memory_data(
    examples: Sequence[Example], measured: Mapping[int, float], tokens: int
) -> dict[str, Any]:
    """What the scene draws, for JSON.

    Raises:
        ValueError: the first example has no bandwidth to compute with.
    """
    clocked = next((one for one in examples if one.seconds), None)
    if clocked and not measured:
        measured = {k: taken / clocked.seconds[1] for k, taken in clocked.seconds.items()}
    return {
        "tokens": tokens,
        "example": _computed(examples[0]),
        "measured": sorted((int(k), float(v)) for k, v in measured.items()),
        "where": clocked.title if clocked else "this machine",
    }


def where_time_goes(
    measured: Mapping[int, float] | None = None,
    *,
    examples: Sequence[Example] = (ON_AN_H200,),
    tokens: int = 5,
) -> Scene:
    """The scene, with what was measured here as dots beside the theory.

    Args:
        measured: v(k) by k: the time of a pass over k tokens over that of one; default: that of
            the first timed example.
        examples: the first one, with a bandwidth, is told; a timed one gives the dots.
        tokens: of the pass over several.
    """
    return Scene("memory", memory_data(examples, measured or {}, tokens), ALT.format(tokens=tokens))


def slow_motion(seconds: float) -> float:
    """How many times slower a pass of `seconds` is shown: 1, 2 or 5 times a power of ten.

    >>> slow_motion(0.0017), slow_motion(0.3)
    (1000.0, 5.0)
    """
    steps = [digit * 10.0**power for power in range(-3, 10) for digit in (1, 2, 5)]
    return max(step for step in steps if step * seconds <= LONGEST or step == steps[0])


def _computed(example: Example) -> dict[str, Any]:
    target, draft, bandwidth = example.target, example.draft, example.bandwidth
    if bandwidth is None or example.operations is None:
        raise ValueError(f"{example.title} was timed: give one with a bandwidth first")
    return {
        "title": example.title,
        "source": example.source,
        "target": _model(target),
        "draft": draft and {**_model(draft), "seconds": memory_time(draft.size, bandwidth)},
        "bandwidth": bandwidth,
        "operations": example.operations,
        "slow": slow_motion(memory_time(target.size, bandwidth)),
    }


def _model(model: Model) -> dict[str, Any]:
    layer = layer_parameters(model.shape) * model.width
    return {
        "name": model.name,
        "parameters": parameters(model.shape),
        "width": model.width,
        "size": model.size,
        "layers": model.shape.num_hidden_layers,
        "layer": layer,
        "rest": model.size - model.shape.num_hidden_layers * layer,
    }
