"""What the hardware allows: how fast memory can be read here."""

from statistics import median
from time import perf_counter

import torch

BYTES = 512 * 2**20  # an array much larger than the caches


def memory_bandwidth(device: torch.device | str = "cpu", size: int = BYTES) -> float:
    """GB/s (1e9 bytes) at which torch's threads read memory.

    What is measured: the sum of an array of `size` bytes, much larger than the
    caches, so that each entry comes from memory once and nothing is written;
    the median of 9 sums after 2 to warm up.  A sum, since of the operations
    tried (sum, dot product, maximum, matrix times vector, copy) it read fastest:
    no forward pass can read its weights faster than this.
    """
    array = torch.ones(size // 4, device=device)
    seconds = []
    for _ in range(11):
        start = perf_counter()
        array.sum().item()  # waits for the device, too
        seconds.append(perf_counter() - start)
    return array.nbytes / median(seconds[2:]) / 1e9
