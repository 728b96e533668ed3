"""Is an answer the right one, and if not, where do the two differ?  Both are `plain`."""

from collections import deque
from collections.abc import Callable
from math import isclose

import numpy as np

_ROWS = (list, tuple, deque, np.ndarray)
_SHOWN = 60  # characters of an answer that fit into a sentence


def alike(given: object, right: object) -> bool:
    """Equal up to rounding, entry by entry; a list may stand for a tuple or an array.

    NaN is like NaN: so a mistake that leads to it is known by it.

    Raises:
        TypeError, ValueError, OverflowError: the two cannot be compared.
    """
    if isinstance(given, dict) and isinstance(right, dict):
        return given.keys() == right.keys() and all(alike(given[k], right[k]) for k in right)
    if isinstance(given, _ROWS) or isinstance(right, _ROWS):
        rows = isinstance(given, _ROWS) and isinstance(right, _ROWS)
        return rows and len(given) == len(right) and all(map(alike, given, right))
    if given == right or (given != given and right != right):
        return True
    # relative: a right answer in float32; absolute: one that should be 0
    return isclose(given, right, rel_tol=1e-6, abs_tol=1e-9)


def difference(given: object, right: object, same: Callable, place: str = "the answer") -> str:
    """ "the answer is 4, not 5."; of long rows only the first entry that differs is told."""
    if isinstance(given, _ROWS) and isinstance(right, _ROWS) and len(repr(right)) > _SHOWN:
        if len(given) != len(right):
            return f"{place} has {len(right)} entries, not {len(given)}."
        pairs = zip(given, right, strict=True)
        i = next((i for i, pair in enumerate(pairs) if not same(*pair)), None)
        if i is not None:
            return difference(given[i], right[i], same, f"entry {i} of {place}")
    return f"{place} is {short(right)}, not {short(given)}."


def short(value: object) -> str:
    """A number or another answer, as a sentence shows it."""
    if isinstance(value, np.generic):
        value = value.item()
    try:
        shown = f"{value:.4g}" if isinstance(value, float) else repr(value)
    except ValueError:
        return "a number of more digits than Python writes"
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
