"""Draft heads on disk: their own weights in bfloat16, and nothing that is their target's.

NAME/model.safetensors    the parameters of `heads.Medusa` or `heads.UnrolledHead`
NAME/config.json          what kind, for which target, and the `Shape`
"""

import json
from dataclasses import asdict
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from course_utils.models.heads import Ends, Medusa, Shape, UnrolledHead

WEIGHTS, CONFIG = "model.safetensors", "config.json"


def save_head(head: Medusa | UnrolledHead, folder: Path) -> None:
    """Write the weights in bfloat16, and what is needed to read them."""
    lm_head = head.lm_head if isinstance(head, Medusa) else None
    vocabulary, hidden = (head.embed_tokens if lm_head is None else lm_head).shape
    config = {"vocabulary_size": vocabulary, "hidden": hidden}
    if isinstance(head, Medusa):
        config |= {"kind": "medusa", "heads": head.steps, "layers": len(head.heads[0])}
    else:
        config |= {"kind": "unrolled", "shape": asdict(head.shape)}
    folder.mkdir(parents=True, exist_ok=True)
    weights = {
        name: tensor.to(torch.bfloat16 if tensor.is_floating_point() else torch.int32).contiguous()
        for name, tensor in head.state_dict().items()
    }
    save_file(weights, folder / WEIGHTS)
    (folder / CONFIG).write_text(json.dumps(config, indent=1) + "\n")


def head_weights(folder: Path, target_config) -> tuple[dict, dict[str, Tensor]]:
    """The config of a head and its weights, as they are stored.

    Args:
        target_config: of the target that it is to guess for, as transformers has it.

    Raises:
        FileNotFoundError: there is no head in `folder`.
        ValueError: it was trained for a target of another shape.
    """
    folder = Path(folder)
    for file in (CONFIG, WEIGHTS):
        if not (folder / file).is_file():
            raise FileNotFoundError(
                f"there is no {folder / file}: name a folder of data/heads, or make one with "
                "'python -m course_utils train --stage heads'"
            )
    config = json.loads((folder / CONFIG).read_text())
    expected = {"hidden": target_config.hidden_size, "vocabulary_size": target_config.vocab_size}
    alone = "a head works only with the target that it was trained on"
    for what, value in expected.items():
        if config[what] != value:
            raise ValueError(
                f"the head in {folder} is for a target of {what} {config[what]}, "
                f"and this one has {value}: {alone}"
            )
    deepest = max(config.get("shape", {}).get("taps", [0]))
    if deepest > target_config.num_hidden_layers:
        raise ValueError(
            f"the head in {folder} reads the state after layer {deepest}, and this target has "
            f"{target_config.num_hidden_layers}: {alone}"
        )
    return config, load_file(folder / WEIGHTS)


def load_head(folder: Path, target) -> Medusa | UnrolledHead:
    """A head in float32, frozen, that shares the ends of its target.

    Args:
        target: a transformers `Qwen3ForCausalLM` or a `course_utils.models.qwen3.Qwen3`.

    Raises:
        FileNotFoundError, ValueError: as `head_weights`.
    """
    config, weights = head_weights(folder, target.config)
    ends = Ends.of(target).float()
    if config["kind"] == "medusa":
        head = Medusa(ends, config["heads"], config["layers"])
    else:
        shape = {**config["shape"], "taps": tuple(config["shape"]["taps"])}
        head = UnrolledHead(Shape(**shape), ends)
    head.load_state_dict(weights)
    return head.requires_grad_(False).eval()
