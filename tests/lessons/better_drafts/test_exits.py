"""Early exits of a target: their quality and their cost."""

from itertools import cycle
from types import SimpleNamespace

import numpy as np
import pytest

from course_utils.lessons.better_drafts import exits
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.toys.tables import TableModel
from tests.conftest import random_qwen3


def test_an_exit_accepts_what_a_model_of_its_layers_accepts():
    texts = [list(range(3, 40)), list(range(60, 90))]
    target = Qwen3.from_transformers(random_qwen3(3))
    alphas = exits.alpha_by_layer(target, texts, [1, 2, 3])
    assert alphas[3] == pytest.approx(1, abs=1e-5)
    assert max(alphas[1], alphas[2]) < 0.999
    alone = exits.alpha_of(target, exits.first_layers(target, 2), texts)
    assert alone == pytest.approx(alphas[2], abs=1e-5)


def test_alpha_is_the_mean_overlap_of_rows():
    p, q = ([0.9, 0.1], [0.5, 0.5]), ([0.4, 0.6], [0.6, 0.4])  # the overlaps are .5 and .9
    target, draft = (TableModel(np.array(rows)) for rows in (p, q))
    assert exits.alpha_of(target, draft, [[0, 1]]) == pytest.approx(0.7)


def test_c_is_the_mean_of_a_rounds_drafts_in_passes_of_the_target(monkeypatch):
    def model(*seconds):
        passes = cycle(seconds)
        session = SimpleNamespace(next=passes.__next__, rollback=lambda length: None)
        return SimpleNamespace(start=lambda text: session)

    monkeypatch.setattr(exits, "timed_pass", lambda session, tokens: (None, session.next()))
    drafts = {"draft": model(4.0, 1.0, 1.0), "target": model(8.0)}
    c = exits.costs_in_a_round(drafts, model(8.0, 9.0), [1])
    assert c == {"draft": 0.25, "target": 1.0}
