"""The shortest time of a pass: its weights are read from memory, its products are computed.

Both happen at the same time, so the longer one decides (Williams et al. 2009, the
roofline).  Left out: reading the key-value cache, starting the operations, and the host.
Units: bytes, bytes per second, operations per second, seconds.  A number not above 0 is a
ValueError that names it.
"""

OPERATIONS_PER_WEIGHT = 2  # for each token: a product and a sum


def memory_time(size: float, bandwidth: float) -> float:
    """Seconds to read `size` bytes of weights from memory: once, for any number of tokens."""
    _check(size=size, bandwidth=bandwidth)
    return size / bandwidth


def arithmetic_time(parameters: float, tokens: float, operations: float) -> float:
    """Seconds to multiply `tokens` tokens by `parameters` weights."""
    _check(parameters=parameters, tokens=tokens, operations=operations)
    return OPERATIONS_PER_WEIGHT * parameters * tokens / operations


def pass_time(
    size: float, bandwidth: float, parameters: float, tokens: float, operations: float
) -> float:
    """Seconds of one pass over `tokens` tokens, at best: the longer of the two times."""
    weights = memory_time(size, bandwidth)
    return max(weights, arithmetic_time(parameters, tokens, operations))


def _check(**numbers: float) -> None:
    for name, value in numbers.items():
        if not value > 0:
            raise ValueError(f"{name} is {value}; give a number above 0")
