"""Answers are taken apart: right ones of many types pass, and what lies is seen through."""

from collections import OrderedDict, UserDict, deque, namedtuple
from enum import IntEnum
from fractions import Fraction
from types import MappingProxyType
from unittest.mock import ANY

import numpy as np
import pytest
import torch

from course_utils.classroom.plain import Stranger, Unread, plain
from course_utils.decoding.contracts import Draft
from tests import hostile

Pair = namedtuple("Pair", "text calls")


class Lesson(IntEnum):
    FIRST = 1


@pytest.mark.parametrize(
    ("answer", "taken"),
    [
        (np.float64(0.5), 0.5),
        (np.float32(0.5), 0.5),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
        (np.array(0.5), 0.5),
        (np.array([1, "a"], object), [1, "a"]),
        (torch.tensor(0.5), 0.5),
        (torch.tensor(True), True),
        (torch.nn.Parameter(torch.tensor(0.5)), 0.5),
        (torch.Size((1, 2)), (1, 2)),
        (Fraction(1, 2), 0.5),
        (Lesson.FIRST, 1),
        (Pair("a", 1), ("a", 1)),
        (range(3), [0, 1, 2]),
        ({"a": 1}.keys(), ["a"]),
        (deque([1]), deque([1])),
        ({np.int64(1)}, {1}),
        (OrderedDict(a=np.int64(1)), {"a": 1}),
        (UserDict(a=1), {"a": 1}),
        (MappingProxyType({"a": 1}), {"a": 1}),
        (Draft((np.int64(1),), None), Draft((1,), None)),
        (hostile.FloatThatAgrees(0.5), 0.5),
        (hostile.IntThatAgrees(3), 3),
        (hostile.TextThatAgrees("a"), "a"),
        (hostile.TupleThatAgrees((1, 2)), (1, 2)),
        (None, None),
        (..., ...),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_an_answer_is_made_of(answer, taken):
    got = plain(answer)
    assert (type(got), repr(got)) == (type(taken), repr(taken))


@pytest.mark.parametrize(
    "answer",
    [
        np.arange(3),
        torch.arange(3),
        torch.arange(3).to(torch.bfloat16),
        np.arange(3).view(hostile.ArrayThatAgrees),
    ],
    ids=["array", "tensor", "bfloat16", "array that agrees"],
)
def test_arrays_stay_arrays(answer):
    got = plain(answer)
    assert type(got) is np.ndarray
    assert got.tolist() == [0, 1, 2]


def test_what_nobody_knows_is_a_stranger_and_iterators_are_not_read():
    assert type(plain(ANY)) is Stranger
    assert plain(ANY) != plain(ANY)
    given = iter([1])
    assert type(plain(given)) is Unread
    assert list(given) == [1]
    inside = plain(hostile.nested())
    while isinstance(inside, list):
        (inside,) = inside
    assert type(inside) is Stranger
