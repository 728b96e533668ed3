"""Sizes of models, and the pair and machine of the memory scene."""

from dataclasses import dataclass


@dataclass
class Shape:
    """The sizes of a dense Qwen3, named as in its config.

    Source: REFERENCES.md: yang2025qwen3, table 1; a test compares them with `models.folder`.
    """

    num_hidden_layers: int
    hidden_size: int
    intermediate_size: int
    num_attention_heads: int = 16
    num_key_value_heads: int = 8
    head_dim: int = 128
    vocab_size: int = 151_936
    tie_word_embeddings: bool = True  # False: an embedding besides the matrix of the logits


QWEN3_4B = Shape(36, 2560, 9728, num_attention_heads=32)
QWEN3_06B = Shape(28, 1024, 3072)


def layer_parameters(shape: Shape) -> int:
    """Weights of one layer: four attention matrices, three of the MLP, the norms."""
    width, head = shape.hidden_size, shape.head_dim
    heads, groups = shape.num_attention_heads, shape.num_key_value_heads
    attention = 2 * width * head * (heads + groups) + 2 * head
    return attention + 3 * width * shape.intermediate_size + 2 * width


def parameters(shape: Shape) -> int:
    """All weights that a pass reads: the layers and the matrix of the logits.

    In the published models up to 4B that matrix is also the embedding; of a separate embedding
    a pass reads only a few rows.
    """
    layers = shape.num_hidden_layers * layer_parameters(shape)
    return layers + (shape.vocab_size + 1) * shape.hidden_size


@dataclass(frozen=True)
class Model:
    """A model, and the formats of its numbers."""

    name: str
    shape: Shape
    width: float = 2  # bytes of one weight
    cache_width: float = 2  # bytes of one number in the cache: bfloat16 for any weights

    @property
    def size(self) -> float:
        """Bytes of all weights: one pass reads them all."""
        return parameters(self.shape) * self.width


@dataclass(frozen=True)
class Example:
    """A target and its draft on a machine; passes are computed from its bandwidth."""

    title: str
    target: Model
    draft: Model
    bandwidth: float  # bytes per second
    operations: float  # per second
    source: str  # where the numbers come from, a sentence


ON_AN_H200 = Example(
    "Qwen3-4B on an H200",
    Model("Qwen3-4B", QWEN3_4B),
    Model("Qwen3-0.6B", QWEN3_06B),
    bandwidth=4.8e12,  # REFERENCES.md: nvidia-h200
    operations=989.5e12,
    source="Lower bounds, computed from the exact number of weights and NVIDIA's data sheet of the "
    "H200: 4.8 TB/s, 989 TFLOP/s in bfloat16.",
)
