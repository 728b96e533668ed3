"""The live distillation, its texts and its record, on random models of a second's work."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from course_utils.lessons.better_drafts import distilled
from course_utils.lessons.better_drafts.distilled import HeldOut, corpus_windows
from course_utils.lessons.better_drafts.slopes import gradient_lengths, shares_of
from course_utils.models.qwen3.readable import Qwen3
from course_utils.training.losses import LOSSES, log_rows
from tests.conftest import random_qwen3
from workshop.training import distillation as record
from workshop.training.distillation import Judge

TOKENS = np.random.default_rng(0).integers(0, 97, 4000)


@pytest.fixture
def target():
    return random_qwen3(2).requires_grad_(False)


def draft():
    return random_qwen3(1, seed=1)


def trained(model, target, text, held_out, steps, every, loss):
    """The alphas before, and after each `every` steps, as lesson 08 trains."""
    optimiser, alphas = distilled.Optimiser(model, steps), [held_out.alpha(model)]
    for i in range(1, steps + 1):
        windows = next(text)
        log_p = distilled.rows_of(target, windows)
        distilled.distillation_step(model, optimiser, windows, log_p, loss)
        if i % every == 0:
            alphas.append(held_out.alpha(model))
    return alphas


def test_a_draft_gets_nearer_to_its_target_whatever_its_loss_is_multiplied_by(target):
    """Twice with one loss: the same curve.  What a loss is multiplied by, Muon and AdamW divide
    out again.  The target learns nothing."""
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


def test_a_loss_takes_its_share_of_a_batch_from_the_positions_where_it_is_steep():
    rows = shares_of(np.array([0.1, 0.3, 0.9]), {"TV": np.array([0.1, 0.5, 0.4])})
    assert list(rows[0].shares) == ["below 0.2", "to 0.5", "to 0.8", "above"]
    assert (rows[0].name, rows[1].name) == ("of all positions", "TV")
    assert list(rows[0].shares.values()) == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3])
    assert list(rows[1].shares.values()) == pytest.approx([0.1, 0.5, 0, 0.4])


def test_the_rate_rises_and_falls_to_zero():
    rates = []
    optimiser = distilled.Optimiser(draft(), steps=20, rate=0.1)
    for _ in range(20):
        optimiser.step()
        rates.append({group["lr"] for o in optimiser._optimisers for group in o.param_groups})
    (first,), (peak,), (last,) = rates[0], rates[2], rates[-1]
    assert first < 0.5 * 0.1 < peak <= 0.1
    assert last < 0.01


def test_a_window_begins_as_the_corpus_does_and_goes_on_as_its_model(target):
    """Of a model that repeats the token before, the rest of the window is one token."""

    def copier(tokens, past_key_values, use_cache):
        logits = 50 * torch.nn.functional.one_hot(tokens, 97).float()
        return SimpleNamespace(logits=logits, past_key_values=None)

    corpus = corpus_windows(TOKENS, seed=3, number=distilled.WINDOWS, length=40)
    told = next(record.sampled_windows(copier, corpus, seed=0, fresh=2))
    beginning = next(corpus_windows(TOKENS, seed=3, number=distilled.WINDOWS, length=40))
    assert told.shape == (distilled.WINDOWS, 41)
    assert torch.equal(told[:, : record.BEGINNING], beginning[:, : record.BEGINNING])
    assert (told[:, record.BEGINNING :] == told[:, record.BEGINNING - 1, None]).all()


def test_what_is_sampled_with_a_cache_is_the_models(target):
    """Next tokens after one text have the frequencies of the model's row."""
    text = torch.tensor([[5, 6, 7, 8]]).expand(4000, 4)
    said = record.continued(target, text, 6, torch.Generator().manual_seed(0))
    row = target(text[:1]).logits[0, -1].float().softmax(-1).detach()
    seen = torch.bincount(said[:, 4], minlength=97) / 4000
    assert 0.5 * (row - seen).abs().sum() < 0.06  # about 0.03 by chance


def test_the_slope_of_minus_log_alpha_is_that_of_tv_over_alpha(target):
    windows = next(corpus_windows(TOKENS, 0, 2, 16))
    alpha, lengths = gradient_lengths(
        distilled.rows_of(target, windows), distilled.rows_of(draft(), windows)
    )
    assert alpha.shape == (32,)
    assert set(lengths) == set(LOSSES)
    np.testing.assert_allclose(lengths["-log α"], lengths["TV"] / alpha, rtol=1e-3)


@pytest.fixture
def small_record(tmp_path, monkeypatch, target):
    """`record.main` with random models, two prompts and short texts; returns the file's path."""
    for name, model in (("target", target), ("plain", draft())):
        model.save_pretrained(tmp_path / name)
    prompts = [[1, 2, 3], [4, 5, 6]]

    class FewPrompts(Judge):
        def __init__(self, target, tokenizer):
            super().__init__(target, lambda text: {"input_ids": prompts[len(text) % 2]}, 6)

    monkeypatch.setattr(record, "Judge", FewPrompts)
    monkeypatch.setattr(record, "as_fast", lambda model: Qwen3.from_transformers(model, 64))
    monkeypatch.setattr(record, "SEEDS", (0, 1))
    monkeypatch.setattr(record, "LOSSES", {"-log α": LOSSES["-log α"]})
    monkeypatch.setattr(record.AutoTokenizer, "from_pretrained", lambda place: None)
    monkeypatch.setattr(record, "held_out_prompts", lambda kind: [kind])
    monkeypatch.setattr(distilled, "training_tokens", lambda tokenizer: TOKENS)
    monkeypatch.setattr(distilled, "LENGTH", 24)
    return tmp_path / "distillation.json"


@pytest.mark.filterwarnings("ignore")
def test_a_record_that_was_stopped_goes_on_and_ends_the_same(small_record):
    def run():
        folder = small_record.parent
        made_of = ["--target", folder / "target", "--plain", folder / "plain"]
        record.main([*map(str, made_of), "--out", str(small_record), "--steps", "1"])
        return json.loads(small_record.read_text("utf-8"))

    whole = run()
    assert len(whole["entries"]) == 2 * (3 + 1)  # seeds, texts and the control
    controls = [e["text"] for e in whole["entries"] if e["loss"] == record.CONTROL]
    assert controls == [record.CORPUS] * 2  # it needs no sampled text
    small_record.write_text(json.dumps(whole | {"entries": whole["entries"][:5]}), "utf-8")
    assert run() == whole
    assert record._begun(small_record, whole["settings"])["entries"] == whole["entries"]
    for name, other in {"tokens": 0, "seeds": [0], "target": "", "plain": ""}.items():
        assert record._begun(small_record, whole["settings"] | {name: other})["entries"] == []


def test_of_a_certain_text_the_control_is_cross_entropy():
    windows = next(corpus_windows(TOKENS, 0, 2, 8))
    log_q = log_rows(draft(), windows)
    found = record.loss_named(record.CONTROL)(record.said_next(windows, 97), log_q).mean()
    expected = torch.nn.functional.cross_entropy(log_q.flatten(0, 1), windows[:, 1:].flatten())
    assert found.item() == pytest.approx(expected.item(), rel=1e-6)
