"""Measuring: the arithmetic exactly, the measurements by their invariants."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from course_utils.decoding.contracts import Seconds
from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.measuring import batches, costs, lookups, turns
from course_utils.measuring.costs import predictions_for
from course_utils.measuring.pass_clock import TimedModel, passes_in_turn
from course_utils.measuring.speedups import MEANING, caption, mark_impossible, speedup_cell
from course_utils.models.adapter import TransformersModel
from course_utils.models.qwen3.batched import Batched
from course_utils.models.qwen3.readable import Qwen3
from course_utils.theory.costs import Costs, best_prediction, predict
from course_utils.theory.speedup import expected_tokens, speedup_with_costs
from tests.conftest import random_llama, random_qwen3

COSTS = Costs([0.0, 1.0, 1.0, 1.0], [5.0, 5.5, 6.0, 6.5], host=0.5, host_per_draft=0.25)


def test_a_round_costs_its_parts():
    assert COSTS.c == 0.2
    assert COSTS.v == [1.0, 1.1, 1.2, 1.3]
    assert COSTS.round_seconds(0) == 5.5
    assert COSTS.round_seconds(2) == 2 * 1.0 + 6.0 + 0.5 + 2 * 0.25


def test_the_prediction_is_the_theorys_formula():
    predictions = predict(COSTS, [0.75] * 3)
    assert [p.gamma for p in predictions] == [1, 2, 3]
    # against a target that pays host time, too: times 1 + its own o
    o, plain = (0.5 + 3 * 0.25) / 5, 1 + 0.5 / 5
    expected = plain * speedup_with_costs(
        expected_tokens(0.75, 3), 3, COSTS.c, lambda k: COSTS.v[k - 1], o
    )
    assert predictions[2].speedup == pytest.approx(expected)
    assert best_prediction(predictions).speedup == max(p.speedup for p in predictions)
    assert best_prediction(predict(COSTS, [0.0] * 3)).gamma == 0  # as the planner of lesson 06


def test_positions_have_their_own_rates_and_those_never_reached_are_never_accepted():
    assert predict(COSTS, [0.8, 0.7, 0.6])[2].tokens_per_round == pytest.approx(
        1 + 0.8 + 0.56 + 0.336
    )
    assert predict(COSTS, [0.5, None, None])[2].tokens_per_round == 1.5


def test_the_clock_counts_passes_and_leaves_the_text_alone(tables):
    target, draft = tables
    clocks = TimedModel(target), TimedModel(draft)
    plain = list(generate(target, [0, 1], Sampled(draft), gamma=3, max_new_tokens=30, seed=2))
    rounds = list(
        generate(clocks[0], [0, 1], Sampled(clocks[1]), gamma=3, max_new_tokens=30, seed=2)
    )
    assert [r.emitted for r in rounds] == [r.emitted for r in plain]
    assert clocks[0].passes == len(rounds)
    assert clocks[1].passes == sum(len(r.drafted) for r in rounds)  # the prompt is read apart
    assert all(clock.seconds > 0 and clock.prompt_seconds > 0 for clock in clocks)
    reading = TimedModel(target)
    reading.start([]).extend([0, 1])  # the prompt, in a drafter's first pass
    assert (reading.passes, reading.seconds) == (0, 0)


def test_costs_are_of_a_step_of_the_draft_and_of_a_drafted_token(monkeypatch, tables):
    parts = Seconds(0, 5, 1), Seconds(2, 7, 2), Seconds(6, 6, 3)
    monkeypatch.setattr(costs, "_stretch", lambda models, text, gamma, *_: [parts[gamma]])
    measured = costs.round_costs(*tables, largest=2)
    assert measured == Costs([0, 2, 3], [5, 6, 6], host=1, host_per_draft=1)


def test_a_short_context_bounds_the_gammas():
    model = TransformersModel(random_llama(1, seed=0), context=6)
    predictions = predictions_for(model, None, PromptLookup(), [1, 2], GREEDY, seconds=0)
    assert [p.gamma for p in predictions] == [1, 2, 3, 4]
    short = TransformersModel(random_llama(1, seed=0), context=2)
    with pytest.raises(ValueError, match="fewer than three tokens"):
        predictions_for(short, None, PromptLookup(), [1], GREEDY)
    tight = TransformersModel(random_llama(1, seed=0), context=costs.LARGEST + 1)
    with pytest.raises(ValueError, match="has no room for"):
        costs.measured_cost(tight, None)


def test_every_way_continues_each_text_and_the_first_texts_are_apart():
    model, called = TransformersModel(random_llama(20, seed=0)), []

    def run(way, text, number):
        called.append((number, way))
        return generate(model, text, max_new_tokens=int(way), seed=number)

    runs = turns.rounds_in_turns("23", run, [[1], [2]], [[3]])
    assert called == [(number, way) for number in range(3) for way in "23"]
    assert {way: list(map(len, sides)) for way, sides in runs.items()} == {"2": [4, 2], "3": [6, 3]}
    rounds = [replace(r, seconds=Seconds(i, 2 * i, 4 * i)) for i, r in enumerate(runs["2"][0], 1)]
    assert (turns.part_seconds(rounds), turns.part_seconds(rounds, "draft")) == (7 * 1.75, 1.75)


def test_warm_ups_do_not_count_and_passes_are_taken_back():
    calls, model = [], TransformersModel(random_llama(1, seed=0), context=20)
    assert len(turns.seconds_in_turns({"step": calls.append}, 3)["step"]) == 3
    assert calls == [0, 1, 2, 3]
    session = model.start([1, 2])
    passes_in_turn({"model": session}, [3, 4], 1)
    assert session.length == 2


def test_a_speedup_above_the_tokens_per_round_is_marked_and_explained():
    cells = [speedup_cell(1.54, 1.30), speedup_cell(1.30, 1.30), speedup_cell(0.9, 1.30)]
    assert cells == ["1.54x !", "1.30x", "0.90x"]
    rows = [{"draft": "lookup", "predicted": cell} for cell in cells]
    assert caption("T = 1", rows) == f"T = 1. {MEANING}"
    assert caption("T = 1", rows[1:]) == "T = 1"
    marked = []
    axes = SimpleNamespace(annotate=lambda mark, place, *_, **__: marked.append(place))
    assert MEANING in mark_impossible(axes, {1: 1.8, 2: 2.5}, {1: 1.8, 2: 2.3})
    assert marked == [(2, 2.5)]


def test_passes_of_a_batch_are_timed_behind_the_same_text(monkeypatch):
    model, lengths = Batched(Qwen3.from_transformers(random_qwen3())), []
    start_batch = model.start_batch

    def watched(slots):
        session = start_batch(slots)
        extend = session.extend
        session.extend = lambda tokens: (lengths.append([*session.lengths]), extend(tokens))[1]
        return session

    model.start_batch = watched
    monkeypatch.setattr(batches, "now", iter([0, 1, 0, 5, 0, 4] * 2 + [0]).__next__)
    times = batches.pass_times(model, [1, 2, 3], [(1, 1), (4, 2)], repeats=2)
    assert times == {(1, 1): 4, (4, 2): 4}  # the first pass warms up
    assert lengths == [[3]] * 3 + [[3] * 4] * 3
    with pytest.raises(ValueError, match="do not fit"):
        batches.pass_times(model, [1] * 120, [(1, 10)])


def test_all_lookups_guess_after_the_same_ids():
    steps = lookups._proposers([7] * 200, 100)
    guessed = steps[lookups.AUTOMATON](0)
    assert steps[lookups.SEARCH](0).tokens == guessed.tokens == (7,) * lookups.GAMMA
    ids, _ = steps[lookups.THEIRS](1)
    assert ids.shape[1] == 100 + 2 * lookups.NEW + lookups.GAMMA
    with pytest.raises(ValueError, match="too few for length 100"):
        lookups.measured({"short": [1] * 100}, lengths=(100,), rounds=5)
