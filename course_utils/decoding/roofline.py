"""How long a pass must last: its weights come from memory, its products are computed.

The two go on at the same time, so the longer one decides (Williams et al. 2009, the
roofline).  Left out: reading the key-value cache, starting the operations, and the host.
Units: bytes, bytes per second, operations per second, seconds; all are above 0, or a ValueError
names the one that is not.
"""

OPERATIONS_PER_WEIGHT = 2  # for each token: a product and a sum


def memory_time(size: float, bandwidth: float) -> float:
    """Seconds in which `size` bytes of weights come from memory; once, for any number of tokens."""
    _check(size=size, bandwidth=bandwidth)
    return size / bandwidth


def arithmetic_time(parameters: float, tokens: float, operations: float) -> float:
    """Seconds in which `tokens` tokens are multiplied by `parameters` weights."""
    _check(parameters=parameters, tokens=tokens, operations=operations)
    return OPERATIONS_PER_WEIGHT * parameters * tokens / operations


def pass_time(
    size: float, bandwidth: float, parameters: float, tokens: float, operations: float
) -> float:
    """Seconds of one pass over `tokens` tokens, at best: the longer of the two."""
    weights = memory_time(size, bandwidth)
    return max(weights, arithmetic_time(parameters, tokens, operations))


def _check(**numbers: float) -> None:
    for name, value in numbers.items():
        if not value > 0:
            raise ValueError(f"{name} is {value}; give a number above 0")
