"""Draft heads: unrolling as in decoding, their log, their stage, and their files."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest
import torch
from transformers.models.qwen3.modeling_qwen3 import Qwen3DecoderLayer

from course_utils.models.names import DATA
from course_utils.models.qwen3.heads import BlockHead, Ends
from course_utils.models.trained_heads import load_head
from course_utils.training.recipes import RECIPES, HeadRecipe
from tests.conftest import random_qwen3
from workshop.__main__ import main
from workshop.training import head_stage, manifest, text
from workshop.training.head_stage import new_head
from workshop.training.recipes import BLOCK, DRAFT, PLAIN, BlockRecipe
from workshop.training.stages import build_model
from workshop.training.unrolled import save_head, unrolled

TARGET = random_qwen3(layers=3).requires_grad_(False)
ENDS = Ends.of(TARGET)
EAGLE = HeadRecipe(3, 0.8, aux_layers=(1, 3), draft_vocabulary=40)
MEDUSA = HeadRecipe(3, 0.8)
AT_ONCE = BlockRecipe(**vars(EAGLE))
TEXT = np.arange(97).repeat(np.arange(97))  # token i occurs i times


@pytest.fixture
def eagle():
    """Return an EAGLE head with random weights on a few of the target's tokens."""
    torch.manual_seed(1)
    head = new_head(EAGLE, TARGET, TEXT)
    for norm in (head.embedding_norm, head.state_norm):
        torch.nn.init.uniform_(norm.weight, 0.5, 1.5)
    return head.requires_grad_(False)


def test_the_unrolled_pass_equals_serving_token_by_token(eagle):
    torch.manual_seed(2)
    aux_states, tokens = torch.randn(2, 2, 14, 64), torch.randint(0, 97, (2, 14))
    anchors = torch.tensor([0, 3, 9])
    rows = unrolled(eagle, aux_states, tokens, 4, anchors)
    for b in range(2):
        for place, anchor in enumerate(anchors.tolist()):
            for step, row in enumerate(served(eagle, aux_states[:, b], tokens[b], anchor, 4)):
                torch.testing.assert_close(rows[step][b, place], row, atol=1e-5, rtol=1e-5)


def served(head, aux_states, tokens, anchor: int, steps: int) -> list[torch.Tensor]:
    """With transformers' layer, on the whole sequence for each token."""
    layer = Qwen3DecoderLayer(TARGET.config, 0).eval().requires_grad_(False)
    layer.load_state_dict(head.block.state_dict())
    x = head.joined(tokens[1 : anchor + 2], head.first_state(aux_states[:, : anchor + 1]))
    state, rows = None, []
    for step in range(steps):
        if step > 0:
            x = torch.cat([x, head.joined(tokens[anchor + 1 + step], state)[None]])
        n = len(x)
        turns = TARGET.model.rotary_emb(x[None], torch.arange(n)[None])
        mask = torch.full((n, n), -torch.inf).triu(1)[None, None]
        state = layer(x[None], attention_mask=mask, position_embeddings=turns)[0, -1]
        rows.append(head.logits(state))
    return rows


def test_what_was_saved_is_loaded(tmp_path, eagle):
    save_head(eagle, tmp_path / "head")
    loaded = load_head(tmp_path / "head", TARGET).state_dict()
    assert not any(name.startswith(("embed_tokens", "target")) for name in loaded)
    for name, tensor in eagle.state_dict().items():
        torch.testing.assert_close(
            loaded[name], tensor, atol=0, rtol=2**-8, check_dtype=tensor.dim() > 0
        )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_stage_makes_heads_that_load(small_library, monkeypatch):
    out = small_library
    small = replace(head_stage.SCHOOLING, batch_tokens=256, length=64)
    monkeypatch.setattr("workshop.commands.train.SCHOOLING", small)
    recipes = {"eagle": replace(EAGLE, draft_vocabulary=64), "medusa": MEDUSA}
    monkeypatch.setattr(head_stage.train_heads, "__kwdefaults__",
                        head_stage.train_heads.__kwdefaults__ | {"recipes": recipes})  # fmt: skip
    build_model(replace(DRAFT, layers=3, hidden=64), 4096, 0).save_pretrained(out / "target")
    build_model(replace(DRAFT, layers=1, hidden=64), 4096, 1).save_pretrained(out / "draft")
    for role in ("target", "draft"):
        text.prepare(out).tokenizer.save_pretrained(out / role)
    arguments = ["train", "--stage", "heads", "--out", str(out), "--heads-tokens", "1024"]
    assert main(arguments) == 0
    entry = json.loads((out / "heads_log.jsonl").read_text().splitlines()[-1])
    assert entry["tokens"] == 1024
    assert 1 < entry["eagle_tau"] < 4
    target = build_model(replace(DRAFT, layers=3, hidden=64), 4096, 0)
    for name in recipes:
        assert load_head(out / "heads" / name, target) is not None
    assert main([*arguments[:-1], "2048"]) != 0
    at_once = {"block": replace(AT_ONCE, draft_vocabulary=64)}
    monkeypatch.setattr("workshop.commands.train.BLOCK", at_once)
    assert main([*arguments[:2], "block", *arguments[3:]]) == 0
    assert isinstance(load_head(out / "block", target), BlockHead)


SHIPPED = {"plain": asdict(PLAIN), "heads": RECIPES, "heads/block": BLOCK}
SHIPPED["plain"].pop("rows")  # of no target


@pytest.mark.parametrize("folder", SHIPPED)
def test_what_is_in_data_is_whole_and_was_made_by_its_recipes(folder):
    assert manifest.damaged(DATA / folder) is None
    settings = json.loads((DATA / folder / manifest.MANIFEST).read_text())["settings"]
    recipe = {n: r if folder == "plain" else str(r) for n, r in SHIPPED[folder].items()}
    assert recipe.items() <= settings.items()
    weights = manifest.digest(DATA / "target" / "model.safetensors")
    assert settings.get("target", weights) == weights
