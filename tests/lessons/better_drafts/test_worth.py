"""The drafters' table: who is in it, what the figures are of, and the map's lines."""

from dataclasses import replace

import numpy as np
import pytest

from course_utils.decoding.contracts import Round, Seconds, Verdict
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.theory import optimal_gamma
from course_utils.lessons.better_drafts import worth, worth_figures
from course_utils.measuring.speedups import possible
from course_utils.models.pairs import PAIRS, load_pair
from course_utils.models.prompts import held_out_prompts
from course_utils.training.ladder import Rung


@pytest.fixture(scope="module")
def pair():
    return load_pair("tiny", dtype="float32")


@pytest.fixture(scope="module")
def found(pair):
    """Some of the ways, with the bytes that they add; the notebook tries all of them."""
    readable = load_pair(PAIRS["tiny"][1], dtype="float32", form="readable").target
    prompts = [pair.encode(text) for text in held_out_prompts("code")[:2]]
    tried = worth.ways(pair, readable, pair.draft, Sampling(), layers=2)
    assert 0 < tried["draft in int8"].added < 0.5 * tried["draft model"].added
    assert tried["first 2 layers"].added == tried["lookup"].added == 0
    some = {
        name: tried[name] for name in (worth.ALONE, "draft model", "the target itself", "lookup")
    }
    return {w.name: w for w in worth.compared(some, prompts[:1], prompts[1:], Sampling(), 3, 12)}


def test_every_draft_but_none_is_in_the_table_and_the_best_stands_first(found):
    assert list(found) == ["draft model", "the target itself", "lookup"]
    assert found["the target itself"].alpha == pytest.approx(1, abs=0.01)
    assert found["the target itself"].tokens_per_round > 3
    for w in found.values():
        assert 1 <= w.tokens_per_round <= 4
        assert w.measured > 0 < w.predicted
        assert w.alpha is None or 0 <= w.alpha <= 1
    rows = worth_figures.as_rows(list(found.values()))
    speeds = [float(row["measured"].rstrip("x !")) for row in rows]
    assert len(rows) == len(found)
    assert speeds == sorted(speeds, reverse=True)


def test_a_speedup_above_the_tokens_of_its_own_texts_is_marked(found):
    lookup = replace(found["lookup"], predicted=1.54, tokens_per_round=1.30, timed_tokens=1.6)
    (row,) = worth_figures.as_rows([replace(lookup, measured=1.55)])
    assert (row["predicted"], row["measured"]) == ("1.54x !", "1.55x")


def test_a_machine_that_slows_down_between_the_prompts_promises_no_more(monkeypatch):
    order = []

    def rounds(target, prompt, drafter, **_):
        slow = 10.0 if prompt == ["timed"] else 1.0
        drafted, emitted = (1, 2)[: 1 if drafter else 0], (1, 2)[: 2 if drafter else 1]
        verdict = Verdict(len(drafted), emitted[-1])
        for i in range(3):
            order.append((prompt[0], i, drafter))
            drafting = 0.2 * slow if i else 100.0  # in the first round it reads the prompt
            took = Seconds(drafting * len(drafted), 1.0 * slow, 0.0)
            yield Round(i, 1, drafted, np.ones((2, 3)), None, (), verdict, emitted, 1, 1, took)

    monkeypatch.setattr(worth, "generate", rounds)
    tried = {
        worth.ALONE: worth.Way(None, lambda: None),
        "model": worth.Way(None, lambda: "a draft"),
    }
    (found,) = worth.compared(tried, [["known"]], [["timed"]], Sampling(), 1, 3)
    assert found.predicted == pytest.approx(2 / 1.2)  # a clock of two moments said 16.7
    assert found.c == pytest.approx(0.2)
    assert possible(found.predicted, found.tokens_per_round)
    assert order[:4] == [("known", i, who) for i in (0, 1) for who in (None, "a draft")]


def test_the_lines_are_the_theory_where_rows_cost_nothing():
    for alpha, c in ((0.3, 0.05), (0.7, 0.1), (0.9, 0.3)):
        assert worth.best_gain(alpha, c, 0.0) == pytest.approx(optimal_gamma(alpha, c, 16)[1])
        assert worth.best_gain(alpha, c, 0.05) < worth.best_gain(alpha, c, 0.0)


def test_a_rung_costs_what_its_shape_takes(pair):
    config = pair.target.config
    own = Rung(config.num_hidden_layers, config.hidden_size, 0, 1.0, 1.0)
    costs = worth.rung_costs([Rung(1, 64, 0, 0.5, 4.0), own], pair.target, seconds=0.02)
    assert 0 < costs[0] < costs[1]
