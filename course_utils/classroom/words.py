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
    name, message = type(error).__name__, message_of(error)
    return f"{name}: {message}" if message else name


def message_of(error: BaseException) -> str:
    """The message of an error, or "" where its `__str__` fails, too."""
    try:
        message = str.__str__(str(error))
    except BaseException as another:
        if interrupts(another):
            raise
        return ""
    return printable(shortened(message, 300))
