"""Drafts of several shapes at once: each learns as it would alone; the recorded ladder is sound."""

from dataclasses import replace

import pytest
import torch
from torch import nn

from course_utils.models.names import DATA
from course_utils.training import corpus
from course_utils.training.ladder import recorded
from course_utils.training.losses import distillation_loss
from tests.conftest import random_qwen3
from workshop.training import dependencies, ladder


def test_each_draft_gets_the_gradient_that_it_would_get_alone():
    target, *drafts = (random_qwen3(seed=seed) for seed in range(3))
    windows = torch.randint(0, 97, (2, 17), generator=torch.Generator().manual_seed(0))
    for draft in drafts:
        distillation_loss(draft, target)(windows).backward()
    alone = [[p.grad.clone() for p in draft.parameters()] for draft in drafts]
    for draft in drafts:
        draft.zero_grad()
    ladder.common_loss(nn.ModuleList(drafts), target)(windows).backward()
    for draft, expected in zip(drafts, alone, strict=True):
        for p, grad in zip(draft.parameters(), expected, strict=True):
            torch.testing.assert_close(p.grad, grad)


@pytest.mark.filterwarnings("ignore")
def test_a_small_ladder_is_climbed_and_measured(tmp_path, monkeypatch):
    root = tmp_path / "lib"
    root.mkdir()
    for name in ("os.py", "textwrap.py"):
        (root / name).write_text("def f(x):\n    return x + 1\n" * 600)
    monkeypatch.setattr(corpus, "standard_library", lambda: root)
    monkeypatch.setattr(dependencies, "LEARNED", ())
    monkeypatch.setattr(ladder, "SHAPES", ((1, 128), (1, 256)))
    monkeypatch.setattr(ladder, "DRAFT", replace(ladder.DRAFT, length=128))
    monkeypatch.setattr(ladder, "BATCH", 512)
    monkeypatch.setattr(ladder, "MEASURED", 2)
    rungs = ladder.climb(DATA, tmp_path / "out", tokens=4 * 512)
    assert [(rung.layers, rung.hidden) for rung in rungs] == [(1, 128), (1, 256)]
    assert rungs[0].parameters < rungs[1].parameters
    assert all(0 < rung.alpha < 1 and rung.loss > 0 for rung in rungs)


@pytest.mark.parametrize(("layers", "of", "taken"), [(2, 4, (0, 2)), (3, 1, (0, 0, 0))])
def test_a_draft_begins_with_layers_of_a_model_that_is_as_wide(layers, of, taken):
    draft, known, other = (
        random_qwen3(layers=n, seed=seed, hidden=hidden)
        for seed, (n, hidden) in enumerate(((layers, 64), (of, 64), (of, 32)))
    )
    ladder.begin_with(draft, [other, known])
    for layer, place in zip(draft.model.layers, taken, strict=True):
        theirs = known.model.layers[place].state_dict()
        for name, value in layer.state_dict().items():
            assert torch.equal(value, theirs[name])
    assert torch.equal(draft.model.embed_tokens.weight, known.model.embed_tokens.weight)


def test_one_of_another_width_has_nothing_to_begin_with():
    draft, known = random_qwen3(hidden=32), random_qwen3(hidden=64)
    with pytest.raises(ValueError, match="32 wide has nothing to begin with: there is 64"):
        ladder.begin_with(draft, [known])


def test_the_recorded_ladder_has_a_rung_for_each_shape_and_deeper_wide_drafts_agree_more():
    rungs = recorded()
    assert {(rung.layers, rung.hidden) for rung in rungs} == set(ladder.SHAPES)
    assert rungs[0].parameters < 700_000 < rungs[-1].parameters
    assert rungs[0].alpha < rungs[-1].alpha
    alpha = {(rung.layers, rung.hidden): rung.alpha for rung in rungs}
    deeper = [alpha[layers, 256] for layers in (1, 2, 4, 8)]
    assert deeper == sorted(deeper)
    assert abs(alpha[2, 128] - alpha[1, 128]) < 0.01  # as the lesson says
