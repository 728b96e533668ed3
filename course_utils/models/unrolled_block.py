"""A Qwen3 layer that is unrolled on its own outputs, with the attention that this takes.

Names and arithmetic are those of Qwen3 (`course_utils.models.qwen3`), so that the weights fit
there.  What differs is what a query sees: the keys of the text up to its anchor, and behind them
those that the layer made on its own, at the same anchor, in the steps before.

Shape letters: B windows, A anchors, n positions, d width of the states, g key-value heads, r query
heads a key-value head, e width of a head.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True)
class Shape:
    """Of an `UnrolledHead`; those of its block are to be its target's."""

    hidden: int  # d
    intermediate: int  # width inside the MLP
    heads: int  # query heads
    key_value_heads: int
    head_dim: int
    rope_theta: float
    taps: tuple[int, ...]  # after so many layers the states are read; one alone is not fused
    draft_vocabulary: int | None  # D; None: the target's own vocabulary, norm and head


class Norm(nn.Module):
    """RMSNorm, in float32."""

    def __init__(self, width: int, eps: float):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x.float(), self.weight.shape, self.weight, self.eps)


class Block(nn.Module):
    """A Qwen3 layer with its names, and the attention of a head that is unrolled."""

    def __init__(self, shape: Shape, eps: float):
        super().__init__()
        self.input_layernorm = Norm(shape.hidden, eps)
        self.self_attn = Attention(shape, eps)
        self.post_attention_layernorm = Norm(shape.hidden, eps)
        self.mlp = nn.ModuleDict(
            {
                "gate_proj": nn.Linear(shape.hidden, shape.intermediate, bias=False),
                "up_proj": nn.Linear(shape.hidden, shape.intermediate, bias=False),
                "down_proj": nn.Linear(shape.intermediate, shape.hidden, bias=False),
            }
        )

    def forward(self, x: Tensor, positions: Tensor, anchors: Tensor, seen: list) -> Tensor:
        """As `Attention`."""
        out = self.self_attn(self.input_layernorm(x), positions, anchors, seen)
        x = (x[:, anchors] if len(seen) == 1 else x) + out
        h = self.post_attention_layernorm(x)
        gate, up = self.mlp["gate_proj"](h), self.mlp["up_proj"](h)
        return x + self.mlp["down_proj"](F.silu(gate) * up)


class Attention(nn.Module):
    def __init__(self, shape: Shape, eps: float):
        super().__init__()
        self.shape = shape
        queries, keys = shape.heads * shape.head_dim, shape.key_value_heads * shape.head_dim
        self.q_proj = nn.Linear(shape.hidden, queries, bias=False)
        self.k_proj = nn.Linear(shape.hidden, keys, bias=False)
        self.v_proj = nn.Linear(shape.hidden, keys, bias=False)
        self.o_proj = nn.Linear(queries, shape.hidden, bias=False)
        self.q_norm, self.k_norm = Norm(shape.head_dim, eps), Norm(shape.head_dim, eps)

    def forward(self, x: Tensor, positions: Tensor, anchors: Tensor, seen: list) -> Tensor:
        """What the anchors (A,) read at one step: (B, A, d).

        Step 0 is given the x (B, n, d) of all positions, later steps those of the anchors.
        `seen` are keys and values of the steps before, (B, g, n or A, e); this step's are added.
        """
        b, n, _ = x.shape
        g, e = self.shape.key_value_heads, self.shape.head_dim
        k = self.k_norm(self.k_proj(x).view(b, n, g, e)).transpose(1, 2)
        v = self.v_proj(x).view(b, n, g, e).transpose(1, 2)
        seen.append((self._turned(k, positions), v))
        if len(seen) == 1:
            x, positions = x[:, anchors], positions[anchors]
        q = self.q_norm(self.q_proj(x).view(b, len(anchors), -1, e)).transpose(1, 2)
        q = self._turned(q, positions)
        keys, values = seen[0]
        n = keys.shape[2]
        grouped = q.reshape(b, g, -1, e)  # the r query heads of a key one below the other
        true = (grouped @ keys.mT).view(b, g, -1, len(anchors), n).float()
        later = torch.arange(n, device=x.device) > anchors[:, None]  # (A, n)
        true = true.masked_fill(later, -torch.inf)
        q = grouped.view(b, g, -1, len(anchors), e)
        own = [(q * k[:, :, None]).sum(-1, keepdim=True).float() for k, _ in seen[1:]]
        weights = (torch.cat([true, *own], -1) * e**-0.5).softmax(-1).to(v.dtype)
        out = weights[..., :n].reshape(b, g, -1, n) @ values
        out = out.view(b, g, -1, len(anchors), e)
        for j, (_, own_values) in enumerate(seen[1:]):
            out = out + weights[..., n + j, None] * own_values[:, :, None]
        return self.o_proj(out.flatten(1, 2).transpose(1, 2).flatten(2))

    def _turned(self, x: Tensor, positions: Tensor) -> Tensor:
        """Rotary positions, as in `course_utils.models.qwen3`: x (..., n, e), positions (n,)."""
        e = self.shape.head_dim
        steps = torch.arange(0, e, 2, device=x.device).float() / e
        angles = torch.outer(positions.float(), self.shape.rope_theta**-steps).repeat(1, 2)
        left, right = x.chunk(2, dim=-1)
        return x * angles.cos() + torch.cat([-right, left], dim=-1) * angles.sin()
