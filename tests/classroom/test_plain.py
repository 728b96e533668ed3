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
from course_utils.lessons.acceptance_rule import checks as lesson_03
from course_utils.lessons.character_simulator import checks as lesson_01
from course_utils.lessons.decoding_with_a_cache import checks as lesson_05
from course_utils.lessons.decoding_with_a_cache.attention import by_hand
from course_utils.lessons.decoding_with_a_cache.checks import (
    TENSORS,
    check_tensor_shapes,
)
from course_utils.lessons.exact_proof.checks import SPECIMENS, check_specimens
from course_utils.lessons.speedup_theory import checks as speedup_theory
from course_utils.lessons.speedup_theory.planner import plan
from course_utils.lessons.start_here import checks as lesson_00
from tests import hostile

shapes = check_tensor_shapes.right
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


def powers(alpha, gamma):
    return sum(alpha**i for i in range(gamma + 1))


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (lesson_01.check_tokens_per_round, lambda a, g: torch.tensor(powers(a, g)).double()),
        (lesson_01.check_tokens_per_round, lambda a, g: powers(Fraction(a), g)),
        (lesson_00.check_token_kinds, lambda d, a: deque(kinds(d, a))),
        (lesson_03.check_shared_and_residual, lambda p, q: [torch.tensor(x) for x in both(p, q)]),
        (lesson_03.check_shared_and_residual, lambda p, q: Pair(*both(p, q))),
        (lesson_05.check_attention, lambda *case: by_hand(*case).double().numpy()),
        (check_tensor_shapes, lambda *case: MappingProxyType(shapes(*case))),
    ],
)
def test_right_answers_of_other_types_pass(check, answer):
    assert check(answer).status == "passed"


def kinds(drafted, accepted):
    return ["accepted"] * accepted + ["bonus" if accepted == drafted else "correction"]


def both(p, q):
    excess = (p - q).clip(min=0)
    return np.minimum(p, q).sum(), excess / excess.sum() if excess.any() else p


@pytest.mark.parametrize("answer", ["4", 4.1, [4], np.array([4])])
def test_a_whole_number_is_not_made_of_what_is_none(answer):
    feedback = speedup_theory.check_planner(lambda *costs: plan(*costs) | {"best": answer})
    assert feedback.status == "wrong"
    assert f"not {answer!r}" in feedback.message


def test_the_specimens_are_looked_through_too():
    assert check_specimens(MappingProxyType(SPECIMENS)).status == "passed"
    for lie in (ANY, hostile.DictThatAgrees(A=ANY), dict.fromkeys(SPECIMENS, ANY)):
        assert check_specimens(lie).status == "wrong"
    assert check_specimens(dict.fromkeys(TENSORS, ...)).status == "not attempted"
