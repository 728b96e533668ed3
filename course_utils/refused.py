"""The error of a program that cannot examine another one, and the place of someone's error."""

import os
from pathlib import Path
from traceback import extract_tb

HERE, LIBRARY = Path(__file__).parent, Path(os.__file__).parent


class Refused(Exception):
    """An answer or a program cannot be examined; the message tells its author why."""


def line_of_plugin(error: BaseException) -> str:
    """Return " (mine.py, line 4, in propose)", the innermost line that is neither the course's nor
    a library's; "" if there is none."""
    for frame in reversed(extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        ours = {HERE, LIBRARY} & {*file.parents} or "site-packages" in file.parts
        if file.is_file() and not ours:
            return f" ({file.name}, line {frame.lineno}, in {frame.name})"
    return ""
