"""Models on machines whose passes the scene on memory shows: reported ones, and one's own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


class Shaped(Protocol):
    """What is read of a config: that of a Qwen3, or a `Shape`."""

    num_hidden_layers: int
    hidden_size: int
    intermediate_size: int
    num_attention_heads: int
    num_key_value_heads: int
    head_dim: int
    vocab_size: int
    tie_word_embeddings: bool


@dataclass
class Shape:
    """The sizes of a dense Qwen3, under their names in its config.

    Source: REFERENCES.md: yang2025qwen3, table 1; a test holds them to `models.memory`.
    """

    num_hidden_layers: int
    hidden_size: int
    intermediate_size: int
    num_attention_heads: int = 16
    num_key_value_heads: int = 8
    head_dim: int = 128
    vocab_size: int = 151_936
    tie_word_embeddings: bool = True  # False: an embedding beside the matrix of the logits


QWEN3_4B = Shape(36, 2560, 9728, num_attention_heads=32)
QWEN3_06B = Shape(28, 1024, 3072)


def layer_parameters(shape: Shaped) -> int:
    """Weights of one layer: attention with its four matrices, the MLP with three, the norms."""
    width, head = shape.hidden_size, shape.head_dim
    heads, groups = shape.num_attention_heads, shape.num_key_value_heads
    attention = 2 * width * head * (heads + groups) + 2 * head
    return attention + 3 * width * shape.intermediate_size + 2 * width


def parameters(shape: Shaped) -> int:
    """All weights that a pass reads: the layers, and the matrix of the logits.

    In the published models up to 4B that matrix is the embedding, too; of an embedding of its
    own a pass looks up a few rows.
    """
    layers = shape.num_hidden_layers * layer_parameters(shape)
    return layers + (shape.vocab_size + 1) * shape.hidden_size


@dataclass(frozen=True)
class Model:
    """A model, and the formats of its numbers."""

    name: str
    shape: Shaped
    width: float = 2  # bytes of one weight
    cache_width: float = 2  # of one number in the cache: bfloat16, whatever the weights are

    @property
    def size(self) -> float:
        """Bytes of all weights: one pass reads them all."""
        return parameters(self.shape) * self.width


@dataclass(frozen=True)
class Example:
    """A model on a machine: computed from its bandwidth, or timed over one token and more."""

    title: str
    target: Model
    source: str  # where the numbers come from, a sentence
    draft: Model | None = None
    bandwidth: float | None = None  # bytes per second
    operations: float | None = None  # per second
    seconds: Mapping[int, float] | None = None  # of a pass, by its number of tokens: timed


ON_AN_H200 = Example(
    "Qwen3-4B on an H200",
    Model("Qwen3-4B", QWEN3_4B),
    "Computed at best, from the exact number of weights and from what NVIDIA reports of its "
    "H200: 4.8 TB/s, 989 TFLOP/s in bfloat16.",
    draft=Model("Qwen3-0.6B", QWEN3_06B),
    bandwidth=4.8e12,  # REFERENCES.md: nvidia-h200
    operations=989.5e12,
)


def timed(title: str, shape: Shaped, width: int, seconds: Mapping[int, float]) -> Example:
    """A model as it was timed on this machine.

    Args:
        shape: its config.
        width: bytes of one weight.
        seconds: of a pass, by its number of tokens: of one token, and of those that are shown.

    Raises:
        ValueError: a config that is not a Qwen3's.
    """
    lacking = [name for name in Shaped.__annotations__ if not hasattr(shape, name)]
    if lacking:
        raise ValueError(f"the config has no {', '.join(lacking)}: give that of a dense Qwen3")
    source = "Timed on this machine. All that a pass does is in it, not the reading alone."
    return Example(title, Model("this model", shape, width), source, seconds=dict(seconds))
