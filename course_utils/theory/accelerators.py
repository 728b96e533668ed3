"""Accelerators by their data sheets, and the models of the calculator.

These are reported peak numbers, which no program reaches.  For a program that reaches a share of
them, create another accelerator: `dataclasses.replace(ACCELERATORS["H200"], bandwidth=...)`.
Prices change weekly, so the reader supplies them.
"""

from dataclasses import dataclass

from course_utils.theory.sizes import QWEN3_06B, QWEN3_4B, Model, Shape


@dataclass(frozen=True)
class Accelerator:
    """The peak numbers of one device."""

    name: str
    bandwidth: float  # memory bandwidth, bytes per second
    operations: float  # per second, bfloat16, dense matrices
    memory: float  # bytes
    source: str


ACCELERATORS = {
    accelerator.name: accelerator
    for accelerator in (
        Accelerator("L4", 300e9, 121e12, 24e9, "REFERENCES.md#nvidia-l4"),
        Accelerator("A100 80GB SXM", 2.039e12, 312e12, 80e9, "REFERENCES.md#nvidia-a100"),
        Accelerator("H100 SXM", 3.35e12, 989.5e12, 80e9, "REFERENCES.md#nvidia-h100"),
        Accelerator("H200", 4.8e12, 989.5e12, 141e9, "REFERENCES.md#nvidia-h200"),
    )
}

# Dense models, weights in bfloat16 (REFERENCES.md: yang2025qwen3 and REFERENCES.md: llama2024).
# The embedding of Qwen3-8B and Llama-3.1-8B is a separate matrix, which takes memory but is not
# read by a pass.
QWEN3_17B = Shape(28, 2048, 6144)
QWEN3_8B = Shape(36, 4096, 12288, num_attention_heads=32, tie_word_embeddings=False)
LLAMA_31_8B = Shape(
    32, 4096, 14336, num_attention_heads=32, vocab_size=128_256, tie_word_embeddings=False
)
MODELS = {
    name: Model(name, shape)
    for name, shape in {
        "Qwen3-0.6B": QWEN3_06B,
        "Qwen3-1.7B": QWEN3_17B,
        "Qwen3-4B": QWEN3_4B,
        "Qwen3-8B": QWEN3_8B,
        "Llama-3.1-8B": LLAMA_31_8B,
    }.items()
}
