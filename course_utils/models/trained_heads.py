"""Read a draft head from its folder, for the target that it was trained on."""

import json
from pathlib import Path
from typing import Any

from safetensors.torch import load_file

from course_utils.models.causes import BadWeights
from course_utils.models.names import DATA
from course_utils.models.qwen3.head_models import HeadModel, read_layers
from course_utils.models.qwen3.heads import BlockHead, EagleHead, Medusa, Shape, TargetWeights
from course_utils.models.qwen3.onnx import AnyQwen3
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.shortage import failing_as

HEADS = DATA / "heads"
WEIGHTS = "model.safetensors"


def load_head(folder: Path, target: Any) -> Medusa | EagleHead:
    """Load a frozen head in float32 that shares the ends of its target.

    Args:
        target: a transformers `Qwen3ForCausalLM` or a `course_utils.models.qwen3.readable.Qwen3`.

    Raises:
        FileNotFoundError: there is no head in `folder`.
        BadWeights: its weights are missing, damaged or of another head.
        ValueError: it was trained for a target of another shape.
    """
    if not (folder / "config.json").is_file():
        raise FileNotFoundError(
            f"there is no {folder / 'config.json'}: name a folder of data/heads, or train a head "
            "with 'python -m workshop train --stage heads'"
        )
    if not hasattr(target, "config"):
        raise ValueError(
            f"a head reads the hidden states of a Qwen3, which a {type(target).__name__} does not "
            "show: take drafter model, suffix or lookup"
        )
    config = json.loads((folder / "config.json").read_text())
    shape = config.get("shape", {})
    sizes = target.config.hidden_size, target.config.vocab_size
    if (config["hidden"], config["vocabulary_size"]) != sizes or (
        max(shape.get("aux_layers", [0])) > target.config.num_hidden_layers
    ):
        raise ValueError(
            f"the head in {folder} is for a target of width {config['hidden']}, with "
            f"{config['vocabulary_size']} tokens, or with more layers than this one: a head works "
            "only with the target that it was trained on"
        )
    ends = TargetWeights.of(target).float()
    head: Medusa | EagleHead
    if config["kind"] == "medusa":
        head = Medusa(ends, config["heads"], config["layers"])
    else:
        shape = Shape(**{**shape, "aux_layers": tuple(shape["aux_layers"])})
        block = config["kind"] == "block"
        head = BlockHead(shape, ends, config["steps"]) if block else EagleHead(shape, ends)
    with failing_as(BadWeights, f"the weights of the head in {folder} are damaged, or another's"):
        weights = load_file(folder / WEIGHTS)
        if "draft_tokens" in weights and "lm_head.weight" not in weights:  # use the target's rows
            weights["lm_head.weight"] = ends.lm_head[weights["draft_tokens"]]
        head.load_state_dict(weights)
    return head.to(target.device).requires_grad_(False).eval()


def trained_head(target: AnyQwen3, folder: Path) -> HeadModel:
    """Load the head in `folder` for `target`, which becomes its `shared`; raise as `load_head`."""
    head = load_head(folder, target)
    return HeadModel(SharedTarget(target, read_layers(target, head)), head)
