"""A mistake as an edit of the solution: what a student could have written in its place::

    slip(walk, ("left = p[at + 1]", "left = p[at]"))

The solution stands once, and a mistake says what is wrong in it and nothing else.  Left out:
lambdas and functions inside functions, whose source does not stand alone.
"""

from collections.abc import Callable
from inspect import getsource
from textwrap import dedent

Edit = tuple[str, str]  # a piece of the source, and what stands in its place


def slip(right: Callable, *edits: Edit) -> Callable:
    """`right` with these pieces replaced; it reads the names of the module that `right` is in.

    Raises:
        ValueError: a piece does not occur once, so the edit would be another one or none.
    """
    source = dedent(getsource(right))
    for old, new in edits:
        if source.count(old) != 1:
            raise ValueError(f"{old!r} occurs {source.count(old)} times in {right.__name__}")
        source = source.replace(old, new)
    defined: dict[str, Callable] = {}
    exec(source, right.__globals__, defined)  # subtle: `right` itself stays what it was
    return defined[right.__name__]
