"""The two forms of a Qwen3, and the rule that chooses one.

`readable` is `Qwen3`, the form that lesson 07 reads; it runs everywhere.  `onnx` runs the same
weights on ONNX Runtime: on a CPU, in float32.
"""

from collections.abc import Callable

import torch

from course_utils.models.names import AUTO, ONNX, READABLE
from course_utils.models.qwen3.onnx import OnnxQwen3
from course_utils.models.qwen3.readable import Qwen3

AnyQwen3 = Qwen3 | OnnxQwen3
FORMS: dict[str, Callable[[Qwen3], AnyQwen3]] = {READABLE: lambda model: model, ONNX: OnnxQwen3}


def check_form(form: str, dtype: torch.dtype, device: torch.device) -> None:
    """Raises ValueError: there is no such form, or not in `dtype` on `device`."""
    if form not in (AUTO, *FORMS):
        raise ValueError(f"form is {form!r}; choose {AUTO}, {', '.join(FORMS)}")
    if form == ONNX and form_for(AUTO, dtype, device) != ONNX:
        raise ValueError(
            f"form {ONNX} is float32 on a CPU, and {str(dtype).removeprefix('torch.')} was asked "
            f"for on {device}: take float32 and cpu, or form {READABLE}"
        )


def form_for(form: str, dtype: torch.dtype, device: torch.device) -> str:
    """Resolve `AUTO`: ONNX Runtime on a CPU in float32, else the readable form."""
    if form != AUTO:
        return form
    return ONNX if device.type == "cpu" and dtype == torch.float32 else READABLE
