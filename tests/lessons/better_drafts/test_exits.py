"""Early exits of a target: their quality and their cost."""

from itertools import cycle
from types import SimpleNamespace

import numpy as np
import pytest

from course_utils.lessons.better_drafts import exits
from course_utils.models.qwen3.readable import Qwen3
from tests.conftest import random_qwen3


def test_what_an_exit_knows_is_what_a_model_of_so_many_layers_knows():
    texts = [list(range(3, 40)), list(range(60, 90))]
    target = Qwen3.from_transformers(random_qwen3(3))
    quality = exits.quality_by_layer(target, texts, [1, 2, 3])
    assert (quality[3].alpha, quality[3].greedy) == (pytest.approx(1, abs=1e-5), 1)
    assert max(quality[1].greedy, quality[2].greedy) < 1
    alone = exits.quality_of(target, exits.first_layers(target, 2), texts)
    assert alone.alpha == pytest.approx(quality[2].alpha, abs=1e-5)


def test_known_is_the_overlap_and_the_agreement():
    p, q = np.array([[0.9, 0.1], [0.5, 0.5]]), np.array([[0.4, 0.6], [0.6, 0.4]])
    assert exits.draft_quality(p, q).alpha == pytest.approx((0.5 + 0.9) / 2)
    assert exits.draft_quality(p, q).greedy == 0.5


def test_no_pass_is_cheaper_than_one_over_fewer_tokens(monkeypatch):
    passes = {"bad at one": {1: [3e-3, 4e-3], 2: [2e-3], 3: [5e-3]}}
    monkeypatch.setattr(exits, "passes_in_turn", lambda *_: passes)
    assert exits.times({}).ms == {"bad at one": pytest.approx([2, 2, 5])}


def test_c_is_the_mean_of_a_rounds_drafts_in_passes_of_the_target(monkeypatch):
    def model(*seconds):
        passes = cycle(seconds)
        session = SimpleNamespace(next=passes.__next__, rollback=lambda length: None)
        return SimpleNamespace(start=lambda text: session)

    monkeypatch.setattr(exits, "timed_pass", lambda session, tokens: (None, session.next()))
    drafts = {"draft": model(4.0, 1.0, 1.0), "target": model(8.0)}
    c = exits.costs_in_a_round(drafts, model(8.0, 9.0), [1])
    assert c == {"draft": 0.25, "target": 1.0}
