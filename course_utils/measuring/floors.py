"""What the hardware allows: how fast memory can be read here."""

from statistics import median

import torch

from course_utils.decoding.clock import now

BYTES = 512 * 2**20  # an array much larger than the caches


def memory_bandwidth(device: torch.device | str = "cpu", size: int = BYTES) -> float:
    """GB/s (1e9 bytes) at which torch's threads read memory.

    What is measured: the sum of an array of `size` bytes, much larger than the
    caches, so that each entry comes from memory once and nothing is written;
    the median of 9 sums after 2 to warm up.  On a machine shared with others it
    changes from minute to minute: set it only against what is timed beside it.
    """
    array = large_array(device, size)
    seconds = []
    for _ in range(11):
        start = now()
        read(array)
        seconds.append(now() - start)
    return array.nbytes / median(seconds[2:]) / 1e9


def large_array(device: torch.device | str = "cpu", size: int = BYTES) -> torch.Tensor:
    """Ones, float32, for `read`."""
    return torch.ones(size // 4, device=device)


def read(array: torch.Tensor) -> None:
    """Bring every entry from memory once; returns when that is done.

    By summing, since of what was tried (sum, dot product, maximum, matrix times
    vector, copy) that was the fastest.
    """
    array.sum().item()  # waits for the device, too
