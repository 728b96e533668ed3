"""The stage's times of a pass are Python's."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.decoding import roofline
from tests.stage.node import called

SIZES = st.floats(1, 1e15)
COUNTS = st.integers(1, 100_000)
CASES = st.lists(st.tuples(SIZES, SIZES, SIZES, COUNTS, SIZES), min_size=20, max_size=20)


def turning_point(size, bandwidth, parameters, operations):
    return roofline.memory_time(size, bandwidth) / roofline.arithmetic_time(
        parameters, 1, operations
    )


PAIRS = {
    "memoryTime": (roofline.memory_time, (0, 1)),
    "arithmeticTime": (roofline.arithmetic_time, (2, 3, 4)),
    "passTime": (roofline.pass_time, (0, 1, 2, 3, 4)),
    "turningPoint": (turning_point, (0, 1, 2, 4)),
}


@pytest.mark.parametrize("name", PAIRS)
@settings(max_examples=5, deadline=None)
@given(CASES)
def test_a_formula_is_pythons(name, cases):
    function, places = PAIRS[name]
    given = [[case[place] for place in places] for case in cases]
    found = called("formulas/costs.mjs", name, given)
    assert found == pytest.approx([function(*case) for case in given], rel=1e-12, abs=0)
