"""The models that a draft or a head learns from: on disk, whole, and standing still."""

from pathlib import Path

import torch
from transformers import AutoTokenizer, Qwen3ForCausalLM

from course_utils.training import sealed, text


def standing_still(folder: Path, role: str, known: text.Text, device: str) -> Qwen3ForCausalLM:
    """`folder`/`role`, "target" or "draft", in float32, frozen.

    Raises:
        ValueError: it is damaged, or has another tokenizer than the text.
    """
    place = folder / role
    if (place / sealed.SEAL).exists() and sealed.damaged(place):
        raise ValueError(f"{place} is damaged: the stage {role} makes it anew")
    if AutoTokenizer.from_pretrained(place).get_vocab() != known.tokenizer.get_vocab():
        raise ValueError(f"{place} has another tokenizer than {folder / 'work' / 'text'}")
    model = Qwen3ForCausalLM.from_pretrained(place, dtype=torch.float32)
    return model.eval().requires_grad_(False).to(device)
