"""Rounds without their rows: what is counted and drawn of them is what whole rounds say."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from course_utils.decoding.batch import generate_batch
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.rules import RECURSIVE_REJECTION, TOKEN_WISE
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.tree import Tree
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.toys.separately import Separately
from course_utils.models.toys.tables import TableModel
from tests.conftest import random_qwen3

TARGET, DRAFT = TableModel.random(6, 2, seed=1), TableModel.random(6, 2, seed=2)
IN_TORCH = Qwen3.from_transformers(random_qwen3())
SHAPE = (-1, -1, 0, 0, 1)


@pytest.mark.parametrize(
    ("target", "drafter"),
    [
        *((TARGET, drafter) for drafter in (Sampled(DRAFT), PromptLookup(), Tree(DRAFT, SHAPE))),
        (TARGET, None),
        (IN_TORCH, Sampled(IN_TORCH)),
    ],
)
def test_counts_and_figures_without_rows_are_those_with_them(target, drafter):
    rule = RECURSIVE_REJECTION if isinstance(drafter, Tree) else TOKEN_WISE
    how = dict(gamma=5, max_new_tokens=60, seed=5, stop_tokens=(5,), rule=rule)
    whole, lean = (
        list(generate(target, [1, 2, 1, 2], drafter, rows=rows, **how)) for rows in (True, False)
    )
    for thin, full in zip(lean, whole, strict=True):
        before = range(len(full.drafted)) if full.parents is None else [i + 1 for i in full.parents]
        for i, (row, x) in enumerate(zip(before, full.drafted, strict=True)):
            assert thin.p[row, x] == float(full.p[row, x])
            assert full.q is None or thin.q[i, x] == float(full.q[i, x])
    timed = {"draft_seconds": 0.0, "verify_seconds": 0.0, "host_seconds": 0.0}
    assert replace(summarise(lean), **timed) == replace(summarise(whole), **timed)
    assert all(r.p.shape == (len(r.drafted) + 1, target.vocabulary_size) for r in whole)


@pytest.mark.parametrize("alone", [True, False])
def test_a_round_takes_as_much_memory_whatever_the_vocabulary(alone):
    def largest(size):
        model, how = TableModel(np.full(size, 1 / size)), {"gamma": 4, "max_new_tokens": 50}
        if alone:
            return max(len(pickle.dumps(r)) for r in generate(model, [0], Sampled(model), **how))
        model = Separately(model)
        run = generate_batch(model, [[0]], BatchSampled(model), **how)
        return max(len(pickle.dumps(r)) for _, r in run)

    assert largest(20_000) < largest(20) + 100 < 3000


def test_a_drafter_that_learns_sees_whole_rounds():
    class Learns(Sampled):
        def learn(self, done):
            seen.append((done.p.shape, done.q.shape))

    seen = []
    list(generate(TARGET, [1], Learns(DRAFT), gamma=2, max_new_tokens=12))
    assert set(seen) == {((3, 6), (2, 6))}


def test_what_was_not_kept_names_the_option():
    p = next(generate(TARGET, [1], Sampled(DRAFT))).p
    for use in (lambda p: p[0], lambda p: p[0, 99], lambda p: p[:1], list, np.asarray):
        with pytest.raises(LookupError, match="rows=True"):
            use(p)
    with pytest.raises(AttributeError, match="argmax: of these rows"):
        p.argmax(-1)
