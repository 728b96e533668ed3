"""Make text safe to draw on any page, picture or chart."""

import re

from course_utils.classroom.limits import interrupts

# These break SVG or JSON, or reverse the text direction: control characters except tab and
# line feed, lone surrogates, direction marks, and two noncharacters.
_UNFIT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]"
)


def printable(text: str) -> str:
    """Return `text` with U+FFFD for every character that must not be drawn.

    >>> printable("a\\x00b")
    'a\ufffdb'
    """
    return _UNFIT.sub("\ufffd", text)


def shortened(text: str, most: int = 800) -> str:
    """Return at most `most` characters, followed by " …" if there were more."""
    return text if len(text) <= most else f"{text[:most]} …"


def in_words(error: BaseException) -> str:
    """Return "ZeroDivisionError: division by zero", or only the name without a message."""
    try:
        message = printable(shortened(str.__str__(str(error)), 300))
    except BaseException as another:  # its `__str__` fails too
        if interrupts(another):
            raise
        message = ""
    return type(error).__name__ + (f": {message}" if message else "")
