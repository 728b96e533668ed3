"""What a model is, in a folder or on the hub: config, tokenizer, end tokens, and weights that are
all there, used and finite.

Whatever the files hold, a reader returns something that can be used, or raises
one of the errors below.  Code that comes with a model is never run.
"""

import json
import math
import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from filecmp import cmp
from pathlib import Path
from typing import TypeVar

import torch
from transformers import (
    CONFIG_MAPPING,
    MODEL_FOR_CAUSAL_LM_MAPPING,
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    PretrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from transformers.utils import cached_file

from course_utils.decoding.sampling import Sampling
from course_utils.models.context import longest_texts, rotary_parameters
from course_utils.models.device import FLOATS, too_large
from course_utils.models.loading.foreign import failing_as, quietly
from course_utils.models.loading.memory import Need, memory_needed
from course_utils.models.names import PAIRS
from course_utils.models.penalties import Penalties
from course_utils.models.qwen3.readable import left_out

ADVICE = (
    ". For the trained pair, `git checkout -- data` restores them; for a hub model, download it "
    "again"
)
# The most a config may count of what is built one by one: a damaged number would
# fill the memory before anything could be estimated.
_MOST = {"layer": 1000, "layers": 1000, "blocks": 1000, "experts": 10_000, "labels": 1_000_000}


Settings = TypeVar("Settings")  # a dataclass
_HUB_ID = re.compile(r"[\w.-]*(/[\w.-]+)?")  # OWNER/NAME, or a name alone


class ModelNotFound(OSError):
    """No such folder, no such model in the local cache or on the hub, or no tokenizer in it."""


class BadConfig(ValueError):
    """A JSON file of the model says what cannot be followed."""


@dataclass(frozen=True)
class Source:
    """A model before its weights are read."""

    name: str  # a folder or a hub id
    config: PretrainedConfig
    tokenizer: PreTrainedTokenizerBase


def read_source(name: str, like: Source | None = None) -> Source:
    """The config of a causal language model that transformers knows by itself, and its tokenizer.

    Args:
        like: another model, whose tokenizer is taken if the files are the same.

    Raises:
        ModelNotFound: there is no such folder or hub model, or no tokenizer in it.
        BadConfig: config.json is damaged, or asks for another kind of model.
    """
    config = _config(name)
    if like is not None and _same_tokenizer(name, like.name):
        return Source(name, config, like.tokenizer)
    return Source(name, config, _tokenizer(name, config))


def read_need(source: Source, dtype: torch.dtype, context: int) -> Need:
    """How much memory the model will take; nothing is allocated to find out.

    Raises:
        BadConfig: no model can be built from the config.
    """
    words = f"no model can be built from the config.json of {source.name}"
    with quietly(), failing_as(BadConfig, words):
        return memory_needed(source.config, dtype, context)


def read_stop_tokens(source: Source) -> tuple[int, ...]:
    """The end tokens of the generation config if it names any, else of the config.

    Raises:
        BadConfig: they are no tokens, or the file is damaged.
    """
    config, file = source.config.get_text_config(decoder=True), "config.json"
    ends = getattr(config, "eos_token_id", None)
    fields = _fields(source.name, "generation_config.json") or {}
    if fields.get("eos_token_id") is not None:
        ends, file = fields["eos_token_id"], "generation_config.json"
    if ends is None:
        return ()
    ends = ends if isinstance(ends, list) else [ends]
    wrong = [x for x in ends if type(x) is not int or not 0 <= x < config.vocab_size]
    if wrong:
        raise BadConfig(
            f"the {file} of {source.name} says eos_token_id {wrong[0]!r}: an end token is a whole "
            f"number from 0 to {config.vocab_size - 1}"
        )
    return tuple(ends)


def read_sampling(name: str, kind: type[Settings] = Sampling) -> Settings:
    """What a model's generation config says of the settings of that kind; do_sample is not read.

    Raises:
        BadConfig: one of them is out of range, or the file is damaged.
    """
    said = _fields(name, "generation_config.json") or {}
    with failing_as(BadConfig, f"the generation_config.json of {name} cannot be followed"):
        names = (field.name for field in fields(kind))
        return kind(**{name: said[name] for name in names if said.get(name) is not None})


# Other settings of transformers' that change a text, and the value with which each does not.
_CHANGES = {
    "bad_words_ids": None, "begin_suppress_tokens": None, "constraints": None,
    "diversity_penalty": 0, "encoder_no_repeat_ngram_size": 0, "encoder_repetition_penalty": 1,
    "epsilon_cutoff": 0, "eta_cutoff": 0, "exponential_decay_length_penalty": None,
    "force_words_ids": None, "forced_bos_token_id": None, "forced_eos_token_id": None,
    "guidance_scale": 1, "min_length": 0, "min_new_tokens": 0, "no_repeat_ngram_size": 0,
    "num_beams": 1, "penalty_alpha": 0, "sequence_bias": None, "stop_strings": None,
    "suppress_tokens": None, "token_healing": False, "top_h": None, "typical_p": 1,
    "watermarking_config": None,
}  # fmt: skip


@dataclass(frozen=True)
class Advice:
    """What the makers of a model advise for a chat.

    Attributes:
        not_followed: what else their file says that would change a text, "num_beams = 4".
    """

    sampling: Sampling = Sampling()
    penalties: Penalties = Penalties()
    not_followed: tuple[str, ...] = ()


def read_advice(name: str) -> Advice:
    """What a model's generation config says; do_sample false is greedy.

    Raises:
        BadConfig: a setting is out of range, or the file is damaged.
    """
    sampling, penalties = read_sampling(name), read_sampling(name, Penalties)
    said = _fields(name, "generation_config.json") or {}
    if said.get("do_sample") is False:
        sampling = replace(sampling, temperature=0)
    others = {field: said.get(field) for field in _CHANGES}
    changing = {field: x for field, x in others.items() if x and x != _CHANGES[field]}
    words = (f"{field} = {json.dumps(x):.40}" for field, x in changing.items())
    return Advice(sampling, penalties, tuple(words))


def _config(name: str) -> PretrainedConfig:
    if os.path.isfile(name):
        raise ModelNotFound(f"{name} is a file: give the folder that holds config.json")
    fields = _fields(name, "config.json")
    if fields is None:
        raise ModelNotFound(_not_found(name))
    kind = fields.get("model_type")
    if not isinstance(kind, str) or kind not in CONFIG_MAPPING:
        raise BadConfig(
            f"{name} needs code of its own (auto_map in config.json), and code that comes with a "
            "model is never run here: take a model that transformers itself knows"
            if "auto_map" in fields
            else f"the config.json of {name} says model_type {kind!r}, which this version of "
            "transformers does not know"
        )
    _check_counts(name, fields)
    with quietly(), failing_as(BadConfig, f"the config.json of {name} cannot be used"):
        config = AutoConfig.from_pretrained(name, trust_remote_code=False)
        text_config = config.get_text_config(decoder=True)
        if not isinstance(text_config, PretrainedConfig):
            raise TypeError(f"text_config is {text_config!r}")
        longest_texts(text_config)
        _check_rotary(text_config)
    if type(config) not in MODEL_FOR_CAUSAL_LM_MAPPING:
        raise BadConfig(f"{name} is a {kind} model, and that is no causal language model")
    # kernels that a config names may be missing here, or be code from the hub
    config._attn_implementation = config._experts_implementation = None
    return config


def _check_counts(name: str, fields: dict) -> None:
    for field, value in fields.items():
        if isinstance(value, dict):
            _check_counts(name, value)
        most = _MOST.get(field.rsplit("_", 1)[-1])
        if most and isinstance(value, int | float) and value > most:
            raise BadConfig(f"the config.json of {name} says {field} {value}: at most {most}")


def _check_rotary(config: PretrainedConfig) -> None:
    """Positions turn by powers of these numbers; transformers takes any."""
    for rotary in rotary_parameters(config):
        for field in ("rope_theta", "factor"):
            value = rotary.get(field, 1.0)
            if not isinstance(value, int | float) or not 0 < value < math.inf:
                raise ValueError(f"{field} is {value!r}: it must be a positive number")


def _tokenizer(name: str, config: PretrainedConfig) -> PreTrainedTokenizerBase:
    words = f"{name} has no tokenizer that loads from its tokenizer.json and tokenizer_config.json"
    with quietly(), failing_as(ModelNotFound, words):
        tokenizer = AutoTokenizer.from_pretrained(name, config=config, trust_remote_code=False)
        tokenizer.decode(tokenizer("a b")["input_ids"])  # some damage shows in use only
        learnt = {*tokenizer.get_vocab().values()} - {*tokenizer.added_tokens_decoder}
    if not learnt:  # where transformers finds no file it makes an empty one
        raise ModelNotFound(f"{name} has no tokenizer: its folder needs a tokenizer.json")
    return tokenizer


def _not_found(name: str) -> str:
    if os.path.isdir(name):
        return f"{name} is a folder without a usable config.json: is it a saved model?"
    near = nearest_folder(name)
    meant = f" Did you mean {near}?" if near else ""
    if not _HUB_ID.fullmatch(name) or os.path.isdir(os.path.dirname(name)):
        return f"there is no folder {name!r}.{meant or f' You are in {os.getcwd()}.'}"
    return (
        f"{name!r} is neither a folder nor a model that the hub or its local cache has.{meant} "
        f"Known pairs: {', '.join(PAIRS)}. With a network, `hf download {name}` fetches a "
        "hub model once; if HF_HUB_OFFLINE=1 is set, unset it first. The trained pair, "
        '"tiny", needs no network.'
    )


def nearest_folder(path: str) -> str | None:
    """The path with its first wrong part spelt as a folder that is there; None if none is close."""
    parts = Path(path).parts
    for i, part in enumerate(parts):
        above = Path(*parts[:i])
        if not os.path.isdir(above / part):
            close = get_close_matches(part, [folder.name for folder in above.glob("*/")], 1)
            return str(Path(above, *close, *parts[i + 1 :])) if close else None
    return None


def _same_tokenizer(*names: str) -> bool:
    """Do two models have the same files of a tokenizer, byte by byte?"""
    for file in ("tokenizer.json", "tokenizer_config.json"):
        paths = [_path(name, file) for name in names]
        if None in paths or not cmp(*paths, shallow=False):
            return False
    return True


def _fields(name: str, file: str) -> dict | None:
    """What a JSON file of the model says, as it stands there; None if there is no such file."""
    path = _path(name, file)
    if path is None:
        return None
    with failing_as(BadConfig, f"the {file} of {name} cannot be read"):
        fields = json.loads(Path(path).read_text("utf-8"))
        if not isinstance(fields, dict):
            raise TypeError(f"it holds a {type(fields).__name__}, not named values")
    return fields


def _path(name: str, file: str) -> str | None:
    """Where a file of the model lies on this machine; None if there is no such file."""
    try:
        return cached_file(
            name,
            file,
            _raise_exceptions_for_gated_repo=False,
            _raise_exceptions_for_missing_entries=False,
            _raise_exceptions_for_connection_errors=False,
        )
    except OSError:  # the name is neither a folder's nor a hub model's
        return None


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
