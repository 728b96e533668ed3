"""A draft head in training: whole windows, all anchors of a window at once.

Shape letters: B windows of L tokens, A anchors, d width of the target's hidden states, V its
vocabulary, D the draft vocabulary; n positions, g key-value heads, r query heads per key-value
head, e width of a head.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import Tensor

from course_utils.models.qwen3.heads import BlockHead, EagleHead, Medusa
from course_utils.models.trained_heads import WEIGHTS

KeysValues = list[tuple[Tensor, Tensor]]  # one pair per step


def unrolled(
    head: EagleHead, aux_states: Tensor, tokens: Tensor, steps: int, anchors: Tensor
) -> list[Tensor]:
    """Return the logits as in decoding from the anchors, if the text continues as it does.

    At step s the anchor a reads the token x_{a+1+s} and the head's own last state.  It sees
    the keys of the true states of all positions up to a, and then its own: training-time
    test (REFERENCES.md: li2025eagle3).

    Args:
        aux_states: (aux_layers, B, L, d), of positions 0 .. L-1.
        tokens: (B, L), the text of these positions.
        anchors: (A,) positions, ascending, at most L - 1 - steps.

    Returns:
        `steps` tensors (B, A, D or V).
    """
    rows: list[Tensor] = []
    cache: KeysValues = []
    before = int(tokens.shape[1]) - 1  # positions whose next token is known
    x = head.joined(tokens[:, 1:], head.first_state(aux_states[:, :, :before]))
    positions = torch.arange(before, device=tokens.device)
    state = began = x[:, anchors]
    for step in range(steps):
        if step > 0:
            positions = anchors + step
            if isinstance(head, BlockHead):
                x = began + head.mask_embeddings[step - 1]
            else:
                x = head.joined(tokens[:, positions + 1], state)
        state = _layer(head, x, positions, anchors, cache)
        rows.append(head.logits(state))
    return rows


def _layer(
    head: EagleHead, x: Tensor, positions: Tensor, anchors: Tensor, cache: KeysValues
) -> Tensor:
    """Apply a Qwen3 layer (`models.qwen3.readable`) to the anchors of one step."""
    block: Any = head.block
    out = _attention(head, block["input_layernorm"](x), positions, anchors, cache)
    x = (x[:, anchors] if len(cache) == 1 else x) + out
    h, mlp = block["post_attention_layernorm"](x), block["mlp"]
    return x + mlp["down_proj"](F.silu(mlp["gate_proj"](h)) * mlp["up_proj"](h))


def _attention(
    head: EagleHead, x: Tensor, positions: Tensor, anchors: Tensor, cache: KeysValues
) -> Tensor:
    """Return the attention output of the anchors (A,) at one step: (B, A, d).

    Step 0 gets x (B, n, d) of all positions, later steps that of the anchors.
    `cache` has keys and values of earlier steps, (B, g, n or A, e); this step's are added.
    """
    attention: Any = head.block["self_attn"]
    b, n, _ = x.shape
    g, e = head.shape.key_value_heads, head.shape.head_dim
    k = attention["k_norm"](attention["k_proj"](x).view(b, n, g, e)).transpose(1, 2)
    v = attention["v_proj"](x).view(b, n, g, e).transpose(1, 2)
    cache.append((_rotate(head, k, positions), v))
    if len(cache) == 1:
        x, positions = x[:, anchors], positions[anchors]
    q = attention["q_norm"](attention["q_proj"](x).view(b, len(anchors), -1, e)).transpose(1, 2)
    q = _rotate(head, q, positions)
    keys, values = cache[0]
    n = keys.shape[2]
    grouped = q.reshape(b, g, -1, e)  # the r query heads of each key, stacked
    scores = (grouped @ keys.mT).view(b, g, -1, len(anchors), n).float()
    later = torch.arange(n, device=x.device) > anchors[:, None]  # (A, n)
    scores = scores.masked_fill(later, -torch.inf)
    q = grouped.view(b, g, -1, len(anchors), e)
    own = [(q * k[:, :, None]).sum(-1, keepdim=True).float() for k, _ in cache[1:]]
    weights = (torch.cat([scores, *own], -1) * e**-0.5).softmax(-1).to(v.dtype)
    out = weights[..., :n].reshape(b, g, -1, n) @ values
    out = out.view(b, g, -1, len(anchors), e)
    for j, (_, own_values) in enumerate(cache[1:]):
        out = out + weights[..., n + j, None] * own_values[:, :, None]
    return attention["o_proj"](out.flatten(1, 2).transpose(1, 2).flatten(2))


def _rotate(head: EagleHead, x: Tensor, positions: Tensor) -> Tensor:
    """Rotary positions, as in `models.qwen3.readable`: x (..., n, e), positions (n,)."""
    e = head.shape.head_dim
    steps = torch.arange(0, e, 2, device=x.device).float() / e
    angles = torch.outer(positions.float(), head.shape.rope_theta**-steps).repeat(1, 2)
    left, right = x.chunk(2, dim=-1)
    return x * angles.cos() + torch.cat([-right, left], dim=-1) * angles.sin()


def save_head(head: Medusa | EagleHead, folder: Path) -> None:
    """Write the head's own weights in bfloat16, without its target's, and their shape.

    Rows of its lm_head that equal the target's are left out, too.

    NAME/model.safetensors    the parameters of `Medusa` or `EagleHead`
    NAME/config.json          what kind, for which target, and the `Shape`
    """
    embedding = head.lm_head if isinstance(head, Medusa) else head.embed_tokens
    vocabulary, hidden = embedding.shape
    config: dict[str, Any] = {"vocabulary_size": vocabulary, "hidden": hidden}
    if isinstance(head, Medusa):
        config |= {"kind": "medusa", "heads": head.steps, "layers": head.layers}
    elif isinstance(head, BlockHead):
        config |= {"kind": "block", "shape": asdict(head.shape), "steps": head.steps}
    else:
        config |= {"kind": "unrolled", "shape": asdict(head.shape)}
    folder.mkdir(parents=True, exist_ok=True)
    state = head.state_dict()
    if "draft_tokens" in state:
        rows = embedding[state["draft_tokens"]]  # for a target with tied weights
        if torch.equal(state["lm_head.weight"], rows):
            del state["lm_head.weight"]
    weights = {
        name: tensor.to(torch.bfloat16 if tensor.is_floating_point() else torch.int32).contiguous()
        for name, tensor in state.items()
    }
    save_file(weights, folder / WEIGHTS)
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
