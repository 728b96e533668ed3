"""A student's code under limits: it ends, one way or another, and the kernel lives on.

Computing is measured as processor time of the thread, so a right answer beside a busy
neighbour has all the time it needs.  A timer looks twice a second.
"""

import signal
import sys
from collections.abc import Callable
from threading import current_thread, main_thread
from time import monotonic, thread_time
from types import FrameType
from typing import TypeVar
from unittest.mock import patch

Result = TypeVar("Result")

# seconds: the longest check takes three; beside three busy neighbours an endless loop gets so
# much in a minute and a half
COMPUTING = 20.0
WAITING = 600.0  # seconds by the clock, at a breakpoint for example
MEMORY = 10**9  # bytes more than before
LOOK = 0.5  # seconds between two looks
AGAIN = 0.05  # seconds until a stop is raised again: an `except:` may have caught it


class Stopped(BaseException):
    """Which limit was reached, in a sentence; no `except Exception` of the student's catches it."""


def interrupts(error: BaseException) -> bool:
    """Is it the user, or a limit, that wants an end?  Whatever else is raised is an answer."""
    return type(error) in (KeyboardInterrupt, Stopped)


def within_limits(work: Callable[[], Result], seconds: float | None = None) -> Result:
    """work(), stopped if it computes or waits for too long, or takes too much memory.

    Where no signal can come, on Windows and in a thread, `work` runs without limits.  So
    does a single call of C, as `sum(itertools.count())`, which holds off every signal.

    Args:
        seconds: of computing, where less than COMPUTING is enough.

    Raises:
        Stopped: a limit was reached.
    """
    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        return work()
    seconds = min(seconds or COMPUTING, COMPUTING)
    from psutil import Process  # on use: a toy lesson has little else to import

    memory_info = Process().memory_info
    own, computed, began, memory = sys._getframe(), thread_time(), monotonic(), memory_info().rss

    def look(_: int, frame: FrameType | None) -> None:
        if frame is own:  # the work is over
            return
        if thread_time() - computed > seconds:
            why = f"It computed for {seconds:g} seconds. Does a loop in it never end?"
        elif monotonic() - began > WAITING:
            why = f"It had not ended after {WAITING:g} seconds. What does it wait for?"
        elif memory_info().rss - memory > MEMORY:
            why = f"It took {MEMORY / 1e9:g} GB of memory. Does something in it grow for ever?"
        else:
            return
        signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
        raise Stopped(why)

    handler = signal.signal(signal.SIGALRM, look)
    timer = signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()  # exit() asks it
    try:
        with patch.object(shell or look, "ask_exit", sys.exit, create=True):
            return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler or signal.SIG_DFL)
