"""An iterator followed in the background: its latest item, a few times a second.

Two daemon threads.  One takes the items, however long each takes, so that the
kernel stays free; the other shows the latest one at most `RATE` times a second
and the last one always.

A widget may be written to from any thread: ipykernel sends from a thread of its
own.  Both threads run in the context of the click that started them, so that their
messages answer that click; without it they would answer whatever cell was run
last, and JupyterLab's next click on Start would wait for that cell.
"""

from collections.abc import Callable, Iterable
from contextvars import copy_context
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, RLock, Thread
from time import sleep
from typing import Generic, TypeVar

RATE = 12  # times a second

Item = TypeVar("Item")


@dataclass(frozen=True)
class End:
    """Why no more items come: they ran out, `stop` was called, or one failed."""

    stopped: bool = False
    error: BaseException | None = None


class Worker(Generic[Item]):
    """Calls show(latest item or None, None) while items come, show(last item, End) after.

    `show` is called from a thread, holding `lock`: whoever else writes what `show`
    writes holds it, too.
    """

    def __init__(self, show: Callable[[Item | None, End | None], None]):
        self.busy = False
        self.lock = RLock()
        self._show = show
        self._stop = Event()

    @property
    def stopping(self) -> bool:
        """Was `stop` called on what is still under way?"""
        return self.busy and self._stop.is_set()

    def start(self, items: Callable[[], Iterable[Item]]) -> bool:
        """Begin to take `items()`; False if the items of an earlier start still come."""
        with self.lock:
            if self.busy:
                return False
            self.busy, self._stop = True, Event()
        inbox: SimpleQueue[Item | End] = SimpleQueue()
        for job in ((self._take, items, inbox, self._stop), (self._follow, inbox)):
            Thread(target=copy_context().run, args=job, daemon=True).start()
        return True

    def stop(self) -> bool:
        """End after the item under way; False if there is none."""
        with self.lock:
            self._stop.set()
            return self.busy

    @staticmethod
    def _take(
        items: Callable[[], Iterable[Item]], inbox: "SimpleQueue[Item | End]", stop: Event
    ) -> None:
        end = End()
        try:
            for item in items():
                inbox.put(item)
                if stop.is_set():
                    end = End(stopped=True)
                    break
        except BaseException as error:  # whatever a model or a drafter raises is for the reader
            end = End(error=error)
        inbox.put(end)

    def _follow(self, inbox: "SimpleQueue[Item | End]") -> None:
        item, end = None, None
        while end is None:
            for new in _waiting(inbox):
                if isinstance(new, End):
                    end = new
                else:
                    item = new
            with self.lock:
                self.busy = end is None
                self._show(item, end)
            sleep(1 / RATE)


def _waiting(inbox: SimpleQueue) -> list:
    """Everything in the box, at least one thing: waits for it."""
    things = [inbox.get()]
    while not inbox.empty():
        things.append(inbox.get())
    return things
