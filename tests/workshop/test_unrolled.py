"""Draft heads: at the start, unrolled over windows, and on disk."""

import pytest
import torch
from safetensors.torch import load_file
from transformers.models.qwen3.modeling_qwen3 import Qwen3DecoderLayer

from course_utils.models.qwen3.heads import (
    EagleHead,
    Ends,
    Medusa,
    Shape,
    load_head,
)
from tests.conftest import random_qwen3
from workshop.training.unrolled import save_head, unrolled

TARGET = random_qwen3(layers=3)
SHAPE = Shape(
    hidden=64, intermediate=96, heads=4, key_value_heads=2, head_dim=32, rope_theta=10000.0,
    aux_layers=(1, 2, 3), draft_vocabulary=20,
)  # fmt: skip
EAGLE = SHAPE
MTP = Shape(**{**vars(SHAPE), "aux_layers": (3,), "draft_vocabulary": None})


def random_head(shape: Shape) -> EagleHead:
    torch.manual_seed(1)
    head = EagleHead(shape, Ends.of(TARGET))
    if shape.draft_vocabulary is not None:
        head.draft_tokens += torch.arange(20) * 3
    for norm in (head.embedding_norm, head.state_norm):
        torch.nn.init.uniform_(norm.weight, 0.5, 1.5)
    return head.requires_grad_(False)


@pytest.mark.parametrize("shape", [EAGLE, MTP], ids=["eagle", "mtp"])
def test_the_unrolled_pass_equals_serving_token_by_token(shape):
    head = random_head(shape)
    torch.manual_seed(2)
    aux_states, tokens = (
        torch.randn(len(shape.aux_layers), 2, 14, 64),
        torch.randint(0, 97, (2, 14)),
    )
    anchors = torch.tensor([0, 3, 9])
    rows = unrolled(head, aux_states, tokens, 4, anchors)
    for b in range(2):
        for place, anchor in enumerate(anchors.tolist()):
            expected = served(head, aux_states[:, b], tokens[b], anchor, steps=4)
            for step in range(4):
                torch.testing.assert_close(
                    rows[step][b, place], expected[step], atol=1e-5, rtol=1e-5
                )


def served(head, aux_states, tokens, anchor: int, steps: int) -> list[torch.Tensor]:
    """With transformers' own layer, the whole sequence anew for each token."""
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


@pytest.mark.parametrize("make", [lambda: random_head(EAGLE), lambda: random_head(MTP),
                                  lambda: Medusa(Ends.of(TARGET), 3, 2)])  # fmt: skip
def test_what_was_saved_is_loaded(tmp_path, make):
    head = make()
    save_head(head, tmp_path / "head")
    loaded = load_head(tmp_path / "head", TARGET)
    for name, tensor in head.state_dict().items():
        torch.testing.assert_close(
            loaded.state_dict()[name], tensor, atol=0, rtol=2**-8, check_dtype=tensor.dim() > 0
        )
    stored = load_file(tmp_path / "head" / "model.safetensors")
    assert set(stored) == set(head.state_dict())
    assert not any(name.startswith(("embed_tokens", "target")) for name in stored)
