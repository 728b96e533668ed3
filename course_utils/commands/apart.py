"""Work done in a process of its own, which code of others may end without taking ours along."""

import sys
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any


class Ended(RuntimeError):
    """The process ended before its work was done."""


def apart(work: Callable, *given: Any) -> Any:
    """`work(*given)`, done by a child process; what it raises is raised here.

    Where a process is started anew (not on Linux), `work` and `given` are pickled, and the
    result is everywhere.

    Raises:
        Ended: the child is gone, and no result came.
    """
    context = get_context("fork" if sys.platform == "linux" else None)
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_send, args=(sender, work, given))
    child.start()
    sender.close()  # subtle: with our copy open the pipe would never say that the child is gone
    try:
        result = receiver.recv()
    except EOFError:
        child.join()
        raise Ended(f"the process ended with status {child.exitcode} in the middle") from None
    finally:
        child.kill()
        child.join()
    if isinstance(result, BaseException):
        raise result
    return result


def _send(sender: Connection, work: Callable, given: tuple) -> None:
    try:
        result = work(*given)
    except KeyboardInterrupt:  # ours, too
        return
    except BaseException as error:
        result = error
    try:
        sender.send(result)
    except Exception as error:  # an exception of others may not be pickled
        sender.send(RuntimeError(f"{type(result).__name__}: {error}"))
