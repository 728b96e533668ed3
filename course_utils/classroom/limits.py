"""Run a student's code under limits, so that it always ends and the kernel keeps running.

Computing is measured as processor time of the thread, so a busy machine does not fail a right
answer.  A timer checks twice a second.
"""

import signal
import sys
from collections.abc import Callable
from threading import current_thread, main_thread
from time import monotonic, thread_time
from types import FrameType
from typing import TypeVar

Result = TypeVar("Result")

# seconds: the longest check takes three; next to three busy processes an endless loop uses it up
# in a minute and a half
COMPUTING = 20.0
WAITING = 600.0  # seconds by the clock, for example at a breakpoint
MEMORY = 10**9  # more bytes than before
LOOK = 0.5  # seconds between two checks
AGAIN = 0.05  # seconds until Stopped is raised again: a bare `except:` may have caught it


class Stopped(BaseException):
    """Names the limit that was reached; a student's `except Exception` does not catch it."""


def interrupts(error: BaseException) -> bool:
    """Does the error come from the user or a limit?  Any other error counts as an answer."""
    return type(error) in (KeyboardInterrupt, Stopped)


def within_limits(work: Callable[[], Result], seconds: float | None = None) -> Result:
    """Return work(), stopped if it computes or waits too long, or takes too much memory.

    Without signals (on Windows, in a thread) `work` runs without limits.  So does a single
    call into C such as `sum(itertools.count())`, which blocks signals.

    Args:
        seconds: of computing, if less than COMPUTING is enough.

    Raises:
        Stopped: a limit was reached.
    """
    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        return work()
    seconds = min(seconds or COMPUTING, COMPUTING)
    from psutil import Process  # imported on use, to keep toy lessons fast

    memory_info = Process().memory_info
    own, computed, began, memory = sys._getframe(), thread_time(), monotonic(), memory_info().rss

    def look(_: int, frame: FrameType | None) -> None:
        if frame is own:  # the work is over
            return
        if thread_time() - computed > seconds:
            why = f"It computed for {seconds:g} seconds. Is there an endless loop?"
        elif monotonic() - began > WAITING:
            why = f"It was still running after {WAITING:g} seconds. What is it waiting for?"
        elif memory_info().rss - memory > MEMORY:
            why = f"It took {MEMORY / 1e9:g} GB of memory. Does something grow without end?"
        else:
            return
        signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
        raise Stopped(why)

    handler = signal.signal(signal.SIGALRM, look)
    timer = signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler or signal.SIG_DFL)
