"""Products with quantised matrices, for a Qwen3 on ONNX Runtime: fewer bytes, a different model.

Each row of a matrix is split into blocks with their own scales.  In int8 weight = values *
scale, symmetric around 0; in four bits weight = least + values * scale.  ONNX Runtime multiplies
integers: it also rounds the input to int8, block by block.

A matrix that came from this four-bit format (Q4_1 of llama.cpp, as SmolLM2's) is recovered
exactly, because each of its blocks has its least and its largest value.  Any other matrix is
rounded to the nearest of 16 steps, which changes the model.

Left out: calibration on text, fewer bits (REFERENCES.md: dettmers2022, frantar2023).
"""

import numpy as np
from torch import Tensor

from course_utils.models.qwen3.onnx_graph import GraphBuilder

LARGEST_STEP = 127  # -128 is left out, so that the range is symmetric
BLOCK_SIZE = 128  # numbers per scale; the operator takes powers of two
FOUR_BIT_STEPS, FOUR_BIT_BLOCK = 15, 32
_ZEROS, _AS_INT8 = {8: 128, 4: 8}, 4  # how 0 is stored; the code for rounding the input to int8


def quantise(weight: Tensor, block: int = BLOCK_SIZE) -> tuple[np.ndarray, np.ndarray]:
    """Round to the nearest of 255 steps per block: [[.5, -1.]] -> [[64, -127]] * 1/127

    Returns:
        values (out, blocks, block) int8, the last block of a row padded with zeros, and
        scales (out, blocks) float32, the size of one step in each block.
    """
    filled = _blocks(weight, block)
    scale = np.abs(filled).max(axis=-1) / LARGEST_STEP
    scale[scale == 0] = 1  # a block of zeros
    return np.round(filled / scale[..., None]).astype(np.int8), scale


def to_four_bits(weight: Tensor) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Round to the nearest of 16 steps from a block's least number to its largest.

    Returns:
        values (out, blocks, 32) uint8, 0 to 15, scales and least numbers (out, blocks) float32:
        weight = least + values * scale.
    """
    filled = _blocks(weight, FOUR_BIT_BLOCK)
    least = filled.min(axis=-1)
    scale = (filled.max(axis=-1) - least) / FOUR_BIT_STEPS
    scale[scale == 0] = 1  # a block of equal numbers
    steps = np.round((filled - least[..., None]) / scale[..., None])
    return steps.astype(np.uint8), scale, least


def int8_matmul(
    graph: GraphBuilder, x: str, name: str, weight: Tensor, block: int = BLOCK_SIZE
) -> str:
    """x @ weight.T with `weight` rounded; an `onnx_graph.MatMul`."""
    values, scale = quantise(weight, block)
    stored = (values.astype(np.int16) + _ZEROS[8]).astype(np.uint8)
    return _product(graph, x, name, weight.shape[1], stored, scale, 8, block)


def four_bit_matmul(graph: GraphBuilder, x: str, name: str, weight: Tensor) -> str:
    """x @ weight.T with `weight` in four bits, the head in eight; an `onnx_graph.MatMul`."""
    if name == "logits":
        return int8_matmul(graph, x, name, weight, FOUR_BIT_BLOCK)
    values, scale, least = to_four_bits(weight)
    size, block = weight.shape[1], FOUR_BIT_BLOCK
    packed = values[..., ::2] | values[..., 1::2] << 4
    scaled = _product(graph, x, f"{name}, scaled", size, packed, scale, 4, block)
    # The operator centres `values` on 8.  The offset that this ignores is constant in a block, so
    # it multiplies the sum of the block's inputs: a product 32 times as narrow.
    sums = f"{x}, sums"
    if all(sums not in node.output for node in graph.nodes):
        ones = np.arange(size)[:, None] // block == np.arange(scale.shape[1])
        graph.node("MatMul", [x, graph.weight(f"blocks of {size}", ones.astype(np.float32))], sums)
    offset = graph.weight(f"{name}, offset", (least + _ZEROS[4] * scale).T)
    return graph.node("Add", [scaled, graph.node("MatMul", [sums, offset], f"{name}, rest")], name)


def _blocks(weight: Tensor, block: int) -> np.ndarray:
    """(out, in) -> (out, blocks, block), the last block of a row padded with zeros."""
    wide = weight.detach().float().numpy()
    return np.pad(wide, ((0, 0), (0, -wide.shape[1] % block))).reshape(len(wide), -1, block)


def _product(
    graph: GraphBuilder, x: str, name: str, size: int, stored: np.ndarray, scale: np.ndarray,
    bits: int, block: int,
) -> str:  # fmt: skip
    """Multiply x by (stored - the stored zero) * scale, rows of `size` numbers."""
    parts = [graph.weight(f"{name}, values", stored), graph.weight(f"{name}, scale", scale)]
    return graph.node(
        "MatMulNBits", [x, *parts], name, domain="com.microsoft",
        K=size, N=len(stored), bits=bits, block_size=block, accuracy_level=_AS_INT8,
    )  # fmt: skip
