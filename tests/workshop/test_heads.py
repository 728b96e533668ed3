"""The training of draft heads: the rows that they learn, what is logged, and the stage."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from course_utils.models.names import DATA
from course_utils.models.qwen3.heads import BlockHead, Ends, load_head
from course_utils.training import corpus
from course_utils.training.head_recipes import BLOCK, RECIPES, BlockRecipe, HeadRecipe
from course_utils.training.losses import acceptance, forward_kl
from tests.conftest import random_qwen3
from workshop.__main__ import main
from workshop.training import atomic_folder, dependencies, head_losses, head_stage, text
from workshop.training.head_losses import (
    compared,
    study,
)
from workshop.training.head_stage import new_head
from workshop.training.pretrain import build_model
from workshop.training.recipes import DRAFT
from workshop.training.unrolled import unrolled

TARGET = random_qwen3(layers=3).requires_grad_(False)
ENDS = Ends.of(TARGET)
WINDOWS = torch.randint(0, 97, (4, 24), generator=torch.Generator().manual_seed(0))
EAGLE = HeadRecipe(3, 0.8, aux_layers=(1, 3), draft_vocabulary=40)
MTP = HeadRecipe(3, 0.6, aux_layers=(3,), intermediate=32)
MEDUSA = HeadRecipe(3, 0.8)
AT_ONCE = BlockRecipe(**vars(EAGLE))
TEXT = np.arange(97).repeat(np.arange(97))  # token i stands i times in it


@pytest.fixture(autouse=True)
def exact(monkeypatch):
    """float32 also where the processor multiplies bfloat16."""
    monkeypatch.setattr(head_losses, "EMULATED", True)


def test_the_target_is_read_as_transformers_reads_it():
    studied = study(TARGET, WINDOWS, (1, 3))
    whole = TARGET(WINDOWS, output_hidden_states=True)
    torch.testing.assert_close(studied.aux_states[0], whole.hidden_states[1])
    torch.testing.assert_close(studied.last, whole.hidden_states[3])
    torch.testing.assert_close(TARGET.model.norm(studied.aux_states[1]), whole.hidden_states[3])
    torch.testing.assert_close(F.linear(studied.last, ENDS.lm_head), whole.logits)


def test_an_untrained_medusa_is_compared_with_the_rows_behind_its_own():
    """Each head begins as the target's row at the anchor a; step s is held against a + s + 1."""
    medusa = new_head(MEDUSA, TARGET)
    kls, alphas = compared(medusa, ENDS, study(TARGET, WINDOWS, ()), 3)
    rows = TARGET(WINDOWS).logits.log_softmax(-1)
    anchors = torch.arange(24 - 3)
    for step in range(3):
        p, q = rows[:, anchors + step + 1], rows[:, anchors]
        torch.testing.assert_close(alphas[step], acceptance(p, q))
        torch.testing.assert_close(kls[step], forward_kl(p, q), atol=1e-4, rtol=1e-4)


def test_alpha_counts_what_lies_outside_the_draft_vocabulary_and_kl_does_not():
    head = new_head(EAGLE, TARGET, TEXT)
    studied = study(TARGET, WINDOWS, EAGLE.aux_layers)
    kls, alphas = compared(head, ENDS, studied, 2)
    anchors = torch.arange(24 - 2)
    rows = F.linear(studied.last, ENDS.lm_head).softmax(-1)
    for step, logits in enumerate(unrolled(head, studied.aux_states, WINDOWS, 2, anchors)):
        p = rows[:, anchors + step + 1]
        q = torch.zeros_like(p)
        q[..., head.draft_tokens] = logits.softmax(-1)
        torch.testing.assert_close(alphas[step], torch.minimum(p, q).sum(-1))
        inside = p[..., head.draft_tokens]
        inside = (inside / inside.sum(-1, keepdim=True)).log()
        torch.testing.assert_close(
            kls[step], forward_kl(inside, logits.log_softmax(-1)), atol=1e-4, rtol=1e-4
        )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_stage_makes_heads_that_load(tmp_path, monkeypatch, capsys):
    library = tmp_path / "lib"
    library.mkdir()
    for name in ("os.py", "textwrap.py"):
        (library / name).write_text("def f(x):\n    return x + 1\n" * 600)
    monkeypatch.setattr(corpus, "standard_library", lambda: library)
    monkeypatch.setattr(dependencies, "LEARNED", ())
    small = replace(head_stage.SCHOOLING, batch_tokens=256, length=64)
    monkeypatch.setattr("workshop.commands.train.SCHOOLING", small)
    recipes = {"eagle": replace(EAGLE, draft_vocabulary=64), "mtp": MTP, "medusa": MEDUSA}
    monkeypatch.setattr(head_stage.train_heads, "__kwdefaults__",
                        head_stage.train_heads.__kwdefaults__ | {"recipes": recipes})  # fmt: skip
    out = tmp_path / "pair"
    build_model(replace(DRAFT, layers=3, hidden=64), 4096, 0).save_pretrained(out / "target")
    build_model(replace(DRAFT, layers=1, hidden=64), 4096, 1).save_pretrained(out / "draft")
    for role in ("target", "draft"):
        text.prepare(out).tokenizer.save_pretrained(out / role)
    asked = ["train", "--stage", "heads", "--out", str(out), "--heads-tokens", "1024"]
    assert main(asked) == 0
    entry = json.loads((out / "heads_log.jsonl").read_text().splitlines()[-1])
    assert entry["tokens"] == 1024
    assert 1 < entry["eagle_tau"] < 4
    assert 0 < entry["mtp_alpha_3"] < 1
    target = build_model(replace(DRAFT, layers=3, hidden=64), 4096, 0)
    for name in recipes:
        assert load_head(out / "heads" / name, target) is not None
    assert main(asked) == 0
    assert "is finished and is not made again" in capsys.readouterr().err
    assert main([*asked[:-1], "2048"]) != 0
    at_once = {"block": replace(AT_ONCE, draft_vocabulary=64)}
    monkeypatch.setattr("workshop.commands.train.BLOCK", at_once)
    assert main([*asked[:2], "block", *asked[3:]]) == 0
    assert isinstance(load_head(out / "block", target), BlockHead)


@pytest.mark.parametrize(("folder", "recipes"), [("heads", RECIPES), ("heads/block", BLOCK)])
def test_the_heads_in_data_are_whole_and_of_the_target_in_data(folder, recipes):
    manifest = json.loads((DATA / folder / atomic_folder.MANIFEST).read_text())
    assert atomic_folder.damaged(DATA / folder) is None
    weights = DATA / "target" / "model.safetensors"
    assert manifest["settings"]["target"] == atomic_folder.digest(weights)
    for name, recipe in recipes.items():
        assert manifest["settings"][name] == str(recipe)
