"""What someone's code is refused for, and the place of its error."""

import os
from pathlib import Path
from traceback import extract_tb
from typing import Any

HERE, LIBRARY = Path(__file__).parent, Path(os.__file__).parent


class Refused(Exception):
    """Someone's code or answer cannot be examined; the message tells its author why."""


class NothingReturned(Refused):
    """It returned None or `...`, as an open exercise does."""


def require(fine: object, words: str) -> None:
    """Raise Refused(words) unless `fine`."""
    if not fine:
        raise Refused(words)


def returned(answer: Any) -> Any:
    """Return an answer; raise NothingReturned for None and `...`."""
    if answer is None or answer is ...:
        raise NothingReturned("it returned nothing")
    return answer


def line_of_plugin(error: BaseException) -> str:
    """Return " (mine.py, line 4, in propose)", the innermost line that is neither the course's nor
    a library's; "" if there is none."""
    for frame in reversed(extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        ours = {HERE, LIBRARY} & {*file.parents} or "site-packages" in file.parts
        if file.is_file() and not ours:
            return f" ({file.name}, line {frame.lineno}, in {frame.name})"
    return ""
