"""What one product costs in float32, bfloat16 and int8, by the number of rows."""

from collections.abc import Callable

import torch
import torch.nn.functional as F

from course_utils.measuring.turns import seconds_in_turns
from course_utils.models import onnx_graph, quantised
from course_utils.models.onnx_graph import Product
from course_utils.models.onnx_qwen3 import Running

REPEATS, WARM_UP = 20, 3


def product_times(out: int, size: int, rows: int = 5) -> list[dict[str, object]]:
    """A record for each format: bytes, microseconds of 1 row and of `rows`, and their ratio.

    All in turn; the least of each, since other work on the machine only adds.  One row can be
    filled up to `rows`, so it never counts as the slower one: some products of one row are bad.
    """
    torch.manual_seed(0)
    weight = torch.randn(out, size)
    half = weight.bfloat16()
    taken = {
        "float32": _by_onnx(weight, onnx_graph.product),
        "bfloat16": (lambda x: F.linear(x.bfloat16(), half), half.nbytes),
        "int8": _by_onnx(weight, quantised.product),
    }
    steps = {
        (name, k): lambda _, product=product, x=torch.ones(k, size): product(x)
        for name, (product, _) in taken.items()
        for k in (1, rows)
    }
    with torch.inference_mode():
        seconds = seconds_in_turns(steps, REPEATS, "products", WARM_UP)
    steady = {case: 1e6 * min(found) for case, found in seconds.items()}
    for name in taken:
        steady[name, 1] = min(steady[name, 1], steady[name, rows])
    return [
        {
            "weights": name,
            "MB": nbytes / 1e6,
            "1 row, µs": steady[name, 1],
            f"{rows} rows, µs": steady[name, rows],
            f"v({rows})": steady[name, rows] / steady[name, 1],
        }
        for name, (_, nbytes) in taken.items()
    ]


def _by_onnx(weight: torch.Tensor, product: Product) -> tuple[Callable, int]:
    """What multiplies x with it, and the bytes that it reads."""
    written = onnx_graph.alone(weight, product)
    session = Running(written)
    return lambda x: session.run(None, {"x": x[None].numpy()}), written.read
