"""Reading the weights of a model: all of them there, used, and finite."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, PreTrainedModel
from transformers.utils import SAFE_WEIGHTS_INDEX_NAME, SAFE_WEIGHTS_NAME, cached_file

from course_utils.models.folder import Source
from course_utils.models.foreign import failing_as, quietly
from course_utils.models.precision import FLOATS, too_large
from course_utils.models.qwen3 import left_out

ADVICE = (
    ". For the trained pair, `git checkout -- data` restores them; for a hub model, download it "
    "again"
)
_NAMES = 2**20  # bytes; those of a thousand tensors are a tenth of it


class BadWeights(OSError):
    """The weight files are missing, damaged or incomplete."""


def check_files(source: Source, parameters: int) -> None:
    """Do nothing if the folder's files can hold that many numbers, a byte each at least.

    Where they cannot, transformers would make up the rest, and fill the memory with it.

    Raises:
        BadWeights
    """
    files = [*Path(source.name).glob("*.safetensors"), *Path(source.name).glob("*.bin")]
    held = sum(os.path.getsize(file) for file in files if os.path.isfile(file))
    packed = getattr(source.config, "quantization_config", None)
    if files and not packed and held < parameters:
        raise BadWeights(
            f"the weights of {source.name} are missing, cut short or of another model: its files "
            f"hold {held} bytes, and its config.json asks for {parameters} numbers"
        )


def stores_tied_head(source: Source) -> bool:
    """Is the head of a model whose head is its embedding in its files, too?

    Those of Qwen3-0.6B hold it: transformers reads it and lets it go.  Files that are not on this
    machine yet are not looked at.
    """
    if not source.config.get_text_config(decoder=True).tie_word_embeddings:
        return False
    for name in (SAFE_WEIGHTS_INDEX_NAME, SAFE_WEIGHTS_NAME):
        path = cached_file(
            source.name,
            name,
            local_files_only=True,
            _raise_exceptions_for_missing_entries=False,
            _raise_exceptions_for_connection_errors=False,
        )
        if path is not None:
            with open(path, "rb") as file:  # both begin with the tensors' names, in JSON
                return b'"lm_head.weight"' in file.read(_NAMES)
    return False


def read_weights(
    source: Source, dtype: torch.dtype, device_map: str | dict | None
) -> PreTrainedModel:
    """The model with its weights in `dtype`, on the CPU or where `device_map` puts them.

    Raises:
        BadWeights
        torch.OutOfMemoryError: they do not fit the device.
    """
    words = (
        f"the weights of {source.name} cannot be loaded: files are missing, cut short or of "
        "another kind"
    )
    with quietly(), failing_as(BadWeights, words, ADVICE):
        model, report = AutoModelForCausalLM.from_pretrained(
            source.name,
            config=source.config,
            dtype=dtype,
            device_map=device_map,
            trust_remote_code=False,
            ignore_mismatched_sizes=True,  # they are reported, and refused below
            output_loading_info=True,
        )
    _check_report(source, report)
    for tensor, weight in model.named_parameters():
        if not _is_finite(weight):
            raise BadWeights(
                f"the weights of {source.name} are damaged: {tensor} holds numbers that are not "
                f"finite{too_large(dtype)}{ADVICE}"
            )
    return model


def _check_report(source: Source, report: Mapping[str, Collection]) -> None:
    """Does the file hold what the config asks for, and nothing else?"""
    name = source.name
    if mismatched := sorted(report["mismatched_keys"]):
        tensor, there, wanted = mismatched[0]
        raise BadWeights(
            f"the weights of {name} are of another shape than its config.json says: {tensor} is "
            f"{tuple(there)} and should be {tuple(wanted)}"
        )
    if missing := sorted(report["missing_keys"]):
        raise BadWeights(
            f"the weights of {name} lack {len(missing)} tensors, {missing[0]} among them: "
            "the file is incomplete, fetch it again"
        )
    # other families leave things in their files; a Qwen3's says that the config is not its own
    if report["unexpected_keys"] and left_out(source.config) is None:
        raise BadWeights(
            f"the weights of {name} hold {min(report['unexpected_keys'])}, which its config.json "
            "has no use for: is that of another model?"
        )


def _is_finite(weight: torch.Tensor) -> bool:
    """One pass and no copy; what is offloaded or quantised is not looked at."""
    if weight.is_meta or weight.dtype not in FLOATS or weight.numel() == 0:
        return True
    return all(bound.isfinite() for bound in weight.aminmax())
