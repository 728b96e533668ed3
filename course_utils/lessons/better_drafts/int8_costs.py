"""What one product costs in float32, bfloat16 and int8, by the number of rows."""

from time import perf_counter

import torch

from course_utils.models.packed import product
from course_utils.models.quantised import rounded_by_rows

REPEATS, WARM_UP = 20, 3


def product_times(out: int, size: int, rows: int = 5) -> list[dict[str, object]]:
    """A record for each format: bytes, microseconds of 1 row and of `rows`, and their ratio.

    All in turn; the least of each, since other work on the machine only adds.
    """
    torch.manual_seed(0)
    weight = torch.randn(out, size)
    int8 = rounded_by_rows(weight)
    formats = {
        "float32": (product(weight), torch.float32, weight.nbytes),
        "bfloat16": (product(weight.bfloat16()), torch.bfloat16, weight.nbytes // 2),
        "int8": (
            lambda x: torch._weight_int8pack_mm(x, int8.values, int8.scale),
            torch.bfloat16,
            int8.nbytes,
        ),
    }
    taken: dict[tuple[str, int], list[float]] = {(n, k): [] for n in formats for k in (1, rows)}
    with torch.inference_mode():
        for _ in range(WARM_UP + REPEATS):
            for (name, k), seconds in taken.items():
                multiply, dtype, _ = formats[name]
                x = torch.ones(k, size, dtype=dtype)
                begin = perf_counter()
                multiply(x)
                seconds.append(perf_counter() - begin)
    steady = {case: 1e6 * min(seconds[WARM_UP:]) for case, seconds in taken.items()}
    return [
        {
            "weights": name,
            "MB": nbytes / 1e6,
            "1 row, µs": steady[name, 1],
            f"{rows} rows, µs": steady[name, rows],
            f"v({rows})": steady[name, rows] / steady[name, 1],
        }
        for name, (_, _, nbytes) in formats.items()
    ]
