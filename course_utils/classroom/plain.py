"""Convert a student's answer to plain Python numbers, texts and lists, and NumPy arrays.

A check compares values, but an object may claim to equal everything (`mock.ANY`), a subclass of
float may lie, `__len__` may never return.  So answers are taken apart here, once for all checks,
with the methods of the base types only.
"""

import sys
from collections import deque
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from types import EllipsisType, GeneratorType, NoneType

import numpy as np

DEEP = 12  # levels of nested lists
LONG = 10**5  # entries of a list
_OWN = (NoneType, EllipsisType, bool, int, float, str)  # these exact types need no conversion
_VALUE = {float: float.__float__, int: int.__int__, str: str.__str__}
_VIEWS = (range, GeneratorType, type({}.keys()), type({}.values()), type({}.items()))
_SEVERAL = (list, tuple, set, frozenset, deque, *_VIEWS)


class Stranger:
    """A stand-in for an object of unknown type, such as an iterator; equal to nothing."""

    def __init__(self, kind: type):
        self._name = kind.__name__

    def __repr__(self) -> str:
        return f"<{self._name}>"

    def __iter__(self):
        raise TypeError(f"{self!r} instead of values: put list(...) around it")


def plain(answer: object, depth: int = DEEP) -> object:
    """Return `answer` in Python's own types and NumPy arrays; subclasses become their base types.

    Tensors become arrays, arrays without axes numbers, mappings dicts, what a generator yields a
    list, and objects of unknown type a `Stranger`.
    """
    kind = type(answer)
    if kind in _OWN or kind is Stranger:
        return answer
    if depth == 0:
        return Stranger(kind)
    torch = sys.modules.get("torch")  # not imported here, because toy lessons do not need it
    if torch and kind in (torch.Tensor, torch.nn.Parameter):
        answer = answer.detach().cpu()
        answer = (answer.double() if answer.is_floating_point() else answer).numpy()
    if issubclass(type(answer), np.ndarray):
        array = np.ndarray.view(answer, np.ndarray)
        if array.ndim == 0 or array.dtype.kind == "O":
            return plain(array.tolist(), depth - 1)
        return array if array.dtype.kind in "biufU" else Stranger(kind)
    if issubclass(kind, np.generic):
        return plain(np.generic.item(answer), depth - 1)
    if issubclass(kind, Fraction | Decimal):
        return float(answer)
    for base, value in _VALUE.items():
        if issubclass(kind, base):
            return value(answer)
    for base in _SEVERAL:
        if issubclass(kind, base):
            entries = [plain(x, depth - 1) for x in islice(base.__iter__(answer), LONG + 1)]
            whole = entries if base in _VIEWS else base(entries)
            return whole if len(entries) <= LONG else Stranger(kind)
    if issubclass(kind, Mapping):
        pairs = dict.items(answer) if issubclass(kind, dict) else answer.items()
        entries = [[plain(x, depth - 1) for x in pair] for pair in islice(pairs, LONG + 1)]
        return dict(entries) if len(entries) <= LONG else Stranger(kind)
    return Stranger(kind)
