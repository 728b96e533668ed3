"""The peak memory of a child process while something runs."""

from threading import Event, Thread

import psutil

INTERVAL = 0.02  # seconds between samples; a shorter peak can be missed


class PeakMemory:
    """Sample the resident set of the child whose command line contains `command`::

        with PeakMemory("ipykernel") as peak:
            ...
        peak.bytes  # 0 if there was no such child

    It includes shared libraries, but not the child's own children.
    """

    def __init__(self, command: str):
        self.bytes = 0
        self._command = command
        self._stop = Event()
        self._sampler = Thread(target=self._sample, daemon=True)

    def __enter__(self) -> "PeakMemory":
        self._sampler.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._sampler.join()

    def _sample(self) -> None:
        child = None  # looked up once, because that lists all processes
        while not self._stop.wait(INTERVAL):
            try:
                child = child or self._find()
                self.bytes = max(self.bytes, child.memory_info().rss if child else 0)
            except psutil.NoSuchProcess:
                child = None

    def _find(self) -> psutil.Process | None:
        children = psutil.Process().children()  # type: ignore[no-untyped-call]  # psutil has no types
        return next((c for c in children if self._command in " ".join(c.cmdline())), None)
