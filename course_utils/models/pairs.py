"""Loading a target and its draft: the trained pair, Qwen3, or any two of yours."""

import warnings
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from safetensors import SafetensorError
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    GenerationConfig,
    PretrainedConfig,
    PreTrainedTokenizerBase,
)
from transformers.utils import logging as transformers_logging

from course_utils.decoding.contracts import LanguageModel
from course_utils.models.adapter import TransformersModel
from course_utils.models.memory import check_memory, free_memory, memory_needed
from course_utils.models.packed import PackedQwen3
from course_utils.models.precision import to_dtype
from course_utils.models.qwen3 import Qwen3, left_out

DATA = Path(__file__).parents[2] / "data"
PAIRS = {
    "tiny": (str(DATA / "target"), str(DATA / "draft")),
    "qwen3": ("Qwen/Qwen3-4B", "Qwen/Qwen3-0.6B"),
}
DEFAULT_CONTEXT = 4096


class ModelNotFound(OSError):
    """No such folder, and no such model in the local cache or on the hub."""


class BadWeights(OSError):
    """The weight files are missing, damaged or incomplete."""


class VocabularyMismatch(ValueError):
    """Target and draft do not share one vocabulary."""


@dataclass(frozen=True)
class Pair:
    """A target, perhaps a draft, and the target's tokenizer, which both use."""

    target: LanguageModel
    draft: LanguageModel | None
    tokenizer: PreTrainedTokenizerBase
    stop_tokens: tuple[int, ...]

    def encode(self, text: str) -> list[int]:
        return self.tokenizer(text)["input_ids"]

    def decode(self, tokens: list[int]) -> str:
        return self.tokenizer.decode(tokens)

    def packed(self) -> "Pair":
        """The same pair arranged for this CPU: about twice as fast, twice the memory.

        Models that are not a `Qwen3` on a CPU stay as they are.
        """
        return replace(self, target=_packed(self.target), draft=_packed(self.draft))


def _packed(model: LanguageModel | None) -> LanguageModel | None:
    on_cpu = isinstance(model, Qwen3) and model.device.type == "cpu"
    return PackedQwen3(model) if on_cpu else model


def load_pair(
    target: str,
    draft: str | None = None,
    *,
    dtype: str | torch.dtype = "auto",
    device: str = "auto",
    device_map: str | None = None,
    context: int = DEFAULT_CONTEXT,
) -> Pair:
    """Load "tiny" (the trained pair), "qwen3", or any target and draft.

    Args:
        target: a folder, a hub id, or the name of a pair, which brings its draft.
        draft: a folder or a hub id; None loads no draft but a named pair's own.
        dtype: "auto" takes the faster of float32 and bfloat16 on this machine.
        device: "auto" is a CUDA device if there is one, else the CPU.
        device_map: given to transformers as it is; "auto" lets accelerate
            spread each model over devices, in the adapter instead of `Qwen3`.
        context: the most tokens a session holds, prompt included.

    Raises:
        ModelNotFound, BadWeights, VocabularyMismatch, MemoryShortage: each
            says what was wrong and what to do.
    """
    target, usual_draft = PAIRS.get(target, (target, None))
    names = [name for name in (target, draft or usual_draft) if name is not None]
    place = torch.device(
        device if device != "auto" else "cuda" if torch.cuda.is_available() else "cpu"
    )
    dtype = to_dtype(dtype, place)
    configs = [_config(name) for name in names]
    tokenizer = _tokenizer(names[0])
    for name, config in zip(names[1:], configs[1:], strict=True):
        _check_vocabulary(names[0], configs[0], tokenizer, name, config)
    if device_map is None:  # accelerate does its own accounting
        needs = [memory_needed(config, dtype, context) for config in configs]
        check_memory(names, needs, free_memory(place), dtype, context)
    models = [
        _model(name, config, dtype, place, device_map, context)
        for name, config in zip(names, configs, strict=True)
    ]
    return Pair(
        target=models[0],
        draft=models[1] if len(models) > 1 else None,
        tokenizer=tokenizer,
        stop_tokens=_stop_tokens(names[0], configs[0]),
    )


def _config(name: str) -> PretrainedConfig:
    try:
        return AutoConfig.from_pretrained(name)
    except (OSError, ValueError) as error:
        raise ModelNotFound(_not_found(name)) from error


def _not_found(name: str) -> str:
    if Path(name).is_dir():
        return f"{name} is a folder without a usable config.json: is it a saved model?"
    return (
        f"{name!r} is neither a folder nor a model that the hub or its local cache has. "
        f"Known pairs: {', '.join(PAIRS)}. With a network, `hf download {name}` fetches a "
        "hub model once; if HF_HUB_OFFLINE=1 is set, unset it first. The trained pair, "
        '"tiny", needs no network.'
    )


def _tokenizer(name: str) -> PreTrainedTokenizerBase:
    try:
        return AutoTokenizer.from_pretrained(name)
    except (OSError, ValueError) as error:
        raise ModelNotFound(
            f"{name} has no tokenizer that loads: its folder needs tokenizer.json"
        ) from error


def _model(
    name: str,
    config: PretrainedConfig,
    dtype: torch.dtype,
    device: torch.device,
    device_map: str | None,
    context: int,
) -> LanguageModel:
    transformers_logging.disable_progress_bar()
    try:
        with warnings.catch_warnings(action="ignore"):
            model, report = AutoModelForCausalLM.from_pretrained(
                name, dtype=dtype, device_map=device_map, output_loading_info=True
            )
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise BadWeights(
            f"the weights of {name} are missing, cut short or of another shape ({error}). "
            "For the trained pair, `git checkout -- data` restores them; for a hub model, "
            "download it again"
        ) from error
    if report["missing_keys"]:
        missing = sorted(report["missing_keys"])
        raise BadWeights(
            f"the weights of {name} lack {len(missing)} tensors, {missing[0]} among them: "
            "the file is incomplete, fetch it again"
        )
    if device_map is None:
        model = model.to(device)
    if device_map is None and left_out(config) is None:
        weights = dict(model.state_dict())
        del model  # so that Qwen3 can free each matrix as it fuses it
        return Qwen3(config, weights, context)
    return TransformersModel(model, context)


def _check_vocabulary(
    target: str,
    target_config: PretrainedConfig,
    tokenizer: PreTrainedTokenizerBase,
    draft: str,
    draft_config: PretrainedConfig,
) -> None:
    sizes = [c.get_text_config().vocab_size for c in (target_config, draft_config)]
    if sizes[0] != sizes[1]:
        raise VocabularyMismatch(
            f"{target} has {sizes[0]} tokens and {draft} has {sizes[1]}: p and q must be laws "
            "over one vocabulary. Take a draft of the same family"
        )
    if _tokenizer(draft).get_vocab() != tokenizer.get_vocab():
        raise VocabularyMismatch(
            f"{target} and {draft} have {sizes[0]} tokens each, but give them different "
            "meanings. Take a draft of the same family"
        )


def _stop_tokens(name: str, config: PretrainedConfig) -> tuple[int, ...]:
    """The end tokens of the generation config, else of the config."""
    try:
        eos = GenerationConfig.from_pretrained(name).eos_token_id
    except OSError:
        eos = config.get_text_config().eos_token_id
    if eos is None:
        return ()
    return tuple(eos) if isinstance(eos, list) else (eos,)
