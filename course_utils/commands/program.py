"""The runner of commands: a parser, errors on one line, one table of exit statuses.

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
from typing import Any, NoReturn

from joblib import cpu_count

from course_utils.plugins import line_of_plugin
from course_utils.shortage import MemoryShortage, out_of_memory

SPIN_TURNS = "10000"
DEBUG = "--debug"
WRONG, INTERRUPTED, PIPE_CLOSED = 2, 130, 141
EXIT_STATUSES = """Exit status, the same for every command:

    0    done: it agrees, it is lossless, every check passed
    1    the answer is no: it is lossy, problems were found, a lesson or a check failed
    2    something in the call or in a file was wrong, or there was an unexpected error
    3    inconclusive
    130  stopped with Ctrl-C, or by SIGTERM
    141  the reader of the output stopped reading, as `head` does

Errors are one line, "error: ...".  --debug, before the command or after it, shows the
traceback above that line, and the libraries' warnings.
"""


class HelpShown(Exception):
    """The parser of a command has printed its help.

    Any sys.exit() comes from a plug-in, which must not set the command's exit status.
    """


class Parser(argparse.ArgumentParser):
    """argparse's parser with errors on one line, like every error of a command.

    Args:
        work: a module that the command needs and that is slow to import, such as torch. It is
            imported after the arguments are parsed, so that --help is fast.
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

    def parse_args(self, *arguments: Any, **keywords: Any) -> argparse.Namespace:  # type: ignore[override]
        options = super().parse_args(*arguments, **keywords)
        if self._work:
            with ctrl_c_kills():
                import_module(self._work)
        return options

    def error(self, message: str) -> NoReturn:
        """Raise a ValueError instead of printing the whole usage."""
        raise ValueError(f"{message}; `{self.prog} --help` lists the options")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise HelpShown


def _without_debug(arguments: list[str]) -> tuple[bool, list[str]]:
    """["audit", "--debug", "x"] -> (True, ["audit", "x"]); arguments after -- are unchanged."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = [argument for argument in arguments[:end] if argument != DEBUG]
    return len(options) < end, options + arguments[end:]


@dataclass(frozen=True)
class Program:
    """`python -m PACKAGE COMMAND`, for a package with one module per command in `commands`."""

    package: str
    description: str | None
    commands: Mapping[str, str]  # {name: purpose}

    def main(self, arguments: list[str]) -> int:
        """Run a command and return its exit status; never raise."""
        debug, arguments = _without_debug(arguments)
        try:
            status = self._run(arguments)
            sys.stdout.flush()  # here, where a full disk or a closed pipe can still be reported
            return status
        except HelpShown:
            return 0
        except BrokenPipeError:
            return PIPE_CLOSED
        except KeyboardInterrupt:
            print("\nstopped", file=sys.stderr)
            return INTERRUPTED
        except BaseException as error:  # the last net
            if debug:
                traceback.print_exc()
            print(f"error: {_in_one_line(error)}", file=sys.stderr)
            return WRONG

    def _run(self, arguments: list[str]) -> int:
        command = arguments[0] if arguments else None
        if command and command in self.commands:
            share_the_machine()  # before torch is loaded; child processes inherit it
            with ctrl_c_kills():
                module = import_module(f"{self.package}.commands.{command.replace('-', '_')}")
            return module.main(arguments[1:])
        print(f"usage: {self.description}\n\n{EXIT_STATUSES}")
        print("COMMAND is one of these; see COMMAND --help:\n")
        for name, purpose in self.commands.items():
            print(f"    {name:<12} {purpose}")
        if command in ("-h", "--help"):
            return 0
        raise ValueError(f"there is no command {command!r}" if command else "name a command")

    def start(self) -> int:
        """Run `main` on the command line, with streams that accept every character.

        The libraries' warnings are shown only with --debug.
        """
        if not _without_debug(sys.argv[1:])[0]:
            warnings.simplefilter("ignore")
            logging.disable(logging.WARNING)
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # leave no part of a file either
        for name in ("stdout", "stderr"):
            getattr(sys, name).reconfigure(errors="backslashreplace")
        status = self.main(sys.argv[1:])
        try:
            sys.stdout.flush()
        except OSError:  # else the interpreter would try again and complain
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return status


def share_the_machine() -> None:
    """Set OpenMP's defaults so that torch uses only the available cores and shares them well.

    Call it before torch is loaded, because OpenMP reads its settings once.  Threads that spin
    while they wait starve each other if other programs are busy; threads that sleep (PASSIVE)
    do not.  But waking one for each product of a small model takes longer than the product, so
    GNU's OpenMP spins briefly before it sleeps.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("GOMP_SPINCOUNT", SPIN_TURNS)
    os.environ.setdefault("OMP_NUM_THREADS", str(cpu_count()))  # type: ignore[no-untyped-call]


@contextmanager
def ctrl_c_kills() -> Iterator[None]:
    """Let Ctrl-C kill the process directly: torch aborts at a KeyboardInterrupt while it loads."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    installed = usual and threading.current_thread() is threading.main_thread()
    if installed:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        if installed:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _in_one_line(error: BaseException) -> str:
    """Return the message, with the type of error if it is not the course's own."""
    words, where = escaped(" ".join(str(error).split())), line_of_plugin(error)
    if shortage := out_of_memory(error):
        return words if isinstance(error, MemoryShortage) else shortage
    if isinstance(error, (ValueError, OSError)) and words:
        return words + where
    if isinstance(error, SystemExit):
        return f"a plug-in called sys.exit({words}) instead of returning a result"
    details = words or "no details"
    return f"{type(error).__name__}: {details}{where}; --debug shows the traceback"


def escaped(text: str) -> str:
    """Return text that cannot control a terminal: "\\x1b" in place of the character."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
