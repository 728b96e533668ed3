"""Other people's models by their config.json: what a pass reads and multiplies, what a cache holds.

Read are the names of Hugging Face's configs, of decoders whose MLP has three matrices: grouped
heads, tied embeddings or not, mixtures of experts, layers with a sliding window, quantised
weights, heads of EAGLE-3.  Biases and the norms that only some families have are left out: less
than a thousandth of the weights.  What keeps its cache in another form is refused: multi-head
latent attention, layers of linear attention, state spaces.

Of a mixture a pass reads the experts that any of its tokens chose.  If tokens choose k of E alike
and independently, that are E (1 - (1 - k/E)^tokens) of a layer on average.  Real tokens agree
more, so that fewer are read.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_utils.classroom.memory_examples import Model, Shape, Shaped, layer_parameters

FAMILIES = (  # of `model_type`: their MLPs are gated, their attention has four matrices
    "gemma", "gemma2", "gemma3_text", "glm4_moe", "gpt_oss", "llama", "mistral", "mixtral",
    "olmo2", "olmoe", "phi3", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe",
)  # fmt: skip
BITS = {"float32": 32, "float16": 16, "bfloat16": 16, "fp8": 8, "float8_e4m3fn": 8, "mxfp4": 4.25}
WINDOWED, WHOLE = "sliding_attention", "full_attention"


@dataclass(frozen=True)
class Architecture(Shape):
    """A `Shape`, and what models other than a dense Qwen3 have."""

    num_experts: int = 0  # of a layer; 0 for a dense model
    num_experts_per_tok: int = 0
    moe_intermediate_size: int = 0  # of one expert
    shared_intermediate_size: int = 0  # of all experts together that every token takes
    dense_layers: int = 0  # of a mixture, those with one MLP of `intermediate_size`
    sliding_layers: int = 0  # those that look back no further than the window
    sliding_window: int = 0
    beside: int = 0  # weights of no layer: what joins an EAGLE head to its target

    @classmethod
    def of(cls, shape: Shaped) -> "Architecture":
        """The same, if it is one; else a dense model of these sizes."""
        if isinstance(shape, cls):
            return shape
        return cls(**{name: getattr(shape, name) for name in Shaped.__annotations__})

    @property
    def sparse_layers(self) -> int:
        return self.num_hidden_layers - self.dense_layers if self.num_experts else 0

    @property
    def ends(self) -> int:
        """Weights of the logits' matrix, or of the embedding."""
        return self.vocab_size * self.hidden_size

    @property
    def body(self) -> int:
        """Weights that every pass reads, without experts and the matrix of the logits."""
        mlp, sparse = 3 * self.hidden_size * self.intermediate_size, self.sparse_layers
        shared = 3 * self.hidden_size * self.shared_intermediate_size
        router = self.hidden_size * self.num_experts
        layers = self.num_hidden_layers * layer_parameters(self)
        return layers + sparse * (shared + router - mlp) + self.beside + self.hidden_size

    def experts(self, each: float) -> float:
        """Weights of so many experts in every layer that has them."""
        return self.sparse_layers * 3 * self.hidden_size * self.moe_intermediate_size * each

    def looked_at(self, context: int) -> int:
        """Tokens of the context that a new one looks at, summed over the layers."""
        near = self.sliding_layers * min(context, self.sliding_window)
        return near + (self.num_hidden_layers - self.sliding_layers) * context


@dataclass(frozen=True)
class Served(Model):
    """A `Model` whose parts have formats of their own: `width` is that of the rest."""

    ends_width: float = 2  # bytes of a weight of the embedding and of the logits' matrix
    expert_width: float = 2


def distinct_experts(experts: int, chosen: int, tokens: float) -> float:
    """Experts of a layer that at least one of the tokens chose, on average.

    >>> distinct_experts(128, 8, 1), distinct_experts(128, 8, 2)
    (8.0, 15.5)
    """
    return experts * (1 - (1 - chosen / experts) ** tokens) if experts else 0.0


def bytes_read(model: Model, tokens: float) -> float:
    """Bytes of the weights that a pass over so many tokens reads."""
    shape = Architecture.of(model.shape)
    experts = distinct_experts(shape.num_experts, shape.num_experts_per_tok, tokens)
    return _bytes(model, shape, experts)


def bytes_held(model: Model) -> float:
    """Bytes of all weights in memory, a separate embedding among them."""
    shape = Architecture.of(model.shape)
    embedding = 0 if shape.tie_word_embeddings else shape.ends
    held = _bytes(model, shape, shape.num_experts)
    return held + embedding * getattr(model, "ends_width", model.width)


def products(model: Model) -> float:
    """Weights that a token is multiplied by."""
    shape = Architecture.of(model.shape)
    return shape.body + shape.ends + shape.experts(shape.num_experts_per_tok)


def attention_products(model: Model, context: int) -> float:
    """What the context adds to them: a query with each key, a weight with each value."""
    shape = Architecture.of(model.shape)
    return 2 * shape.num_attention_heads * shape.head_dim * shape.looked_at(context)


def cached_bytes(model: Model, context: int = 1) -> float:
    """Bytes that a row's cache keeps of its context: a key and a value per group and layer."""
    shape = Architecture.of(model.shape)
    each = 2 * shape.num_key_value_heads * shape.head_dim * model.cache_width
    return each * shape.looked_at(context)


def _bytes(model: Model, shape: Architecture, experts: float) -> float:
    ends, of_experts = (
        getattr(model, name, model.width) for name in ("ends_width", "expert_width")
    )  # fmt: skip
    return shape.body * model.width + shape.ends * ends + shape.experts(experts) * of_experts


# --- config.json ----------------------------------------------------------------------


def read_model(path: Path | str, cache: str = "") -> Served:
    """A model from its config.json.

    Args:
        path: the file, or the folder that it lies in.
        cache: the format of the cache where it is not that of the model, as vLLM's
            --kv-cache-dtype has it: "fp8", "bfloat16", ...

    Raises:
        ValueError: no config, or one of a model that is not counted here, with the reason.
    """
    path = Path(path)
    file = path / "config.json" if path.is_dir() else path
    try:
        outer = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(
            f"{file} cannot be read as a config.json ({type(error).__name__}): give a model's "
            "folder, or the file that its makers publish beside the weights"
        ) from None
    name = (file.parent if file.name == "config.json" else file.with_suffix("")).name or str(file)
    if not isinstance(outer, dict):
        raise ValueError(f"{file} holds no object, so it is no config.json")
    return model_of(outer, name, cache)


def model_of(outer: Mapping[str, Any], name: str, cache: str = "") -> Served:
    """The same of a config that was read already."""
    nested = outer.get("text_config") or outer.get("transformer_layer_config") or {}
    config = {**outer, **nested}
    shape = _architecture(config, name)
    plain = str(config.get("dtype") or config.get("torch_dtype") or "bfloat16").split(".")[-1]
    width = _width(plain, name)
    quantised = _quantised(config.get("quantization_config") or {}, width, name)
    rest = width if quantised and config["quantization_config"]["quant_method"] == "mxfp4" else None
    return Served(
        name, shape, rest or quantised or width,
        _width(cache, name) if cache not in ("", "auto") else min(width, 2),
        ends_width=width, expert_width=quantised or width,
    )  # fmt: skip


def _architecture(config: Mapping[str, Any], name: str) -> Architecture:
    family = config.get("model_type")
    if "kv_lora_rank" in config:
        raise ValueError(
            f"{name} compresses its cache (multi-head latent attention), which is not counted "
            "here: measure it, and plan from the load test"
        )
    kinds = config.get("layer_types") or []
    others = sorted(set(kinds) - {WINDOWED, WHOLE})
    if family not in FAMILIES or others:
        what = f"has layers of {', '.join(others)}" if others else f"is a {family!r}"
        raise ValueError(
            f"{name} {what}, whose costs are not counted here; known are "
            f"{', '.join(FAMILIES)}. Measure it, and plan from the load test"
        )
    sizes = ("hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size")
    sizes += ("intermediate_size",)
    for size in sizes:
        if type(config.get(size)) is not int or config[size] < 1:
            raise ValueError(f"{name}: the config's {size} is {config.get(size)!r}, not a size")
    width, layers, heads, vocabulary, middle = (config[size] for size in sizes)
    groups, head = config.get("num_key_value_heads") or heads, config.get("head_dim")
    head = head or width // heads
    tied = config.get("tie_word_embeddings")
    beside = 0
    if config.get("draft_vocab_size"):  # EAGLE-3: looks its tokens up in the target's embedding
        three = 3 * (config.get("target_hidden_size") or width)
        beside = three * width + width * head * (heads + 2 * groups)  # its layer reads two states
        vocabulary, tied = config["draft_vocab_size"], True
    window = config.get("sliding_window") or 0
    return Architecture(
        layers, width, middle, heads, groups, head, vocabulary,
        str(family).startswith("gemma") if tied is None else bool(tied),
        sliding_layers=_windowed(config, family, layers) if window else 0, sliding_window=window,
        beside=beside,
        **_experts(config, layers, middle),
    )  # fmt: skip


def _windowed(config: Mapping[str, Any], family: str, layers: int) -> int:
    """Layers with the window; older configs leave it to the family which they are."""
    if kinds := config.get("layer_types"):
        return kinds.count(WINDOWED)
    if family == "gemma2":
        return (layers + 1) // 2
    if family == "gemma3_text":
        return layers - layers // (config.get("sliding_window_pattern") or 6)
    if family.startswith("qwen"):
        asked = config.get("use_sliding_window", False)
        return max(0, layers - config.get("max_window_layers", layers)) if asked else 0
    return layers


def _experts(config: Mapping[str, Any], layers: int, middle: int) -> dict[str, int]:
    names = ("num_experts", "num_local_experts", "n_routed_experts")
    experts = next((config[name] for name in names if config.get(name)), 0)
    if not experts:
        return {}
    width = config.get("moe_intermediate_size") or middle
    shared = config.get("shared_expert_intermediate_size") or 0
    step, alone = config.get("decoder_sparse_step") or 1, set(config.get("mlp_only_layers") or ())
    first = config.get("first_k_dense_replace") or 0
    sparse = sum(n >= first and n not in alone and (n + 1) % step == 0 for n in range(layers))
    return {
        "num_experts": experts,
        "num_experts_per_tok": config["num_experts_per_tok"],
        "moe_intermediate_size": width,
        "shared_intermediate_size": shared + (config.get("n_shared_experts") or 0) * width,
        "dense_layers": layers - sparse,
    }


def _quantised(config: Mapping[str, Any], width: float, name: str) -> float | None:
    """Bytes of a quantised weight, with its share of a group's scale and zero; None if none is."""
    if not config:
        return None
    method, bits = config.get("quant_method"), config.get("bits")
    if method == "bitsandbytes":
        bits = 4 if config.get("load_in_4bit") else 8
    if method == "compressed-tensors":
        groups = config.get("config_groups") or {}
        bits = next((one["weights"]["num_bits"] for one in groups.values()), None)
    bits = bits or BITS.get(str(method))
    if not bits:
        raise ValueError(
            f"{name}: how many bits a weight has is not told by its quantization_config "
            f"({method!r}); give a config with `bits`"
        )
    group = config.get("group_size") or 0
    return (bits + ((8 * width + bits) / group if group > 0 else 0)) / 8


def _width(kind: str, name: str) -> float:
    """Bytes of a number."""
    bits = BITS.get("fp8" if kind.startswith("fp8") else kind)
    if bits is None:
        raise ValueError(f"{name}: {kind!r} is no format known here; known are {', '.join(BITS)}")
    return bits / 8
