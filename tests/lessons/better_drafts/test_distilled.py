"""The live distillation and early exits, on small models."""

from itertools import cycle
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from course_utils.lessons.better_drafts import distilled, exits
from course_utils.lessons.better_drafts.checks import distillation_step
from course_utils.lessons.better_drafts.distilled import HeldOut, corpus_windows
from course_utils.lessons.better_drafts.figures import band_shares
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.toys.tables import TableModel
from course_utils.training.losses import LOSSES
from tests.conftest import random_qwen3

TOKENS = np.random.default_rng(0).integers(0, 97, 4000)


@pytest.fixture
def target():
    return random_qwen3(2).requires_grad_(False)


def draft():
    return random_qwen3(1, seed=1)


def trained(model, target, text, held_out, steps, every, loss):
    """Train as lesson 08 does; return alpha before, and after each `every` steps."""
    optimiser, alphas = distilled.optimiser_of(model, steps), [held_out.alpha(model)]
    for i in range(1, steps + 1):
        windows = next(text)
        log_p = distilled.rows_of(target, windows)
        distillation_step(model, optimiser, windows, log_p, loss)
        if i % every == 0:
            alphas.append(held_out.alpha(model))
    return alphas


def test_a_draft_gets_nearer_to_its_target_whatever_its_loss_is_multiplied_by(target):
    """The same loss gives the same curve twice, and Muon and AdamW divide out any factor.
    The target does not change."""
    before = [weights.clone() for weights in target.parameters()]
    held_out, curves = HeldOut.of(target, TOKENS, number=4, length=32), []
    for scale in (1, 1, 1e-3):
        text = corpus_windows(TOKENS, seed=0, number=4, length=32)
        loss = lambda p, q, scale=scale: scale * LOSSES["-log α"](p, q)  # noqa: E731
        curves.append(trained(draft(), target, text, held_out, 12, 4, loss))
    assert curves[0] == curves[1] == sorted(curves[0])
    assert len(curves[0]) == 4
    gain = curves[0][-1] - curves[0][0]
    assert gain > 0.003
    assert curves[2][-1] == pytest.approx(curves[0][-1], abs=0.05 * gain)
    assert all(map(torch.equal, before, target.parameters()))


def test_a_band_of_positions_has_its_share_of_the_gradient():
    rows = band_shares(np.array([0.1, 0.3, 0.9]), {"TV": np.array([0.1, 0.5, 0.4])})
    assert rows["all positions"] == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3])
    assert rows["TV"] == pytest.approx([0.1, 0.5, 0, 0.4])


def test_the_gradient_of_minus_log_alpha_is_that_of_tv_over_alpha(target):
    windows = next(corpus_windows(TOKENS, 0, 2, 16))
    rows = (distilled.rows_of(model, windows) for model in (target, draft()))
    alpha, lengths = distilled.gradient_lengths(*rows)
    np.testing.assert_allclose(lengths["-log α"], lengths["TV"] / alpha, rtol=1e-3)


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
