"""The parser of a command's line: what it complains of is one line, like every error."""

import argparse
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """argparse's, with the paragraphs of `description` kept."""

    def __init__(self, command: str, description: str, package: str = "course_utils"):
        super().__init__(
            prog=f"python -m {package} {command}",
            description=description,
            epilog=f"`python -m {package} --help` explains --debug and every exit status.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def error(self, message: str) -> NoReturn:
        """In place of the whole usage.

        Raises:
            ValueError: always.
        """
        raise ValueError(f"{message}; `{self.prog} --help` lists what can be given")
