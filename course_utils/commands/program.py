"""What runs a command: its parser, one error line, one table of exit statuses, nothing raised.

Shared by `python -m course_utils` and `python -m workshop`.
"""

import argparse
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
from typing import Any, NoReturn, TextIO

from joblib import cpu_count

SPIN_TURNS = "10000"
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


class HelpShown(Exception):
    """The parser of a command has printed its help.

    Any sys.exit() is that of a plug-in, which must not say how the command ended.
    """


class Parser(argparse.ArgumentParser):
    """argparse's, whose errors are one line like every error of a command.

    Args:
        work: a module that the command works with and that takes long to import, as torch does:
            imported once the line is understood, so that --help need not wait.
    """

    def __init__(
        self, command: str, description: str | None, package: str = "course_utils", work: str = ""
    ):
        self._work = work
        super().__init__(
            prog=f"python -m {package} {command}",
            description=description,
            epilog=f"`python -m {package} --help` explains --debug and every exit status.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def parse_args(self, *arguments: Any, **named: Any) -> argparse.Namespace:  # type: ignore[override]
        options = super().parse_args(*arguments, **named)
        if self._work:
            with ctrl_c_kills():
                import_module(self._work)
        return options

    def error(self, message: str) -> NoReturn:
        """Raise ValueError, in place of printing the whole usage."""
        raise ValueError(f"{message}; `{self.prog} --help` lists what can be given")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise HelpShown


def main(program: Program, arguments: list[str]) -> int:
    """Run a command and return its exit status.  Nothing is raised, whatever the command does."""
    debug, arguments = _without_debug(arguments)
    try:
        status = _run(program, arguments)
        sys.stdout.flush()  # here, where a full disk or a closed pipe can still be reported
        return status
    except HelpShown:
        return 0
    except BaseException as error:  # the last net
        if debug:
            _write(sys.stderr, traceback.format_exc())
        return _status(error)


def _without_debug(arguments: list[str]) -> tuple[bool, list[str]]:
    """["audit", "--debug", "x"] -> (True, ["audit", "x"]); what follows a -- is left alone."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = [argument for argument in arguments[:end] if argument != "--debug"]
    return len(options) < end, options + arguments[end:]


def _run(program: Program, arguments: list[str]) -> int:
    command = arguments[0] if arguments else None
    if command and command in program.commands:
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


def share_the_machine() -> None:
    """Let whatever torch is started from here on take the cores it was given, and no others'.

    To be called before torch is loaded: OpenMP reads its settings once.  Threads that spin
    while they wait starve one another beside a busy neighbour.  Those that sleep (PASSIVE) do
    not; but to wake one for every product of a small model takes longer than the product, so
    GNU's OpenMP spins a little before it sleeps.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("GOMP_SPINCOUNT", SPIN_TURNS)
    os.environ.setdefault("OMP_NUM_THREADS", str(cpu_count()))  # type: ignore[no-untyped-call]


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
    if isinstance(error, KeyboardInterrupt):
        _write(sys.stderr, "\nstopped\n")
        return INTERRUPTED
    if isinstance(error, BrokenPipeError) and not _write(sys.stdout, "\n"):
        return PIPE_CLOSED
    _write(sys.stderr, f"error: {_in_one_line(error)}\n")
    return WRONG


def _in_one_line(error: BaseException) -> str:
    """The message; where it is not one of ours, what kind of error it is."""
    words = " ".join(str(error).split())
    words = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)
    kind, details = type(error).__name__, words or "no details"
    if isinstance(error, (ValueError, OSError, MemoryError)) and words:
        return words
    if isinstance(error, SystemExit):
        return f"code that was called ended the program with sys.exit({words}), which is no result"
    if isinstance(error, MemoryError) or ("allocate" in words and "memory" in words):
        return f"memory ran out ({kind}: {details}); --debug shows the rest"
    return f"{kind}: {details}; --debug shows the rest"


def _write(stream: TextIO, text: str) -> bool:
    """Write, if anybody still reads this stream; return whether somebody does."""
    try:
        stream.write(text)
        stream.flush()
    except (OSError, ValueError):  # a closed pipe, a full disk, a closed file
        return False
    return True


def start(program: Program) -> int:
    """Run `main` on the command line, with streams that take every character.

    What libraries warn of is shown with --debug only.
    """
    if not _without_debug(sys.argv[1:])[0]:
        warnings.simplefilter("ignore")
        logging.disable(logging.WARNING)
    for name in ("stdout", "stderr"):
        getattr(sys, name).reconfigure(errors="backslashreplace")
    status = main(program, sys.argv[1:])
    for descriptor, stream in ((1, sys.stdout), (2, sys.stderr)):
        if not _write(stream, ""):  # the interpreter would try again, and complain
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
    return status
