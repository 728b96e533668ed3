"""Text that any page, picture or chart can show."""

import re

from course_utils.classroom.limits import interrupts

# What breaks SVG or JSON, or turns the text around: control characters but tab and
# line feed, halves of surrogate pairs, marks of direction, and two that are no characters.
_UNFIT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]"
)


def printable(text: str) -> str:
    """`text` with a sign for every character that must not be drawn.

    >>> printable("a\\x00b")
    'a\ufffdb'
    """
    return _UNFIT.sub("\ufffd", text)


def shortened(text: str, most: int = 800) -> str:
    """At most `most` characters, and a sign that there were more."""
    return text if len(text) <= most else f"{text[:most]} …"


def in_words(error: BaseException) -> str:
    """ "ZeroDivisionError: division by zero"; an error without a message is only named."""
    try:
        message = printable(shortened(str.__str__(str(error)), 300))
    except BaseException as another:  # its `__str__` fails, too
        if interrupts(another):
            raise
        message = ""
    return type(error).__name__ + (f": {message}" if message else "")
