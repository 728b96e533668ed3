"""The most memory a child process holds while something runs."""

from threading import Event, Thread

import psutil

INTERVAL = 0.02  # seconds between samples; a shorter peak can be missed


class PeakMemory:
    """Samples the resident set of the child whose command line holds `command`::

        with PeakMemory("ipykernel") as peak:
            ...
        peak.bytes  # 0 if there was no such child

    Resident are the pages in memory, shared libraries included.  The child's own
    children are not counted.
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
        child = None  # kept once found: to look for it means to list all processes
        while not self._stop.wait(INTERVAL):
            try:
                child = child or self._find()
                self.bytes = max(self.bytes, child.memory_info().rss if child else 0)
            except psutil.NoSuchProcess:
                child = None

    def _find(self) -> psutil.Process | None:
        children = psutil.Process().children()  # type: ignore[no-untyped-call]  # psutil has no types
        return next((c for c in children if self._command in " ".join(c.cmdline())), None)
