"""Where the time of a token goes: reading the model's weights from memory.

A scene: a pass over one token, a pass over five, and where more tokens stop being free.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.theory.roofline import memory_time
from course_utils.theory.sizes import ON_AN_H200, Model, layer_parameters, parameters

SLOWED_DOWN = 1000  # times: a pass of `ON_AN_H200` lasts 1.7 s in the picture


def where_time_goes(
    times: Mapping[int, float] | None = None, where: str = "this machine", tokens: int = 5
) -> Scene:
    """Return the scene, with measurements as dots next to the theory.

    Args:
        times: of a pass, by its number of tokens, in any unit; the dots are relative to one token.
        where: what was measured, and on which machine.
        tokens: in the pass over several.
    """
    target, draft = _model(ON_AN_H200.target), _model(ON_AN_H200.draft)
    draft["seconds"] = memory_time(draft["size"], ON_AN_H200.bandwidth)
    own = {"target": target, "draft": draft, "slow": SLOWED_DOWN}
    measured = sorted((int(k), time / times[1]) for k, time in (times or {}).items())
    data = {"tokens": tokens, "example": asdict(ON_AN_H200) | own}
    data |= {"measured": measured, "where": where}
    alt = (
        "Where the time of a token goes: each pass of a model reads all of its weights from memory "
        f"once, whether for one token or for {tokens}."
    )
    return Scene("memory", data, alt)


def _model(model: Model) -> dict[str, Any]:
    layer, layers = layer_parameters(model.shape) * model.width, model.shape.num_hidden_layers
    return {
        "name": model.name, "parameters": parameters(model.shape), "width": model.width,
        "size": model.size, "layers": layers, "layer": layer, "rest": model.size - layers * layer,
    }  # fmt: skip
