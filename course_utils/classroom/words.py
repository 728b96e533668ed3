"""Words for a page, a picture or a chart, whatever they are made of."""

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
    """At most so many characters, and a sign that there were more."""
    return text if len(text) <= most else f"{text[:most]} …"


def in_words(error: BaseException) -> str:
    """ "ZeroDivisionError: division by zero"; an error that cannot be told is only named."""
    name, said = name_of(type(error)), message_of(error)
    return f"{name}: {said}" if said else name


def message_of(error: BaseException) -> str:
    """What an error says, or "" where its `__str__` fails, too."""
    try:
        said = str.__str__(str(error))
    except BaseException as another:
        if interrupts(another):
            raise
        return ""
    return printable(shortened(said, 300))


def name_of(kind: type) -> str:
    """Of a class, whatever its metaclass says."""
    return type.__dict__["__name__"].__get__(kind)
