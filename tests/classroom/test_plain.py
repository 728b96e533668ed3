"""Answers of many types become plain values, and objects that lie are exposed."""

from collections import UserDict, namedtuple
from fractions import Fraction
from unittest.mock import ANY

import numpy as np
import pytest
import torch

from course_utils.classroom.plain import Stranger, plain
from tests import hostile

Pair = namedtuple("Pair", "text calls")


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (np.float32(0.5), 0.5),
        (np.array([1, "a"], object), [1, "a"]),
        (torch.nn.Parameter(torch.tensor(0.5)), 0.5),
        (torch.arange(3).to(torch.bfloat16), np.arange(3.0)),
        (Fraction(1, 2), 0.5),
        (Pair("a", 1), ("a", 1)),
        (range(3), [0, 1, 2]),
        ((x for x in [1]), [1]),
        ({np.int64(1)}, {1}),
        (UserDict(a=1), {"a": 1}),
        (hostile.FloatThatAgrees(0.5), 0.5),
        (hostile.IntThatAgrees(3), 3),
        (hostile.TextThatAgrees("a"), "a"),
        (np.arange(3).view(hostile.ArrayThatAgrees), np.arange(3)),
    ],
    ids=lambda one: type(one).__name__,
)
def test_the_plain_value_of_an_answer(answer, value):
    result = plain(answer)
    assert (type(result), repr(result)) == (type(value), repr(value))


def test_an_unknown_type_is_a_stranger_and_iterators_are_not_read():
    assert type(plain(ANY)) is Stranger
    assert plain(ANY) != plain(ANY)
    assert repr(plain(plain(iter(())))) == "<tuple_iterator>"  # a check may do it twice
    iterator = iter([1])
    with pytest.raises(TypeError, match=r"put list\(...\) around it"):
        list(plain(iterator))
    assert list(iterator) == [1]
