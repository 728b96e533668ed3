"""The parser of a command's line: what it complains of is one line, like every error."""

import argparse
from importlib import import_module
from typing import Any, NoReturn

from course_utils.commands.program import ctrl_c_kills


class Parser(argparse.ArgumentParser):
    """argparse's, with the paragraphs of `description` kept.

    Args:
        work: the module that a command works with, if that takes long to import, as torch does:
            imported once the line is understood, so that --help need not wait.  The command then
            imports what it needs where it needs it.
    """

    def __init__(
        self, command: str, description: str, package: str = "course_utils", work: str = ""
    ):
        self._work = work
        super().__init__(
            prog=f"python -m {package} {command}",
            description=description,
            epilog=f"`python -m {package} --help` explains --debug and every exit status.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def parse_args(self, *given: Any, **named: Any) -> argparse.Namespace:
        options = super().parse_args(*given, **named)
        if self._work:
            with ctrl_c_kills():
                import_module(self._work)
        return options

    def error(self, message: str) -> NoReturn:
        """In place of the whole usage.

        Raises:
            ValueError: always.
        """
        raise ValueError(f"{message}; `{self.prog} --help` lists what can be given")
