"""Draft heads: small modules that guess from the hidden states of a frozen target.

`Medusa`: K heads; each guesses one position, without seeing the other guesses
(REFERENCES.md: medusa2024).  `EagleHead`: one Qwen3 block that reads a state and the token
after it, and is unrolled on its own outputs.  With three tapped layers, its own head and a draft
vocabulary it is EAGLE-3's (REFERENCES.md: li2025eagle3); with the last layer alone and the target's
head it is a module for multi-token prediction (REFERENCES.md: deepseek2024, fastmtp2025).

Positions: x_0 .. x_t is the text of which the target has processed x_0 .. x_a; the token x_{a+1}
is drawn, and step 0 of a head guesses x_{a+2}.  a is the *anchor*; step s guesses x_{a+2+s}.
Shape letters: d width of the target's hidden states, V its vocabulary, D the draft vocabulary,
K heads.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True)
class Shape:
    """The sizes of an `EagleHead`; those of its block must equal its target's."""

    hidden: int  # d
    intermediate: int  # width inside the MLP
    heads: int  # query heads
    key_value_heads: int
    head_dim: int
    rope_theta: float
    aux_layers: tuple[int, ...]  # the states after these layers are read; a single one is not fused
    draft_vocabulary: int | None  # D; None: the target's own vocabulary, norm and head
    int8: bool = False  # on ONNX Runtime the block's matrices are rounded: see `quantised`


def layer(shape: Shape, eps: float) -> nn.ModuleDict:
    """The parameters of a Qwen3 layer, with its names."""
    linear = partial(nn.Linear, bias=False)
    d, inside, e = shape.hidden, shape.intermediate, shape.head_dim
    queries, keys = shape.heads * e, shape.key_value_heads * e
    attention = {
        "q_proj": linear(d, queries),
        "k_proj": linear(d, keys),
        "v_proj": linear(d, keys),
        "o_proj": linear(queries, d),
        "q_norm": nn.RMSNorm(e, eps),
        "k_norm": nn.RMSNorm(e, eps),
    }
    mlp = {
        "gate_proj": linear(d, inside),
        "up_proj": linear(d, inside),
        "down_proj": linear(inside, d),
    }
    parts = {"input_layernorm": nn.RMSNorm(d, eps), "self_attn": nn.ModuleDict(attention)}
    parts |= {"post_attention_layernorm": nn.RMSNorm(d, eps), "mlp": nn.ModuleDict(mlp)}
    return nn.ModuleDict(parts)


@dataclass(frozen=True)
class Ends:
    """The target's weights that the heads share and do not store."""

    embed_tokens: Tensor  # (V, d)
    norm: Tensor  # (d,), the weight of the last norm
    lm_head: Tensor  # (V, d)
    eps: float  # of the norms

    @classmethod
    def of(cls, target: Any) -> "Ends":
        """Take them from a transformers `Qwen3ForCausalLM`, or from a `Qwen3` in any form."""
        inside = getattr(target, "model", target)
        tensors = [inside.embed_tokens, inside.norm, target.lm_head]
        embedding, norm, head = (getattr(t, "weight", t).detach() for t in tensors)
        return cls(embedding, norm, head, target.config.rms_norm_eps)

    def float(self) -> "Ends":
        return Ends(self.embed_tokens.float(), self.norm.float(), self.lm_head.float(), self.eps)


class Medusa(nn.Module):
    """K heads of residual layers x + SiLU(W x), W = 0 before training, and the target's head.

    The paper gives each head a trained copy of the target's head; here all share the target's,
    because K copies would be larger than everything else that is stored.

    Args:
        layers: residual layers per head.
    """

    target_norm: Tensor
    lm_head: Tensor

    def __init__(self, ends: Ends, heads: int = 4, layers: int = 1):
        super().__init__()
        self.eps, self.steps, self.layers = ends.eps, heads, layers
        self.register_buffer("target_norm", ends.norm, persistent=False)
        self.register_buffer("lm_head", ends.lm_head, persistent=False)
        width = ends.lm_head.shape[1]
        blocks = [
            [nn.Linear(width, width, bias=False) for _ in range(layers)] for _ in range(heads)
        ]
        self.heads = nn.ModuleList(nn.ModuleList(block) for block in blocks)
        for weight in self.parameters():
            nn.init.zeros_(weight)

    def forward(self, h: Tensor) -> Tensor:
        """States after the target's last norm (..., d) -> logits (K, ..., V).

        From the state of x_a, head k guesses x_{a+2+k}.
        """
        rows = []
        for layers in self.heads:
            state = h
            for layer in layers.children():
                state = state + F.silu(layer(state))
            rows.append(F.linear(state, self.lm_head))
        return torch.stack(rows)


class EagleHead(nn.Module):
    """One block, unrolled on its own outputs.  Its parameters and their use:

    tap_norms.I.weight (d,), fuse.weight (d, aux_layers d)
        only if there are several aux_layers: the first state is fuse [norm_I(state after tap I)];
        with one tap it is the state itself, before the target's last norm.
    embedding_norm.weight, state_norm.weight (d,), join.weight (d, 2d)
        the block reads join [embedding_norm(embedding of the token); state_norm(state)].
    block.*
        the parameters of a Qwen3 layer, with its names; its output is the next state.
    norm.weight (d,), lm_head.weight (D, d), draft_tokens (D,), ascending
        only with a draft vocabulary: logits are lm_head norm(state), of the tokens draft_tokens.
        A stored head without lm_head uses the target's rows.  Without a draft vocabulary the
        target's own norm and head give the logits.
    """

    embed_tokens: Tensor
    target_norm: Tensor
    target_head: Tensor
    draft_tokens: Tensor

    def __init__(self, shape: Shape, ends: Ends):
        super().__init__()
        d, eps = shape.hidden, ends.eps
        self.shape, self.eps = shape, eps
        if len(shape.aux_layers) > 1:
            self.tap_norms = nn.ModuleList(nn.RMSNorm(d, eps) for _ in shape.aux_layers)
            self.fuse = nn.Linear(len(shape.aux_layers) * d, d, bias=False)
        self.embedding_norm, self.state_norm = nn.RMSNorm(d, eps), nn.RMSNorm(d, eps)
        self.join = nn.Linear(2 * d, d, bias=False)
        self.block = layer(shape, eps)
        self.register_buffer("embed_tokens", ends.embed_tokens, persistent=False)
        if shape.draft_vocabulary is None:
            self.register_buffer("target_norm", ends.norm, persistent=False)
            self.register_buffer("target_head", ends.lm_head, persistent=False)
        else:
            self.norm = nn.RMSNorm(d, eps)
            self.lm_head = nn.Linear(d, shape.draft_vocabulary, bias=False)
            self.register_buffer("draft_tokens", torch.arange(shape.draft_vocabulary))

    def first_state(self, aux_states: Tensor | Sequence[Tensor]) -> Tensor:
        """States after the tapped layers (aux_layers, ..., d) -> (..., d)."""
        if len(aux_states) == 1:
            return aux_states[0]
        normed = [norm(x) for norm, x in zip(self.tap_norms, aux_states, strict=True)]
        return self.fuse(torch.cat(normed, -1))

    def joined(self, tokens: Tensor, state: Tensor) -> Tensor:
        """Tokens (...) and states (..., d) -> the block's input (..., d)."""
        embedding = F.embedding(tokens, self.embed_tokens)
        return self.join(torch.cat([self.embedding_norm(embedding), self.state_norm(state)], -1))

    def logits(self, state: Tensor) -> Tensor:
        """(..., d) -> (..., D), or (..., V) without a draft vocabulary."""
        if self.shape.draft_vocabulary is None:
            normed = F.rms_norm(state.float(), self.target_norm.shape, self.target_norm, self.eps)
            return F.linear(normed, self.target_head)
        return self.lm_head(self.norm(state))


class BlockHead(EagleHead):
    """One block that makes all its guesses in one pass, each without knowing the others.

    The tokens still to be guessed and their states are unknown, so row s reads the anchor's input
    plus a mask's embedding instead (REFERENCES.md: an2025pard, hui2026peagle).  A row sees only
    the rows before it, so it does not depend on the number of guesses.

    mask_embeddings (steps - 1, d)
    """

    def __init__(self, shape: Shape, ends: Ends, steps: int):
        super().__init__(shape, ends)
        self.steps = steps
        self.mask_embeddings = nn.Parameter(torch.zeros(steps - 1, shape.hidden))
