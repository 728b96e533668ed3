"""What is measured of a target's first layers, and of an adapter behind them."""

import numpy as np
import pytest
import torch

from course_utils.measuring import exits
from course_utils.measuring.exits import (
    Times,
    best,
    costs_in_a_round,
    first_layers,
    known,
    known_by,
    known_by_layer,
)
from course_utils.models.qwen3 import Qwen3
from tests.conftest import random_qwen3
from workshop.training.exit_adapter import Adapter, exit_head, states_of, trained

TEXTS = [list(range(3, 40)), list(range(60, 90))]


@pytest.fixture(scope="module")
def target():
    return Qwen3.from_transformers(random_qwen3(3))


def test_an_exit_after_all_layers_knows_everything(target):
    found = known_by_layer(target, TEXTS, [1, 2, 3])
    assert found[3].alpha == pytest.approx(1, abs=1e-5)
    assert found[3].greedy == 1
    assert found[1].alpha < found[3].alpha
    assert max(found[1].greedy, found[2].greedy) < 1


def test_what_an_exit_knows_is_what_a_model_of_so_many_layers_knows(target):
    alone = known_by(target, first_layers(target, 2), TEXTS)
    assert alone.alpha == pytest.approx(known_by_layer(target, TEXTS, [2])[2].alpha, abs=1e-5)


def test_known_is_the_overlap_and_the_agreement():
    p, q = np.array([[0.9, 0.1], [0.5, 0.5]]), np.array([[0.4, 0.6], [0.6, 0.4]])
    assert known(p, q).alpha == pytest.approx((0.5 + 0.9) / 2)
    assert known(p, q).greedy == 0.5


def test_the_best_gamma_weighs_what_a_pass_costs():
    """c = 0.25; a free verification, and one that costs a pass for each token."""
    free = Times({"draft": [1.0] * 7, "target": [4.0] * 7})
    gamma, gain = best(0.8, "draft", "target", free)
    assert (gamma, gain) == (3, pytest.approx((1 - 0.8**4) / 0.2 / 1.75))
    dear = Times({"draft": [1.0] * 7, "target": [4.0 * k for k in range(1, 8)]})
    assert best(0.8, "draft", "target", dear)[1] < 1


def test_no_pass_is_cheaper_than_one_over_fewer_tokens(monkeypatch):
    taken = {"bad at one": {1: [3e-3, 4e-3], 2: [2e-3], 3: [5e-3]}}
    monkeypatch.setattr(exits, "passes_in_turn", lambda *_: taken)
    assert exits.times({}).ms == {"bad at one": pytest.approx([2, 2, 5])}


def test_fewer_layers_cost_less(target):
    drafts = {n: first_layers(target, n) for n in (1, 3)}
    costs = costs_in_a_round(drafts, target, TEXTS[0], repeats=10)
    assert 0 < costs[1] < costs[3]


def test_an_adapter_starts_as_the_bare_exit_and_learns(target):
    early, last = states_of(target, TEXTS, 1)
    runs = []
    for _ in range(2):
        torch.manual_seed(0)
        adapter = Adapter(64, 32)
        bare = target.logits(early)
        torch.testing.assert_close(target.logits(adapter(early)), bare, atol=1e-3, rtol=1e-3)
        runs.append(list(trained(adapter, target, early, last, steps=80, batch=32)))
    assert runs[0] == runs[1]
    assert runs[0][-1] < 0.6 * runs[0][0]
    heads = {1: exit_head(target, adapter)}
    before, after = (known_by_layer(target, TEXTS, [1], h)[1].alpha for h in (None, heads))
    assert after > before + 0.1
