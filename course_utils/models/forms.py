"""The forms of a Qwen3: one to be read, and those that are arranged for a CPU."""

from collections.abc import Callable

import torch

from course_utils.models.onnx_qwen3 import OnnxQwen3
from course_utils.models.packed import PackedQwen3, packing
from course_utils.models.qwen3 import Qwen3

AnyQwen3 = Qwen3 | PackedQwen3 | OnnxQwen3
READABLE, PACKED, ONNX = "readable", "packed", "onnx"
FORMS: dict[str, Callable[[Qwen3], AnyQwen3]] = {
    READABLE: lambda model: model,
    PACKED: packing,
    ONNX: OnnxQwen3,
}
FASTEST = "fastest"  # of these, where a model is to run


def check_form(form: str, dtype: torch.dtype, device: torch.device) -> None:
    """Raises ValueError: there is no such form, or not in `dtype` on `device`."""
    if form not in (FASTEST, *FORMS):
        raise ValueError(f"form is {form!r}; choose {FASTEST}, {', '.join(FORMS)}")
    if form in (PACKED, ONNX) and device.type != "cpu":
        raise ValueError(
            f"form {form} is for a CPU and the model is to be on {device}: leave it out"
        )
    if form == ONNX and dtype != torch.float32:
        raise ValueError(
            f"form {ONNX} is float32 and {str(dtype).removeprefix('torch.')} was asked for: "
            f"take float32, or form {PACKED}"
        )
