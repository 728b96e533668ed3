"""Rounds to be kept: what is counted and drawn of them is what whole rounds say."""

import weakref
from dataclasses import replace

import numpy as np
import pytest
import torch

from course_utils.decoding.lean import lean
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import acceptance_by_position, summarise
from course_utils.decoding.rules import RECURSIVE_REJECTION
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.tree import Tree
from course_utils.models.tables import TableModel
from course_utils.proofs.trace import shown

TARGET, DRAFT = TableModel.random(6, 2, seed=1), TableModel.random(6, 2, seed=2)
ALL = Sampling()


def _rounds(drafter, **settings):
    return list(generate(TARGET, [1, 2, 1, 2], drafter, max_new_tokens=60, seed=5, **settings))


@pytest.mark.parametrize("library", [np.asarray, torch.as_tensor])
@pytest.mark.parametrize("drafter", [Sampled(DRAFT, ALL), PromptLookup(), None])
def test_counts_and_figures_of_lean_rounds_are_those_of_whole_ones(drafter, library):
    whole = [
        replace(r, p=library(r.p), q=None if r.q is None else library(r.q))
        for r in _rounds(drafter)
    ]
    kept = [lean(r) for r in whole]
    assert summarise(kept) == summarise(whole)
    assert acceptance_by_position(kept, 4) == acceptance_by_position(whole, 4)
    assert [shown(r) for r in kept] == [shown(r) for r in whole]
    assert [lean(r) for r in kept] == kept


def test_of_a_tree_the_nodes_are_kept():
    whole = _rounds(Tree(DRAFT, (-1, -1, 0, 0, 1), ALL), gamma=8, rule=RECURSIVE_REJECTION)
    kept = [lean(r) for r in whole]
    assert any(r.verdict.path for r in whole)
    assert [shown(r) for r in kept] == [shown(r) for r in whole]
    assert summarise(kept) == summarise(whole)


def test_what_was_let_go_is_said():
    r = next(r for r in map(lean, _rounds(Sampled(DRAFT, ALL))) if r.drafted)
    for place in (0, (0, 5 - r.drafted[0]), slice(1)):
        with pytest.raises(LookupError, match="was not kept: leave `lean` away"):
            r.p[place]


def test_a_sum_over_a_run_holds_the_rows_of_one_round_at_a_time():
    seen, most = [], 0

    def passing():
        nonlocal most
        for r in _rounds(None):
            rows = np.array(r.p)
            seen.append(weakref.ref(rows))
            yield replace(r, p=rows)
            del rows
            most = max(most, sum(reference() is not None for reference in seen))

    assert summarise(passing()).rounds > 20
    assert most <= 2
