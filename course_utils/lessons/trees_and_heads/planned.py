"""What a further row of a pass costs on a large GPU, and gains over a grid of rates and costs."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.engines.accelerators import ACCELERATORS, MODELS
from course_utils.engines.calculator import roofline

Cost = Callable[[int], float]
Planned = Callable[[Sequence[float], float, Cost], float]  # (by rank, c, v) -> gain over a chain


def linear(price: float) -> Cost:
    """v of a machine on which every further row costs `price` passes."""
    return lambda k: 1 + price * (k - 1)


def row_price(texts: int, rows: int) -> float:
    """Of a further row of each text, in passes over one: Qwen3-4B on an H200, at best."""
    costs = roofline(ACCELERATORS["H200"], MODELS["Qwen3-4B"])
    return (costs.target(texts, texts * rows) / costs.target(texts, texts) - 1) / (rows - 1)


def gains(
    planned: Planned, first: float, seconds: Sequence[float], prices: Sequence[float], c: float
) -> np.ndarray:
    """(prices, seconds): `planned` where the first rank's rate is `first`, and a third's is a third
    of the second's.
    """
    return np.array([
        [planned([first, second, second / 3], c, linear(price)) for second in seconds]
        for price in prices
    ])  # fmt: skip
