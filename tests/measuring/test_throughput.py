"""The rows of `bench --batches`: what is predicted from what, and what is counted.  No clock."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from course_utils.decoding.batch_theory import continuous_turns, rounds_to, static_turns
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.measuring.batches import run_full
from course_utils.measuring.clocked import ClockedBatch
from course_utils.models.batched import Batched
from course_utils.models.qwen3 import Qwen3
from course_utils.models.separately import Separately
from tests.conftest import random_qwen3
from workshop.bench.pages import batches_page
from workshop.bench.throughput import (
    BatchCosts,
    BatchRow,
    Extent,
    batch_costs,
    best_by_batch,
    copied_bytes,
    counts,
    host_seconds,
    measure_batches,
    pass_seconds,
    round_lengths,
    summary,
    taken,
    turns,
)
from workshop.commands import bench as bench_command

TINY = Extent(3, 8, 2, 2, (1, 2), (0, 1, 3))
# one pass takes 1 s, a row more and a guess more 0.5 s each; a step of the draft 0.1 s
COSTS = BatchCosts(
    {(b, g): 0.5 + 0.5 * b * (g + 1) for b in (1, 2) for g in (0, 1, 3)},
    {(b, g): 0.1 for b in (1, 2) for g in (0, 1, 3)},
    {(b, g): 0.2 * b for b in (1, 2) for g in (0, 1, 3)},
    [0.5, 0.5, None],
    0.5,
)
PROMPTS = [[i, i + 1, i + 2] for i in range(1, 9)]


@pytest.fixture(scope="module")
def models():
    return [Batched(Qwen3.from_transformers(random_qwen3(seed=s, layers=1))) for s in (0, 1)]


def test_a_prediction_is_tokens_over_the_time_of_a_turn():
    assert COSTS.tokens_per_second(1, 0) == pytest.approx(1 / (1 + 0.2))
    assert COSTS.tokens_per_second(2, 0, host=False) == pytest.approx(2 / 1.5)
    # 1 + .5 + .25 tokens a row; three steps of the draft, a pass over eight tokens, two rows
    assert COSTS.tokens_per_second(2, 3) == pytest.approx(2 * 1.75 / (0.3 + 4.5 + 0.4))


@pytest.fixture
def clock(monkeypatch):
    """A clock that a pass of the target moves by 4, one of the draft by 1, and nothing else."""
    now = [0.0]
    monkeypatch.setattr("course_utils.decoding.clock.perf_counter", lambda: now[0])

    def ticking(model, seconds, reading=0.0):
        class Session:
            def __init__(self, slots):
                self._session, self.slots = model.start_batch(slots), slots

            def start(self, slot, prompt):
                now[0] += reading
                return self._session.start(slot, prompt)

            def extend(self, tokens):
                now[0] += seconds
                return self._session.extend(tokens)

        return SimpleNamespace(
            vocabulary_size=model.vocabulary_size, context=model.context, start_batch=Session,
            start=model.start,
        )  # fmt: skip

    return ticking


def test_speeds_are_tokens_over_passes_where_nothing_else_takes_time(tables, clock):
    """Neither model's reading of prompts counts; the host takes no time on this clock."""
    target, draft = (
        clock(Separately(tables[0]), 4.0, 100.0),
        clock(Separately(tables[1]), 1.0, 1000.0),
    )
    rows = measure_batches(target, draft, [[1], [2], [3]], Sampling(), COSTS, TINY)
    assert [(row.batch, row.gamma) for row in rows] == [(b, g) for b in (1, 2) for g in (0, 1, 3)]
    plain = {row.batch: row for row in rows if row.gamma == 0}
    assert plain[1].tokens_per_second == pytest.approx(1 / 4)
    assert plain[2].tokens_per_second == pytest.approx(2 / 4)
    assert all(row.tokens_per_round == 1 for row in plain.values())
    one = next(row for row in rows if (row.batch, row.gamma) == (1, 1))
    assert 1 / 5 < one.tokens_per_second <= 2 / 5
    assert one.predicted == COSTS.tokens_per_second(1, 1)
    passes = pass_seconds(target, draft, [1, 2], TINY)
    assert passes == {(b, g): (1.0 if g else 0.0, 4.0) for b in (1, 2) for g in (0, 1, 3)}
    args = [[1], [2], [3]], Sampling(), 2, 3, TINY
    assert host_seconds(target, draft, *args) == pytest.approx(0, abs=1e-9)


def test_only_turns_with_a_text_in_every_slot_count(tables):
    target, draft = map(Separately, tables)
    prompts, drafter = [[1], [2], [3], [0], [1]], BatchSampled(draft)
    run = run_full(target, prompts, drafter, slots=2, gamma=3, max_new_tokens=10)
    assert 4 * 10 <= run.tokens < 5 * 10  # the fourth text that ends leaves a slot empty
    assert run.rounds % 2 == 0  # the last turn, too, is whole: its passes are paid for both
    plain = run_full(target, prompts[:2], slots=2, max_new_tokens=10)
    assert plain.tokens == 2 * 10
    with pytest.raises(ValueError, match="1 prompts do not fill 2 slots"):
        run_full(target, [[1]], slots=2)


def test_a_clocked_batch_says_what_the_batch_says(models):
    run = dict(slots=2, gamma=3, sampling=GREEDY, max_new_tokens=6)
    clocks = [ClockedBatch(model) for model in models]
    alone = run_full(models[0], PROMPTS, BatchSampled(models[1], GREEDY), **run)
    timed = run_full(clocks[0], PROMPTS, BatchSampled(clocks[1], GREEDY), **run)
    assert (alone.tokens, alone.rounds) == (timed.tokens, timed.rounds)
    assert all(clock.seconds > 0 < clock.prompt_seconds for clock in clocks)


def test_costs_have_all_that_a_prediction_asks_for(models):
    costs = batch_costs(*models, PROMPTS, Sampling(), TINY)
    assert set(costs.verify) == set(costs.host) == {(b, g) for b in (1, 2) for g in (0, 1, 3)}
    assert all(costs.tokens_per_second(*setting) > 0 for setting in costs.verify)
    assert len(costs.rates) == 3


def test_each_turn_begins_with_another_prompt():
    assert taken([[0], [1], [2]], 0, 5) == [[0], [1], [2], [0], [1]]
    assert taken([[i] for i in range(16)], 1, 2) == [[5], [6]]


def row(batch, gamma, speed, predicted):
    return BatchRow(batch, gamma, speed, 0.0, 1.0, predicted, predicted, 1.0)


ROWS = [row(1, 0, 10, 10), row(1, 2, 15, 20), row(4, 0, 30, 30), row(4, 2, 29, 33)]


def test_the_best_gamma_and_where_it_stops_paying():
    assert {b: (x.gamma, y.gamma) for b, (x, y) in best_by_batch(ROWS).items()} == {
        1: (2, 2),
        4: (0, 2),
    }
    found = summary(ROWS, replace(COSTS, verify={}))
    assert found["stops_paying"] == {"measured": 4, "predicted": None}
    assert found["largest_error"] == pytest.approx(1 / 3)


def test_what_layouts_copy(models):
    unlike = [prompt * (1 + i % 3) for i, prompt in enumerate(PROMPTS[:4])]
    rows = {row["layout"]: row for row in copied_bytes(*models, unlike, GREEDY, 3, 8)}
    assert all(row["same_texts"] for row in rows.values())
    assert (
        rows["addressed"]["bytes_copied_per_pass"] == 0 == rows["padded"]["bytes_copied_per_pass"]
    )
    assert rows["realigned"]["bytes_copied_per_pass"] > 0
    assert 0 < rows["padded"]["held"] < 1


def test_turns_are_those_of_the_rounds_that_were_run(tables):
    assert [rounds_to([2, 3, 1], n) for n in (1, 2, 3, 5, 6)] == [1, 1, 2, 2, 3]
    target, draft = map(Separately, tables)
    emitted, alpha = round_lengths(target, draft, [[1], [2], [3], [0]], Sampling(), 3, 20)
    assert all(sum(text) == 20 for text in emitted)
    assert 0 < alpha < 1
    (found,) = turns(emitted, alpha, 3, (4, 8), {"all 20": [20]}, shuffles=1)
    rounds = [len(text) for text in emitted]
    assert found["static"] == static_turns(rounds, 4) == max(rounds)
    assert found["continuous"] == continuous_turns(rounds, 4)
    assert found["batch"] == 4  # four texts fill no eight slots


def test_a_page_says_what_is_missing_and_marks_the_best(models):
    report = {
        "machine": {"processor": "a processor", "threads": 1, "torch": "2"},
        "new_tokens": 8, "turns": 2, "seconds": 60.0, "missing": ["T=1 float32"],
        "settings": [{"temperature": 0.0, "dtype": "float32"} | summary(ROWS, COSTS)],
        **counts(*models, PROMPTS, quick=True),
    }  # fmt: skip
    page = batches_page(report)
    assert "T=0 float32" in page
    assert "not measured: T=1 float32" in page
    assert [line.split()[-1] for line in page.splitlines() if line.split()[:1] == ["4"]] == [
        "*",
        ">",
    ]
    assert "speculation stops paying at a batch of 4; predicted: none of these" in page
    assert "OTHERS" not in page


def test_the_command_writes_a_report_after_each_setting(monkeypatch, capsys, tmp_path, models):
    pair = SimpleNamespace(
        target=models[0].model, draft=models[1].model, encode=lambda text: [len(text) % 90, 1, 2]
    )
    monkeypatch.setattr("workshop.bench.throughput.load_pair", lambda *_, **__: pair)
    monkeypatch.setattr("workshop.bench.throughput.QUICK", TINY)
    out = tmp_path / "batches.json"
    how = ["--batches", "--quick", "--temperatures", "0", "--dtypes", "float32", "--threads", "1"]
    assert bench_command.main([*how, "--out", str(out)]) == 0
    assert '"missing": []' in out.read_text()
    assert "continuous" in capsys.readouterr().out
