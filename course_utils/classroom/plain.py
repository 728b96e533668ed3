"""What a student answered, made of Python's own numbers, texts, lists and arrays.

A check compares, and whoever is compared has a say: an object may claim to be equal to
everything (`mock.ANY` does), a subclass of float may lie, `__len__` may never return.
So answers are taken apart here, once for all checks, by the methods of the base types
alone.  What is made of nothing known becomes a `Stranger`, equal to nothing.
"""

import sys
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from types import EllipsisType, NoneType

import numpy as np

from course_utils.classroom.words import name_of
from course_utils.decoding.contracts import Draft, Round, Seconds, Verdict
from course_utils.decoding.metrics import Metrics

DEEP = 12  # lists in lists that are followed
LONG = 10**5  # entries of a list that are looked at
_OWN = (NoneType, EllipsisType, bool, int, float, str)  # exactly these are as they seem
_COURSE = (Draft, Round, Seconds, Verdict, Metrics)
_VIEWS = (range, type({}.keys()), type({}.values()), type({}.items()))


class Stranger:
    """In place of an object that no check knows."""

    def __init__(self, kind: type):
        self._name = name_of(kind)

    def __repr__(self) -> str:
        return f"<{self._name}>"


class Unread(Stranger, Iterator):
    """In place of an iterator; nothing was taken from it, since it may never end."""

    def __next__(self):
        raise TypeError("an iterator where values are expected: put list(...) around it")


def plain(answer: object, depth: int = DEEP) -> object:
    """`answer` in Python's own types, arrays in NumPy's; subclasses as what they derive from.

    Tensors become arrays, arrays without axes numbers, mappings dicts.
    """
    kind = type(answer)
    if kind in _OWN:
        return answer
    if depth == 0:
        return Stranger(kind)
    for known, convert in _CONVERSIONS:
        if issubclass(kind, known):
            return convert(answer, depth - 1)
    torch = sys.modules.get("torch")  # not imported here: a toy lesson does without
    if torch and kind in (torch.Tensor, torch.nn.Parameter):
        return _tensor(answer, depth)
    return Unread(kind) if hasattr(kind, "__next__") else Stranger(kind)


def _scalar(number: np.generic, depth: int) -> object:
    return plain(np.generic.item(number), depth)


def _array(array: np.ndarray, depth: int) -> object:
    array = np.ndarray.view(array, np.ndarray)
    if array.ndim == 0 or array.dtype.kind == "O":
        return plain(array.tolist(), depth)
    return array if array.dtype.kind in "biufU" else Stranger(np.ndarray)


def _tensor(tensor, depth: int) -> object:
    tensor = tensor.detach().cpu()
    return _array((tensor.double() if tensor.is_floating_point() else tensor).numpy(), depth)


def _several(kind: type):
    """A converter for a list, a set, ...: the same kind of plain entries."""

    def convert(answer: object, depth: int) -> object:
        entries = list(islice(kind.__iter__(answer), LONG + 1))
        if len(entries) > LONG:
            return Stranger(type(answer))
        return (list if kind in _VIEWS else kind)(plain(entry, depth) for entry in entries)

    return kind, convert


def _mapping(answer: Mapping, depth: int) -> object:
    pairs = dict.items(answer) if issubclass(type(answer), dict) else answer.items()
    entries = list(islice(pairs, LONG + 1))
    if len(entries) > LONG:
        return Stranger(type(answer))
    return {plain(key, depth): plain(value, depth) for key, value in entries}


def _of_the_course(answer: object, depth: int) -> object:
    kind = next(kind for kind in _COURSE if issubclass(type(answer), kind))
    values = {f.name: plain(object.__getattribute__(answer, f.name), depth) for f in fields(kind)}
    return kind(**values)


_CONVERSIONS = (
    (np.generic, _scalar),
    (np.ndarray, _array),
    (float, lambda answer, _: float.__pos__(answer)),
    (int, lambda answer, _: int.__pos__(answer)),
    (str, lambda answer, _: str.__str__(answer)),
    (Fraction | Decimal, lambda answer, depth: plain(float(answer), depth)),
    *(_several(kind) for kind in (list, tuple, set, frozenset, deque, *_VIEWS)),
    (Mapping, _mapping),
    (_COURSE, _of_the_course),
)
