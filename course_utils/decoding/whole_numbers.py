"""Whole numbers at the boundary: one check, and one sentence, for every setting that is a count."""

from operator import index
from typing import Any


def whole_number(name: str, value: Any, least: int, most: int | None = None) -> int:
    """Return `value` as an int.

    Raises:
        ValueError: it is outside its limits or not a whole number, which 2.0 and True are not.
    """
    try:
        number = None if isinstance(value, bool) else index(value)
    except TypeError:
        number = None
    if number is None or number < least or (most is not None and number > most):
        limits = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} is {value!r:.60}; give a whole number, {limits}")
    return number
