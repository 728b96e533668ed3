"""A Qwen3 whose matrices are int8: a quarter of float32's bytes, and another model.

Each row of a matrix is cut into blocks with a scale of their own: weight = values * scale,
symmetric around 0, rounded to the nearest.  ONNX Runtime multiplies whole numbers with them: it
rounds what comes in to int8, too, block by block.

Left out: calibration on text, fewer bits (REFERENCES.md: dettmers2022, frantar2023).
"""

import numpy as np
from torch import Tensor

from course_utils.models.qwen3.onnx import OnnxQwen3
from course_utils.models.qwen3.onnx_graph import GraphBuilder
from course_utils.models.qwen3.readable import Qwen3

LARGEST_STEP = 127  # -128 is left out, so that the numbers are as many on both sides
BLOCK_SIZE = 128  # numbers with one scale; the operator takes powers of two
_ZERO, _AS_INT8 = 128, 4  # how the operator stores 0, and what it calls rounding what comes in


def quantise(weight: Tensor) -> tuple[np.ndarray, np.ndarray]:
    """Round to the nearest of 255 steps a block: [[.5, -1.]] -> [[64, -127]] * 1/127

    Returns:
        values (out, blocks, BLOCK_SIZE) int8, the last block of a row padded with zeros, and
        scales (out, blocks) float32, what one step of each block is worth.
    """
    wide = weight.detach().float().numpy()
    filled = np.pad(wide, ((0, 0), (0, -wide.shape[1] % BLOCK_SIZE))).reshape(
        len(wide), -1, BLOCK_SIZE
    )
    scale = np.abs(filled).max(axis=-1) / LARGEST_STEP
    scale[scale == 0] = 1  # a block of zeros
    return np.round(filled / scale[..., None]).astype(np.int8), scale


def int8_matmul(graph: GraphBuilder, x: str, name: str, weight: Tensor) -> str:
    """x @ weight.T with `weight` rounded; an `onnx_graph.MatMul`."""
    values, scale = quantise(weight)
    stored = (values.astype(np.int16) + _ZERO).astype(np.uint8)
    parts = [graph.weight(f"{name}, values", stored), graph.weight(f"{name}, scale", scale)]
    return graph.node(
        "MatMulNBits", [x, *parts], name, domain="com.microsoft",
        K=weight.shape[1], N=len(stored), bits=8, block_size=BLOCK_SIZE, accuracy_level=_AS_INT8,
    )  # fmt: skip


def quantised(model: Qwen3) -> OnnxQwen3:
    """`model` with int8 matrices, for a CPU; a LanguageModel and a good draft.

    The embedding, of which a pass reads a row for each token, stays as it is.

    Raises:
        ValueError: the model is no `Qwen3`, not on a CPU, or not in float32.
    """
    return OnnxQwen3(model, int8_matmul)
