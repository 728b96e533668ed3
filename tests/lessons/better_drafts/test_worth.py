"""The drafters' table: who is in it, and what the figures are of."""

from dataclasses import replace

import numpy as np
import pytest

from course_utils.decoding.contracts import Round, Seconds, Verdict
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.theory import optimal_gamma
from course_utils.lessons.better_drafts import worth
from course_utils.measuring.exits import Known
from course_utils.measuring.speedups import possible
from course_utils.models.pairs import PAIRS, load_pair
from course_utils.models.prompts import held_out_prompts


@pytest.fixture(scope="module")
def pair():
    return load_pair("tiny", dtype="float32")


@pytest.fixture(scope="module")
def found(pair):
    """Some of the ways, with the bytes that they add; the notebook tries all of them."""
    readable = load_pair(PAIRS["tiny"][1], dtype="float32", form="readable").target
    prompts = [pair.encode(text) for text in held_out_prompts("code")[:2]]
    tried = worth.ways(pair, readable, {"mine": pair.draft}, Sampling(), layers=2)
    assert 0 < tried[worth.IN_INT8].added < 0.5 * tried[worth.PAIRS_OWN].added
    assert tried["mine"].added == tried[worth.PAIRS_OWN].added
    assert tried["first 2 layers"].added == tried["the target itself"].added == 0
    names = (worth.ALONE, worth.PAIRS_OWN, "first 2 layers", "the target itself")
    some = {name: tried[name] for name in names}
    return {w.name: w for w in worth.compared(some, prompts[:1], prompts[1:], Sampling(), 3, 12)}


def test_every_draft_but_none_is_in_the_table_and_the_best_stands_first(found):
    assert list(found) == [worth.PAIRS_OWN, "first 2 layers", "the target itself"]
    assert found["the target itself"].alpha == pytest.approx(1, abs=1e-4)
    assert found["the target itself"].tokens_per_round > 3
    for w in found.values():
        assert 1 <= w.tokens_per_round <= 4
        assert w.measured > 0 < w.c
        assert 0 <= w.alpha <= 1 + 1e-6
    assert found["first 2 layers"].alpha < found[worth.PAIRS_OWN].alpha
    rows = worth.as_rows(list(found.values()), per_row=0.05)
    speeds = [float(row["measured"].rstrip("x !")) for row in rows]
    assert len(rows) == len(found)
    assert speeds == sorted(speeds, reverse=True)


def test_a_speedup_above_the_tokens_of_its_own_texts_is_marked(found):
    exit_ = replace(found["first 2 layers"], tokens_per_round=1.30)
    written = [
        worth.as_rows([replace(exit_, measured=gain)], 0.05)[0]["measured"] for gain in (1.54, 1.25)
    ]
    assert written == ["1.54x !", "1.25x"]


def test_an_exit_is_asked_on_the_text_that_it_goes_on_from(pair):
    way = worth.ways(pair, load_pair(PAIRS["tiny"][1], dtype="float32", form="readable").target,
                     {}, Sampling(), layers=2)["first 2 layers"]  # fmt: skip
    text = pair.encode("import os")
    view = way.model.start(text)
    assert view.length == len(text)
    np.testing.assert_allclose(
        view.extend([5]), pair.target.start(text).first(2).extend([5]), rtol=1e-5, atol=1e-5
    )


def test_all_drafts_take_turns_and_the_first_round_of_a_text_is_left_out(monkeypatch):
    order = []

    def rounds(target, prompt, drafter, **_):
        drafted, emitted = (1, 2)[: 1 if drafter else 0], (1, 2)[: 2 if drafter else 1]
        verdict = Verdict(len(drafted), emitted[-1])
        for i in range(3):
            order.append((prompt[0], i, drafter))
            drafting = 0.2 if i else 100.0  # in the first round it reads the prompt
            took = Seconds(drafting * len(drafted), 1.0, 0.0)
            yield Round(i, 1, drafted, np.ones((2, 3)), None, (), verdict, emitted, 1, 1, took)

    monkeypatch.setattr(worth, "generate", rounds)
    costs = lambda models, target, text: dict.fromkeys(models, 0.2)  # noqa: E731
    monkeypatch.setattr(worth, "costs_in_a_round", costs)
    monkeypatch.setattr(worth, "known_by", lambda target, model, texts: Known(0.6, 0.5))
    tried = {
        worth.ALONE: worth.Way(None, lambda: None),
        "model": worth.Way(None, lambda: "a draft", "a model"),
    }
    (found,) = worth.compared(tried, [[1]], [["a"], ["b"]], Sampling(), 1, 3)
    assert found.measured == pytest.approx(2 / 1.2)  # with the first round it would be .08
    assert possible(found.measured, found.tokens_per_round)
    given = tried, [[1]], [["a"], ["b"]], Sampling(), 1, 3
    assert [w.c for timed in ({}, {"model": 0.7}) for w in worth.compared(*given, timed)] == [
        0.2, 0.7,
    ]  # fmt: skip
    assert order[:4] == [("a", i, who) for i in (0, 1) for who in (None, "a draft")]


def test_the_lines_are_the_theory_where_rows_cost_nothing():
    for alpha, c in ((0.3, 0.05), (0.7, 0.1), (0.9, 0.3)):
        assert worth.best_gain(alpha, c, 0.0) == pytest.approx(optimal_gamma(alpha, c, 16)[1])
        assert worth.best_gain(alpha, c, 0.05) < worth.best_gain(alpha, c, 0.0)


def test_on_a_gpu_c_is_the_share_of_the_bytes():
    """Of Qwen3-8B a pass reads the logits' matrix but not the embedding."""
    rows = worth.on_a_gpu(0.7)
    assert [row["c"] for row in rows] == pytest.approx([0.0787 / 2**i for i in range(3)], rel=0.01)
    gains = [float(row["speedup"].rstrip("x")) for row in rows]
    assert gains == sorted(gains)
    assert gains[0] == pytest.approx(optimal_gamma(0.7, rows[0]["c"])[1], abs=0.005)
