"""What lesson 11 shows, on tables and small models: own parts, loads, gains."""

import numpy as np
import pytest

from course_utils.decoding.batch import generate_batch
from course_utils.decoding.batch_theory import throughput
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.lessons.batched_speculation import (
    checks,
    enumerated,
    figures,
    loads,
)
from course_utils.lessons.batched_speculation.own_batch import OwnBatch
from course_utils.models.qwen3.batched import Batched
from course_utils.models.qwen3.onnx import FORMS
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.toys.separately import Separately
from course_utils.proofs.batch_invariance import compare_rows
from tests.conftest import random_qwen3

PROMPTS = [
    np.random.default_rng(length).integers(97, size=length).tolist() for length in (9, 1, 40, 17, 2)
]


def two_models():
    return [Qwen3.from_transformers(random_qwen3(layers=n, context=128)) for n in (2, 1)]


@pytest.fixture(scope="module")
def readable():
    return two_models()


def differing(models, sampling=GREEDY, **parts):
    own = {
        "place": checks.rows_placed,
        "see": checks.seen_columns,
        "commit": checks.committed_lengths,
    }
    target = OwnBatch(models[0], *(own | parts).values(), 96)
    draft = Batched(models[1], 96)
    return compare_rows(
        target, draft, PROMPTS, slots=3, gamma=3, max_new_tokens=10, sampling=sampling
    )


@pytest.mark.parametrize("form", FORMS)
def test_the_parts_of_exercise_1_make_a_batch_that_is_right(form):
    assert differing([FORMS[form](model) for model in two_models()], Sampling()) == []


def counted_on_in_place(lengths, counts):
    """Right rows and positions, by lists that are used up."""
    rows, positions = [], []
    for row in range(len(lengths)):
        while counts[row]:
            rows.append(row)
            positions.append(lengths[row])
            lengths[row], counts[row] = lengths[row] + 1, counts[row] - 1
    return rows, positions


def test_a_part_that_counts_on_in_its_lists_is_right_all_the_same():
    assert differing(two_models(), Sampling(), place=counted_on_in_place) == []


def last_token_forgotten(lengths, accepted, ended):
    return [n + some for n, some in zip(lengths, accepted, strict=True)]


def stale_columns_seen(lengths, counts):
    return checks.seen_columns([max(lengths)] * len(lengths), counts)


WRONG = [
    ("commit", lambda lengths, accepted, ended: [n + 4 for n in lengths]),  # rejected counted
    ("commit", last_token_forgotten),
    ("see", stale_columns_seen),
]


@pytest.mark.parametrize(("part", "wrong"), WRONG)
def test_wrong_parts_are_found_out(readable, part, wrong):
    """In a row's text, in what it accepted, or as an error."""
    assert differing(readable, **{part: wrong})


def test_a_turn_holds_a_round_of_each_row_in_work(tables):
    target, draft = map(Separately, tables)
    prompts = [[1], [2, 3], [0, 0, 1], [3], [2, 2], [1, 1]]
    for slots in (1, 2, 4, 9):
        run = generate_batch(
            target, prompts, BatchSampled(draft), slots=slots, stop_tokens=(0,), max_new_tokens=20
        )
        left, found = len(prompts), [*loads.turns(run, slots, len(prompts))]
        for turn in found:
            rows = [row for row, _ in turn]
            assert len(rows) == len(set(rows)) == min(slots, left)
            left -= sum(done.stop_reason is not None for _, done in turn)
        assert left == 0


def test_a_pass_of_more_tokens_costs_no_less():
    taken = {(1, 1): 2.0, (1, 3): 1.9, (1, 5): 2.4, (4, 1): 3.0, (4, 3): 6.0}
    alone, four = (loads.pass_cost(taken, rows, one=2.0) for rows in (1, 4))
    assert [alone(k) for k in (1, 2, 3, 5)] == pytest.approx([1, 1, 1, 1.2])
    assert [four(k) for k in (4, 8, 12)] == pytest.approx([1.5, 2.25, 3])


def test_the_hosts_work_is_so_much_for_each_row_and_guess():
    taken = {(1, 0): 9.0, (4, 0): 2.0, (1, 2): 9.0, (4, 2): 6.0}
    cost = loads.host_cost(taken, one=2.0)
    assert [cost(4, 0), cost(4, 2), cost(2, 1)] == pytest.approx([1.0, 3.0, 1.0])


def test_an_instant_model_leaves_the_hosts_own_work():
    found = loads.host_times(50, [(1, 0), (4, 2)], Sampling(), repeats=1)
    assert set(found) == {(1, 0), (4, 2)}
    assert all(0 < seconds < 1 for seconds in found.values())
    model = loads.Instant(50)
    run = generate_batch(model, [[0]] * 3, BatchSampled(model), gamma=2, max_new_tokens=9)
    assert {done.accepted for _, done in run} == {2}  # its own draft is always right


def test_tokens_per_round_do_not_depend_on_the_batch(tables):
    target, draft = map(Separately, tables)
    found = [
        loads.tokens_per_round(target, draft, [[1], [2], [0, 1]], (0, 2, 3), Sampling(), 20, slots)
        for slots in (1, 2, 3)
    ]
    assert found[0] == found[1] == found[2]
    assert found[0][0] == 1
    assert 1 < found[0][2] <= 3


@pytest.mark.parametrize("alpha", [0.3, 0.8])
@pytest.mark.parametrize("gamma", [1, 3])
def test_a_missing_bonus_costs_alpha_to_the_gamma(alpha, gamma):
    (row,) = enumerated.without_bonus([(alpha, gamma)], checks.bonus_lost)
    assert row["with the bonus"] == pytest.approx(row["formula"], abs=1e-12)
    assert row["difference"] == pytest.approx(row["your number"], abs=1e-12)


@pytest.mark.parametrize("gamma", [0, 2, 4])
def test_the_rate_of_the_exercise_is_the_planners(gamma):
    def c(rows):
        return 0.1 * rows

    def v(tokens):
        return 1 + tokens / 20

    tokens = 1 + 0.7 * gamma
    for rows in (1, 8):
        by_course = throughput(tokens, gamma, rows, c, v, lambda n: 0.05 * n)
        found = checks.batch_rate(rows, gamma, tokens, c, v, lambda n, g: 0.05 * n)
        assert found == pytest.approx(by_course)


def test_gains_are_of_one_repeat_and_an_impossible_one_is_marked():
    """The machine was four times as slow in the third repeat: its own ratio is as good."""
    clock = {(1, 0): [1.0, 1.1, 4.0], (1, 4): [1.6, 1.6, 6.0]}
    clock |= {(8, 0): [3.0, 9.0, 9.0], (8, 4): [3.0, 2.0, 3.0]}
    found = loads.gains(clock, 4, 2.0)
    assert found == {1: pytest.approx((1.25, 4 / 3, 1.375)), 8: pytest.approx((2.0, 6.0, 9.0))}
    figure = figures.gains_by_rows({1: 1.3, 8: 1.0}, {1: 1.3, 8: 1.0}, found, 4, 2.0)
    assert "1 rows 1.33x, 8 rows 6.00x !. !: above the tokens per round" in figure.alt
