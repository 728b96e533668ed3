"""The clock behind every timing of the course: it waits for asynchronous devices.

A pass on a GPU returns long before its rows are computed, so `now` waits before it reads the
time.  Whoever puts a model on a device registers how to wait for it: `models.device.timed_on`.
Nothing else in the package reads `perf_counter`; ruff enforces this.
"""

from collections.abc import Callable, Hashable
from time import perf_counter

_WAITS: dict[Hashable, Callable[[], object]] = {}


def wait_for(device: Hashable, wait: Callable[[], object]) -> None:
    """Let `now` call `wait`, which returns when `device` has finished its queued work."""
    _WAITS[device] = wait


def now() -> float:
    """Return the time in seconds, after all queued work of the devices is done."""
    if _WAITS:  # an empty loop would cost as much as reading the clock
        for wait in list(_WAITS.values()):
            wait()
    return perf_counter()
