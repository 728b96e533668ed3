"""The clock of all that is timed here: it waits for the devices that work on their own.

A pass on a GPU returns long before its rows are computed, so `now` waits before it looks.  How one
waits for a device is said by whoever puts a model there: `models.device.timed_on`.  Nothing else in
the package reads `perf_counter`; ruff holds that.
"""

from collections.abc import Callable, Hashable
from time import perf_counter

_WAITS: dict[Hashable, Callable[[], object]] = {}


def wait_for(device: Hashable, wait: Callable[[], object]) -> None:
    """Let `now` call `wait`, which returns when `device` has done all that it was asked for."""
    _WAITS[device] = wait


def now() -> float:
    """The time in seconds, when all that devices were asked for before is done."""
    if _WAITS:  # the loop alone takes as long as the clock
        for wait in list(_WAITS.values()):
            wait()
    return perf_counter()
