"""A student's code under limits: it ends, one way or another, and the kernel lives on.

What is counted is processor time of the thread that computes, so that a right answer
beside a busy neighbour has all the time it needs.  A timer looks twice a second;
nothing is interrupted that is done before.
"""

import signal
import sys
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import monotonic, thread_time
from types import FrameType
from typing import TypeVar

Result = TypeVar("Result")

# seconds: the longest check takes three, all its known mistakes included; beside three busy
# neighbours an endless loop gets so much in a minute and a half
COMPUTING = 20.0
WAITING = 600.0  # seconds by the clock: nobody waits so long for an answer, or at a breakpoint
MEMORY = 10**9  # bytes more than before: a list that grows for ever takes as much in seconds
LOOK = 0.5  # seconds between two looks
AGAIN = 0.05  # seconds until a stop is said again: an `except:` of the student may catch it


class Stopped(BaseException):
    """What ran into a limit, in a sentence; no `except Exception` of the student's catches it."""


def interrupts(error: BaseException) -> bool:
    """Is it the user, or a limit, that wants an end?  Whatever else is raised is an answer."""
    return type(error) in (KeyboardInterrupt, Stopped)


def within_limits(work: Callable[[], Result], seconds: float | None = None) -> Result:
    """work(), stopped if it computes or waits for too long, or takes too much memory.

    Where no signal can come, on Windows and in a thread, `work` runs without limits.  So
    does a single call of C, as `sum(itertools.count())`, which holds off every signal.

    Args:
        seconds: that it may compute, where less than COMPUTING is enough.

    Raises:
        Stopped: a limit was reached.
        SystemExit: also where IPython's `exit()` would have ended the kernel.
    """
    with _kernel_kept():
        if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
            return work()
        return _watched(work, COMPUTING if seconds is None else min(seconds, COMPUTING))


def _watched(work: Callable[[], Result], seconds: float) -> Result:
    own, begin = sys._getframe(), (thread_time(), monotonic(), _memory())
    said = passed = 0

    def look(number: int, frame: FrameType) -> None:
        nonlocal said, passed
        sentence = _exceeded(seconds, *begin)
        if not sentence or frame is own:  # `own`: the work is over
            return
        signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
        stopped, alarm = Stopped(sentence), _Alarm(number)
        if said > 3:  # caught each time: look at every step from here on, raise at some
            _ = alarm.comes  # and no call from here to the end, which would be a step
            passed += 1
            if passed <= said % 8:
                return
        said, passed = said + 1, 0
        try:
            raise stopped
        finally:
            del stopped  # or it would keep, by this frame, all that the student's code holds

    torch = sys.modules.get("torch")  # a stop may come while `no_grad` is left
    learns = torch is not None and torch.is_grad_enabled()
    handler = signal.signal(signal.SIGALRM, look)
    timer = signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler or signal.SIG_DFL)
        if torch is not None:
            torch.set_grad_enabled(learns)


class _Alarm(int):
    """The number of a signal; `comes` acts as if it had come.

    The handler then runs at the next step of the program, a call or a jump, and so
    stops whoever catches what it raises.  Reading a property is no such step.
    """

    comes = property(interrupt_main)


def _exceeded(seconds: float, computed: float, began: float, memory: int) -> str:
    """Which limit is exceeded, or ""; the last three are what the clocks said at the beginning."""
    if thread_time() - computed > seconds:
        return f"It computed for {seconds:g} seconds. Does a loop in it never end?"
    if monotonic() - began > WAITING:
        return f"It had not ended after {WAITING:g} seconds. What does it wait for?"
    if _memory() - memory > MEMORY:
        return f"It took {MEMORY / 1e9:g} GB of memory. Does something in it grow for ever?"
    return ""


def _memory() -> int:
    """Bytes this process holds now: what an earlier attempt took and gave back is forgotten."""
    from psutil import Process  # on use: a toy lesson has little else to import

    return Process().memory_info().rss


@contextmanager
def _kernel_kept() -> Iterator[None]:
    """IPython's exit() and quit() raise SystemExit, as Python's do; they would end the kernel."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if not hasattr(shell, "ask_exit"):
        yield
        return
    real, shell.ask_exit = shell.ask_exit, sys.exit
    try:
        yield
    finally:
        shell.ask_exit = real
