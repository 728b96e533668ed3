"""A Qwen3 whose matrices are int8: a quarter of float32's bytes, and another model.

Each row of a matrix has one scale: weight = values * scale, symmetric around 0, rounded to
the nearest.  What is multiplied with it is bfloat16.  torch's own product with int8 weights
is taken; it reads a quarter of the bytes and turns each number back on the way, which is
quick for one row and slow for several.

The rows are not those of the model it was made of.  As a draft it may be as far off as it
likes: q is the row a guess was drawn from.  As a target it is another target.

Left out: int8 activations, groups smaller than a row, calibration on text
(REFERENCES.md: dettmers2022, frantar2023).
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from course_utils.models.packed import PackedQwen3, folded
from course_utils.models.qwen3 import Qwen3

LARGEST = 127  # -128 is left out, so that the numbers are as many on both sides


@dataclass(frozen=True)
class Int8Matrix:
    """A matrix (out, in), rounded by rows."""

    values: Tensor  # (out, in), int8
    scale: Tensor  # (out,), bfloat16: what one step of the row is worth

    @property
    def nbytes(self) -> int:
        return self.values.nbytes + self.scale.nbytes

    def restored(self) -> Tensor:
        """The matrix that is multiplied with, float32."""
        return self.values.float() * self.scale.float()[:, None]


def rounded_by_rows(weight: Tensor) -> Int8Matrix:
    """No number is further from its own than half a step: [[.5, -1.]] -> [[64, -127]] * 1/127

    The scale is rounded up to bfloat16, since rounded down the largest number would not fit.
    """
    wide = weight.float()
    least = wide.abs().amax(dim=1) / LARGEST
    scale = least.bfloat16()
    scale = torch.where(scale.float() < least, scale.nextafter(scale + 1), scale)
    scale[scale == 0] = 1  # a row of zeros
    values = (wide / scale.float()[:, None]).round().clamp(-LARGEST, LARGEST)
    return Int8Matrix(values.to(torch.int8), scale)


def quantised(model: Qwen3) -> PackedQwen3:
    """`model` with int8 matrices, arranged for a CPU; a LanguageModel and a good draft.

    `weight_bytes` is what a pass reads.  The embedding, of which a pass reads a row for each
    token, stays as it is.

    Raises:
        ValueError: the model is no `Qwen3`, or not on a CPU.
    """
    matrices: list[Int8Matrix] = []

    def product(
        weight: Tensor, norm: Tensor | None = None, factor: float = 1.0
    ) -> Callable[[Tensor], Tensor]:
        matrices.append(rounded_by_rows(folded(weight.float(), norm, factor)))
        values, scale = matrices[-1].values, matrices[-1].scale
        return lambda x: torch._weight_int8pack_mm(x, values, scale)

    packed = PackedQwen3(model, product)
    packed.dtype = torch.bfloat16  # of what is multiplied
    packed.weight_bytes = sum(matrix.nbytes for matrix in matrices)
    return packed
