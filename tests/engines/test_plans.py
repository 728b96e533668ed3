"""Plans: K by load from tests whose costs are known, from sizes, and what cannot be planned."""

from dataclasses import replace

import pytest

from course_utils.decoding.theory import expected_tokens
from course_utils.engines.accelerators import ACCELERATORS, MODELS
from course_utils.engines.calculator import best_k, off_from, roofline
from course_utils.engines.load_tests import LoadTest
from course_utils.engines.plans import (
    acceptance,
    from_load_tests,
    from_sizes,
    schedule,
    switch_off,
)
from course_utils.engines.published import EAGLE_3, CostLine

LINES = {1: CostLine(1.1, 0.1), 8: CostLine(1.2, 0.3), 32: CostLine(1.5, 0.8)}
COSTS = roofline(ACCELERATORS["H200"], MODELS["Qwen3-4B"], MODELS["Qwen3-0.6B"], context=512)


def run_of(clients, k, alpha=0.7, plain=0.01):
    tokens = expected_tokens(alpha, k)
    seconds = plain / LINES[clients].speedup(k, tokens) if k else plain
    return LoadTest(f"K = {k}", clients, k, tokens, seconds, clients / seconds)


TESTS = [run_of(n, k) for n in LINES for k in (0, 2, 4, 6)]


def test_costs_that_made_the_tests_are_found_again():
    plan = from_load_tests(TESTS[::-1])
    assert [one.clients for one in plan] == [1, 8, 32]
    for one in plan:
        line = LINES[one.clients]
        assert (one.line.a, one.line.c) == pytest.approx((line.a, line.c))
        assert one.alpha == pytest.approx(0.7)
        assert one.missed == pytest.approx(0, abs=1e-12)
        gains, raised = (
            {0: 1.0} | {k: line.speedup(k, expected_tokens(a, k)) for k in range(2, 7)}
            for a in (0.7, 0.75)
        )
        assert one.line_k == max(gains, key=gains.get)
        gain = max(raised.values()) / max(gains.values())
        assert one.better == pytest.approx(one.speedup * gain)
        measured = {k: gains[k] for k in (0, 2, 4, 6)}
        assert one.k == max(measured, key=measured.get)
        assert one.speedup == pytest.approx(measured[one.k])
    assert [one.k for one in plan] == [4, 2, 0]
    assert schedule(plan) == [[1, 1, 4], [2, 8, 2], [9, 32, 0]]


def test_a_published_table_is_planned_as_it_was():
    """K = 4, of vLLM #20780; its line misses a K that it has not seen by 3.8 % at most."""
    pairs = zip(EAGLE_3.lengths, EAGLE_3.tokens, EAGLE_3.times, strict=True)
    tests = [LoadTest(f"{k}", 1, k, tokens, ms / 1e3, 1e3 / ms) for k, tokens, ms in pairs]
    (one,) = from_load_tests([LoadTest("0", 1, 0, 1.0, EAGLE_3.plain / 1e3, 141.0), *tests])
    assert one.k == EAGLE_3.best == 4
    assert one.missed == pytest.approx(0.038, abs=5e-4)


def test_two_lengths_have_a_line_and_no_hold_out_and_one_has_neither():
    (two,) = from_load_tests([run_of(8, k) for k in (0, 2, 4)])
    assert two.line is not None
    assert two.missed is None
    (one,) = from_load_tests([run_of(8, k) for k in (0, 2)])
    assert (one.line, one.missed, one.line_k, one.better) == (None,) * 4


def test_nothing_follows_from_a_line_that_misses():
    tests = [run_of(8, k) for k in (0, 2, 4, 6)]
    tests[2] = replace(tests[2], seconds=1.5 * tests[2].seconds)
    (one,) = from_load_tests(tests)
    assert one.missed > 0.1
    assert (one.line_k, one.better) == (None, None)


def test_sizes_are_planned_as_the_calculator_computes_them():
    plan = from_sizes(COSTS, 0.8, (128, 1, 10**6))
    assert [one.clients for one in plan] == [1, 128]
    assert [one.k for one in plan] == [best_k(COSTS, n, 0.8) for n in (1, 128)]
    assert all(one.better > one.speedup >= 1 for one in plan)
    off = switch_off(COSTS, 0.3)
    assert (best_k(COSTS, off - 1, 0.3) > 0, best_k(COSTS, off, 0.3)) == (True, 0)
    assert off == off_from(COSTS, 0.3, 1)


def test_equal_neighbours_share_a_range():
    plan = from_sizes(COSTS, 0.3, (1, 2, 256, 500))
    assert schedule(plan) == [[1, 2, plan[0].k], [3, 500, 0]]


@pytest.mark.parametrize("alpha", [0.0, 0.4, 1.0])
def test_the_acceptance_of_rounds_is_found_again(alpha):
    tokens = {k: expected_tokens(alpha, k) for k in (1, 3, 8)}
    assert acceptance(tokens) == pytest.approx(alpha, abs=1e-9)


@pytest.mark.parametrize(
    ("tests", "said"),
    [
        ([], "no load test"),
        ([run_of(8, 2)], "with 8 clients there are tests with a draft and none with K = 0"),
        ([run_of(8, 0)], "none with a draft"),
        ([run_of(8, 0), run_of(8, 0)], "are both K = 0 with 8 clients"),
    ],
)
def test_a_speedup_needs_both(tests, said):
    with pytest.raises(ValueError, match=said):
        from_load_tests(tests)


def test_loads_without_room_are_refused():
    with pytest.raises(ValueError, match="room for 512 requests"):
        from_sizes(COSTS, 0.8, (1000,))
