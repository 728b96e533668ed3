"""Read a model from a folder or the hub: config, the memory that it needs, tokenizer, end tokens,
recommended settings and complete weights.  Code that comes with a model is never run.
"""

import json
import os.path
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import constants, get_session
from tokenizers import Tokenizer
from transformers import (
    MODEL_FOR_CAUSAL_LM_MAPPING,
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    PretrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from transformers.utils import logging
from transformers.utils.hub import cached_file

from course_utils.decoding.sampling import Sampling
from course_utils.models.causes import BadConfig as BadConfig
from course_utils.models.causes import BadWeights as BadWeights
from course_utils.models.causes import ModelNotFound as ModelNotFound
from course_utils.models.causes import check_loadable, similar
from course_utils.models.device import fitting_context
from course_utils.shortage import cause, failing_as

_STACKED = {"q_proj", "k_proj", "v_proj", "gate_proj", "up_proj"}  # by `readable.Block`
HUB_SECONDS = 3.0  # how long to wait for an answer
IF_IT_IS_THERE = dict.fromkeys(  # of a file: else None, without an error
    [f"_raise_exceptions_for_{what}" for what in
     ("gated_repo", "missing_entries", "connection_errors")], False,
)  # fmt: skip


@dataclass(frozen=True)
class Source:
    """A model before its weights are read."""

    name: str  # a folder or a hub id
    config: PretrainedConfig
    tokenizer: PreTrainedTokenizerBase


def read_source(name: str) -> Source:
    """Read the config and the tokenizer of a causal language model that transformers knows.

    Raises:
        ModelNotFound: there is no such folder or hub model, or it has no tokenizer.
        BadConfig: config.json is damaged, or of another kind of model.
    """
    check_loadable(name)
    with quietly():
        try:
            config = AutoConfig.from_pretrained(name, trust_remote_code=False)
        except OSError as error:
            meant = f"did you mean {close}? " if (close := similar(name)) else ""
            raise ModelNotFound(
                f"{name!r} is neither a folder nor a model on the hub or in its local cache: "
                f"{meant}with a network, download it once by `hf download {name}`; if "
                f"HF_HUB_OFFLINE=1 is set, unset it first; the pair tiny is here ({cause(error)})"
            ) from error
        except Exception as error:  # raised by transformers: an unknown family, custom code
            raise BadConfig(f"the config.json of {name} cannot be used ({cause(error)})") from error
    if not os.path.isdir(name):
        check_loadable(name, Path(str(cached_file(name, "config.json"))).parent)
    if type(config) not in MODEL_FOR_CAUSAL_LM_MAPPING:
        raise BadConfig(f"{name} is a {config.model_type} model: take a causal language model")
    # a kernel named in a config may be missing here, or be code from the hub
    config._attn_implementation = config._experts_implementation = None
    words = f"the tokenizer of {name} cannot be loaded: it needs a tokenizer.json"
    with quietly(), failing_as(ModelNotFound, words):
        tokenizer = AutoTokenizer.from_pretrained(name, config=config, trust_remote_code=False)
        if not {*tokenizer.get_vocab().values()} - {*tokenizer.added_tokens_decoder}:
            raise ValueError("it is empty")  # transformers creates one if there is no file
        # subtle: the class named in tokenizer_config.json brings its own (transformers #45920)
        if tokenizer.is_fast and (path := cached_file(name, "tokenizer.json", **IF_IT_IS_THERE)):
            stored, used = Tokenizer.from_file(path), tokenizer.backend_tokenizer
            for part in ("normalizer", "pre_tokenizer", "decoder"):
                setattr(used, part, getattr(stored, part))
    return Source(name, config, tokenizer)


def read_chat_sampling(name: str) -> Sampling:
    """Read the settings that a model's makers recommend for a chat; do_sample false is greedy.

    Left out: everything but temperature and filters, such as penalties.

    Raises:
        BadConfig: a setting is out of range, or the file is damaged.
    """
    config = _generation_config(name)
    settings = {key: config[key] for key in vars(Sampling()) if config.get(key) is not None}
    with failing_as(BadConfig, f"the generation_config.json of {name} cannot be used"):
        sampling = Sampling(**settings)
    return sampling if config.get("do_sample") is not False else replace(sampling, temperature=0)


def read_stop_tokens(source: Source) -> tuple[int, ...]:
    """Read the end tokens from the generation config if it names any, else from the config, and
    the tokenizer's, which may be the end of a turn.

    Raises:
        BadConfig: they are not tokens, or the file is damaged.
    """
    config = source.config.get_text_config(decoder=True)
    ends = _generation_config(source.name).get("eos_token_id")
    if ends is None:
        ends = getattr(config, "eos_token_id", None)
    ends = [*ends] if isinstance(ends, list) else [] if ends is None else [ends]
    if (own := source.tokenizer.eos_token_id) is not None and own < config.vocab_size:
        ends += [own] * (own not in ends)
    for end in ends:
        if type(end) is not int or not 0 <= end < config.vocab_size:
            raise BadConfig(
                f"{source.name} has eos_token_id {end!r}: an end token must be a whole number from "
                f"0 to {config.vocab_size - 1}"
            )
    return tuple(ends)


def _generation_config(name: str) -> dict[str, Any]:
    """Return the content of generation_config.json; {} if there is no such file."""
    file = "generation_config.json"
    with failing_as(BadConfig, f"the {file} of {name} cannot be read"):
        path = cached_file(name, file, **IF_IT_IS_THERE)
        return dict(json.loads(Path(path).read_text("utf-8"))) if path else {}


@dataclass(frozen=True)
class Need:
    """The bytes that a loaded model takes."""

    weights: int
    cache: int  # the key-value cache of one session, allocated at once
    packed: int  # what ONNX Runtime takes besides
    head: int  # of the weights: the matrix that gives the logits

    @property
    def total(self) -> int:
        return self.weights + self.cache

    def on_onnx(self, heads: int) -> "Need":
        """Return the need in ONNX Runtime, with this number of further copies of the head."""
        return replace(self, weights=self.weights + self.packed + self.head * heads)


def memory_needed(config: PretrainedConfig, dtype: torch.dtype, context: int) -> Need:
    """Estimate weights and one cache; parameters are counted on the meta device, without memory.

    ONNX Runtime packs a copy of all, and what `Qwen3` has stacked stays mapped from the file.

    Raises:
        ValueError: no model can be built from the config, or `context` is not a length.
    """
    c = config.get_text_config(decoder=True)
    context = fitting_context(context, c)
    words = f"no model can be built from the config of {config.name_or_path}"
    with quietly(), failing_as(ValueError, words), torch.device("meta"):
        automatic: Any = AutoModelForCausalLM
        model = automatic.from_config(config, trust_remote_code=False)
    sizes = {name: p.numel() for name, p in model.named_parameters()}  # tied weights count once
    stacked = sum(size for name, size in sizes.items() if _STACKED & {*name.split(".")})
    head = getattr(model.get_output_embeddings(), "weight", torch.empty(0)).numel()
    packed = sum(sizes.values()) + stacked - (0 if c.tie_word_embeddings else head)
    layers = [c.per_layer_config[i] for i in range(c.num_hidden_layers)]
    cache = sum(map(_cache_width, layers)) * context
    return Need(*(n * dtype.itemsize for n in (sum(sizes.values()), cache, packed, head)))


def _cache_width(layer: PretrainedConfig) -> int:
    """Return the numbers cached per layer and token: key and value of each head; 0 without one."""
    heads = getattr(layer, "num_attention_heads", 0)
    if not heads:
        return 0
    groups = getattr(layer, "num_key_value_heads", None) or heads
    return 2 * groups * (getattr(layer, "head_dim", None) or layer.hidden_size // heads)


def read_weights(
    source: Source, dtype: torch.dtype, device_map: str | dict | None
) -> PreTrainedModel:
    """Load the model in `dtype`, on the CPU or where `device_map` puts it.

    Raises:
        BadWeights: files are missing, damaged, or do not belong to the config's model.
        torch.OutOfMemoryError: they do not fit on the device.
    """
    words = (
        f"the weights of {source.name} cannot be loaded: files are missing, cut short or of "
        "another model. Restore the trained pair by `git checkout -- data`; download a hub "
        "model again"
    )
    with quietly(), failing_as(BadWeights, words):
        automatic: Any = AutoModelForCausalLM
        model, report = automatic.from_pretrained(
            source.name, config=source.config, dtype=dtype, device_map=device_map,
            trust_remote_code=False, output_loading_info=True,
        )  # fmt: skip
        if missing := report["missing_keys"]:  # transformers fills them at random
            raise ValueError(f"{len(missing)} tensors are missing, such as {min(missing)}")
        if unexpected := report["unexpected_keys"]:  # of a model with another config
            words = "tensors are not the config's model's, such as"
            raise ValueError(f"{len(unexpected)} {words} {min(unexpected)}")
    return model


@contextmanager
def hub_tried_once(names: Sequence[str]) -> Iterator[None]:
    """Use only the local cache for `names` (folders or hub ids) if the hub does not answer now.

    huggingface_hub would try six times per file, for half a minute, and print every try.
    """
    offline = constants.HF_HUB_OFFLINE
    try:
        if not (offline or all(map(os.path.isdir, names))):
            get_session().head(constants.ENDPOINT, timeout=HUB_SECONDS)
    except Exception:  # the hub's HTTP library raises its own
        constants.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = offline


@contextmanager
def quietly() -> Iterator[None]:
    """Silence the libraries' warnings, reports and progress bars; problems are raised instead."""
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]
