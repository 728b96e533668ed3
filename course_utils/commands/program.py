"""What runs a command: one error line, one table of exit statuses, and nothing raised.

Shared by `python -m course_utils` and `python -m workshop`.
"""

import logging
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TextIO

from course_utils.models.loading.cores import share_the_machine

WRONG, INTERRUPTED, PIPE_CLOSED = 2, 130, 141
EXIT_STATUSES = """Exit status, the same for every command:

    0    done: it agrees, it is lossless, every check passed
    1    the answer is no: it is lossy, problems were found, a lesson or a check failed
    2    something in the call or in a file was wrong, or an error that nobody expected
    3    inconclusive
    130  stopped with Ctrl-C
    141  whatever read the output stopped reading, as `head` does

What went wrong is one line, "error: ...".  --debug, before the command or after it,
shows the traceback above that line, and what libraries warn of.
"""


@dataclass(frozen=True)
class Program:
    """`python -m PACKAGE COMMAND`, for a package whose folder `commands` has a module for each."""

    package: str
    description: str
    commands: Mapping[str, str]  # {name: purpose}


def main(program: Program, arguments: list[str]) -> int:
    """Run a command and return its exit status.  Nothing is raised, whatever the command does."""
    debug, arguments = _debug_taken_out(arguments)
    try:
        status = _run(program, arguments)
        sys.stdout.flush()  # here, where a full disk or a closed pipe can still be told
        return status
    except BaseException as error:  # the last net
        if debug and not _from_argparse(error):
            _say(traceback.format_exc())
        return _status(error)


def _debug_taken_out(arguments: list[str]) -> tuple[bool, list[str]]:
    """["audit", "--debug", "x"] -> (True, ["audit", "x"]); what follows a -- is left alone."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = [argument for argument in arguments[:end] if argument != "--debug"]
    return len(options) < end, options + arguments[end:]


def _run(program: Program, arguments: list[str]) -> int:
    command = arguments[0] if arguments else None
    if command in program.commands:
        _check_the_folder()
        share_the_machine()  # before torch is loaded; what is started inherits it
        with ctrl_c_kills():
            module = import_module(f"{program.package}.commands.{command.replace('-', '_')}")
        return module.main(arguments[1:])
    print(f"usage: {program.description}\nCOMMAND is one of these; COMMAND --help has the rest:\n")
    for name, purpose in program.commands.items():
        print(f"    {name:<12} {purpose}")
    if command in ("-h", "--help"):
        return 0
    raise ValueError(f"no command is called {command!r}" if command else "name a command")


def _check_the_folder() -> None:
    """Torch, where it looks for its own files, breaks in a folder that is gone."""
    try:
        os.getcwd()
    except FileNotFoundError:
        raise FileNotFoundError("the folder you are in was deleted: go to another one") from None


@contextmanager
def ctrl_c_kills() -> Iterator[None]:
    """At once, as the system does it: torch, while it loads, aborts at a KeyboardInterrupt."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    ours = usual and threading.current_thread() is threading.main_thread()
    if ours:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _status(error: BaseException) -> int:
    """Say in one line what ended a command; the exit status for it."""
    if _from_argparse(error):
        return error.code
    if isinstance(error, KeyboardInterrupt):
        _say("\nstopped")
        return INTERRUPTED
    if isinstance(error, BrokenPipeError) and not _taken_by(sys.stdout, "\n"):
        return PIPE_CLOSED
    _say(f"error: {_in_one_line(error)}")
    return WRONG


def _from_argparse(error: BaseException) -> bool:
    """Did a command's own parser end it (help was shown, or an option complained of)?

    Any other sys.exit() is that of a plug-in, and a plug-in must not say how
    the command ended.
    """
    if not isinstance(error, SystemExit):
        return False
    frames = traceback.walk_tb(error.__traceback__)
    packages = [frame.f_globals.get("__name__", "").partition(".")[0] for frame, _ in frames]
    ours = {"argparse", "course_utils", "workshop", "__main__"}
    return packages[-1] == "argparse" and ours.issuperset(packages)


def _in_one_line(error: BaseException) -> str:
    """The message; where it is not one of ours, what kind of error it is."""
    try:
        words = " ".join(str(error).split())
    except BaseException:  # a plug-in's error may fail even to describe itself
        words = ""
    said = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)
    kind = type(error).__name__
    if isinstance(error, (ValueError, OSError, MemoryError)) and said:
        return said
    if isinstance(error, SystemExit):
        return f"code that was called ended the program with sys.exit({said}), which is no result"
    rest = "; --debug shows the rest"
    if isinstance(error, MemoryError) or ("allocate" in said and "memory" in said):
        return f"memory ran out ({kind}: {said or 'no details'}){rest}"
    return f"{kind}: {said or 'no details'}{rest}"


def _say(line: str) -> None:
    _taken_by(sys.stderr, f"{line}\n")


def _taken_by(stream: TextIO, text: str) -> bool:
    """Does anybody still read this stream?"""
    try:
        stream.write(text)
        stream.flush()
    except Exception:  # a plug-in may have closed it, or put anything in its place
        return False
    return True


def start(program: Program) -> int:
    """Run `main` on the command line, with streams that take every character.

    What libraries warn of is shown with --debug only.
    """
    if not _debug_taken_out(sys.argv[1:])[0]:
        warnings.simplefilter("ignore")
        logging.disable(logging.WARNING)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # it was closed
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
        getattr(sys, name).reconfigure(errors="backslashreplace")
    status = main(program, sys.argv[1:])
    for descriptor, stream in ((1, sys.stdout), (2, sys.stderr)):
        if not _taken_by(stream, ""):  # the interpreter would try again, and complain
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
    return status
