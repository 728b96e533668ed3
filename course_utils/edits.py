"""A mistake as an edit of the solution: what a student could have written instead::

    slip(walk, ("left = p[at + 1]", "left = p[at]"))
    slip(walk, *edits_in("left = p[at + 1] → left = p[at]"))

The solution is written once, and a mistake states only the difference.  Left out: lambdas and
functions inside functions, whose source is not complete.
"""

import ast
import sys
from collections.abc import Callable
from inspect import getsource
from textwrap import dedent

Edit = tuple[str, str]  # a piece of the source, and its replacement


def edits_in(text: str) -> list[Edit]:
    """Read "old → new; old → new" as edits; the spaces around an arrow are not part of them."""
    pairs = (edit.partition(" → ") for edit in text.split("; "))
    return [(old, new) for old, _, new in pairs]


def edited(right: Callable, *edits: Edit) -> str:
    """Return the source of `right` with these pieces replaced.

    Raises:
        ValueError: a piece does not occur exactly once.
    """
    source = dedent(getsource(right))
    for old, new in edits:
        if source.count(old) != 1:
            raise ValueError(f"{old!r} occurs {source.count(old)} times in {right.__name__}")
        source = source.replace(old, new)
    return source


def statements(right: Callable, *edits: Edit) -> list[str]:
    """Return the lines of `edited`, without the signature, the docstring and comments."""
    (function,) = ast.parse(edited(right, *edits)).body
    assert isinstance(function, ast.FunctionDef)
    return [line for node in function.body[1:] for line in ast.unparse(node).splitlines()]


def slip(right: Callable, *edits: Edit) -> Callable:
    """Return the function or class `right` with these edits; it reads the names of its module.

    Raises:
        ValueError: as `edited` does.
    """
    defined: dict[str, Callable] = {}
    # subtle: `right` itself is unchanged
    exec(edited(right, *edits), vars(sys.modules[right.__module__]), defined)
    return defined[right.__name__]
