"""Greedy and sampled drafts: what is computed of them, and what enumeration says."""

import numpy as np
import pytest
import torch

from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.greedy_or_sampled.temperatures import (
    crossing,
    greedy_acceptance,
    over_temperature,
)
from course_utils.proofs.decoders import Decoder, exam


def test_the_first_row_is_guessed_as_often_as_enumeration_says():
    """P(the first guess is accepted), over every path, against p at the draft's likeliest."""
    small = exam()
    paths = small.first_rounds(Decoder(drafter=lambda model: Sampled(model, GREEDY)))
    accepted = sum(weight for weight, r in paths if r.verdict.accepted >= 1)
    p, q = (model.distribution([*small.prompt]) for model in (small.target, small.draft))
    assert accepted == pytest.approx(greedy_acceptance(p[None], q[None])[0], abs=1e-12)


def test_neither_kind_is_always_the_better_one_and_cold_rows_make_both_alike():
    p, q = np.log([[0.9, 0.1]]), np.log([[0.6, 0.4]])
    means = over_temperature(p, q, [1.0, 0.02])
    assert means["greedy"] == pytest.approx([0.9, 1], abs=1e-6)
    assert means["sampled"] == pytest.approx([0.7, 1], abs=1e-6)
    flat = np.zeros((3, 16))
    assert over_temperature(flat, flat, [1.0]) == {"greedy": [1 / 16], "sampled": [1]}


def test_torch_rows_give_the_same():
    p, q = np.random.default_rng(0).normal(size=(2, 50, 9))
    theirs = over_temperature(torch.tensor(p), torch.tensor(q), (0.5, 1.0, 2.0))
    for name, means in over_temperature(p, q, (0.5, 1.0, 2.0)).items():
        assert theirs[name] == pytest.approx(means)


def test_where_the_better_kind_changes():
    means = {"greedy": [0.9, 0.8, 0.5], "sampled": [0.7, 0.7, 0.7]}
    assert crossing((0.5, 1.0, 2.0), means) == 2.0
    assert crossing((0.5, 1.0), {"greedy": [0.9, 0.8], "sampled": [0.1, 0.1]}) is None
