"""What processes hold: each page counted once, and how many students a machine holds.

PSS shares each page that n processes map among them, so the sum over all processes counts
every page once.  USS is what would be free again if a process ended.
"""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import psutil

MACHINE, RESERVE = 24e9, 2e9  # bytes: the machine asked about, and what its system keeps
INTERVAL = 1.0  # seconds between samples


@dataclass(frozen=True)
class Held:
    """Bytes of one or more processes."""

    own: int = 0  # USS
    counted_once: int = 0  # PSS

    def __add__(self, other: "Held") -> "Held":
        return Held(self.own + other.own, self.counted_once + other.counted_once)

    @property
    def shared(self) -> int:
        return self.counted_once - self.own


def held(processes: Iterable[psutil.Process]) -> Held:
    """Of these processes together; one that has ended counts nothing."""
    total = Held()
    for process in processes:
        try:
            memory = process.memory_full_info()
        except psutil.Error:
            continue
        total += Held(memory.uss, memory.pss)
    return total


def family(process: psutil.Process) -> list[psutil.Process]:
    """A server and whatever it started: its kernels."""
    try:
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def students_held(machine: float, reserve: float, shared: float, student: float) -> int:
    """How many students fit: (machine - reserve - shared) / student, rounded down.

    Args:
        machine: bytes of memory.
        reserve: bytes for the system and the hub.
        shared: bytes that all students' processes map together, counted once.
        student: bytes of one student's own.

    >>> students_held(24e9, 2e9, 0.5e9, 0.5e9)
    43
    """
    return max(0, int((machine - reserve - shared) // student))


class Most:
    """The most that these processes held at once, sampled while something runs."""

    def __init__(self, processes: Callable[[], Iterable[psutil.Process]]):
        self.held = Held()
        self._processes = processes
        self._stop = threading.Event()
        self._sampler = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> "Most":
        self._sampler.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._sampler.join()

    def _sample(self) -> None:
        while True:
            now = held(self._processes())
            if now.counted_once > self.held.counted_once:
                self.held = now
            if self._stop.wait(INTERVAL):
                return
