"""Draft heads: small modules that guess on from the hidden states of a target that stands still.

`Medusa`: K heads, each of which guesses one position, without a look at the others
(REFERENCES.md: medusa2024).  `EagleHead`: one Qwen3 block that reads a state and the token
after it, and is unrolled on its own outputs.  With three tapped layers, an own head and a draft
vocabulary it is EAGLE-3's (REFERENCES.md: li2025eagle3), with the last layer alone and the target's
own head it is a module for multi-token prediction (REFERENCES.md: deepseek2024, fastmtp2025).

Positions: x_0 .. x_t is the text of which the target has processed x_0 .. x_a; the token x_{a+1}
is drawn, and step 0 of a head guesses x_{a+2}.  a is the *anchor*; step s guesses x_{a+2+s}.
Here the modules are as training needs them: whole windows, all anchors of a window at once.
What a drafter serves with are the same weights, a token at a time (`head_models`).

Shape letters: B windows of L tokens, A anchors, d width of the target's hidden states, V its
vocabulary, D the draft vocabulary, K heads; n positions, g key-value heads, r query heads a
key-value head, e width of a head.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

Seen = list[tuple[Tensor, Tensor]]  # keys and values of each step


@dataclass(frozen=True)
class Shape:
    """The sizes of an `EagleHead`; those of its block are to be its target's."""

    hidden: int  # d
    intermediate: int  # width inside the MLP
    heads: int  # query heads
    key_value_heads: int
    head_dim: int
    rope_theta: float
    aux_layers: tuple[int, ...]  # after so many layers the states are read; one alone is not fused
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
    """A Qwen3 layer, with its names and arithmetic (`models.qwen3.readable`), unrolled.

    What differs is what a query sees: the keys of the text up to its anchor, and behind them those
    that the layer made on its own, at the same anchor, in the steps before.
    """

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

    def forward(self, x: Tensor, positions: Tensor, anchors: Tensor, seen: Seen) -> Tensor:
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

    def forward(self, x: Tensor, positions: Tensor, anchors: Tensor, seen: Seen) -> Tensor:
        """What the anchors (A,) read at one step: (B, A, d).

        Step 0 is given the x (B, n, d) of all positions, later steps those of the anchors.
        `seen` are keys and values of the steps before, (B, g, n or A, e); this step's are added.
        """
        b, n, _ = x.shape
        g, e = self.shape.key_value_heads, self.shape.head_dim
        k = self.k_norm(self.k_proj(x).view(b, n, g, e)).transpose(1, 2)
        v = self.v_proj(x).view(b, n, g, e).transpose(1, 2)
        seen.append((self._rotate(k, positions), v))
        if len(seen) == 1:
            x, positions = x[:, anchors], positions[anchors]
        q = self.q_norm(self.q_proj(x).view(b, len(anchors), -1, e)).transpose(1, 2)
        q = self._rotate(q, positions)
        keys, values = seen[0]
        n = keys.shape[2]
        grouped = q.reshape(b, g, -1, e)  # the r query heads of a key one below the other
        scores = (grouped @ keys.mT).view(b, g, -1, len(anchors), n).float()
        later = torch.arange(n, device=x.device) > anchors[:, None]  # (A, n)
        scores = scores.masked_fill(later, -torch.inf)
        q = grouped.view(b, g, -1, len(anchors), e)
        own = [(q * k[:, :, None]).sum(-1, keepdim=True).float() for k, _ in seen[1:]]
        weights = (torch.cat([scores, *own], -1) * e**-0.5).softmax(-1).to(v.dtype)
        out = weights[..., :n].reshape(b, g, -1, n) @ values
        out = out.view(b, g, -1, len(anchors), e)
        for j, (_, own_values) in enumerate(seen[1:]):
            out = out + weights[..., n + j, None] * own_values[:, :, None]
        return self.o_proj(out.flatten(1, 2).transpose(1, 2).flatten(2))

    def _rotate(self, x: Tensor, positions: Tensor) -> Tensor:
        """Rotary positions, as in `models.qwen3.readable`: x (..., n, e), positions (n,)."""
        e = self.shape.head_dim
        steps = torch.arange(0, e, 2, device=x.device).float() / e
        angles = torch.outer(positions.float(), self.shape.rope_theta**-steps).repeat(1, 2)
        left, right = x.chunk(2, dim=-1)
        return x * angles.cos() + torch.cat([-right, left], dim=-1) * angles.sin()


@dataclass(frozen=True)
class Ends:
    """What the heads share with their target and do not store."""

    embed_tokens: Tensor  # (V, d)
    norm: Tensor  # (d,), the weight of the last norm
    lm_head: Tensor  # (V, d)
    eps: float  # of the norms

    @classmethod
    def of(cls, target: Any) -> "Ends":
        """Take those of a transformers `Qwen3ForCausalLM`, or of a `Qwen3` in any form."""
        inside = getattr(target, "model", target)
        tensors = [inside.embed_tokens, inside.norm, target.lm_head]
        tensors = [t.weight if isinstance(t, nn.Module) else t for t in tensors]
        embedding, norm, head = (t.detach() for t in tensors)
        return cls(embedding, norm, head, target.config.rms_norm_eps)

    def float(self) -> "Ends":
        return Ends(self.embed_tokens.float(), self.norm.float(), self.lm_head.float(), self.eps)


class Medusa(nn.Module):
    """K heads of residual layers x + SiLU(W x), W = 0 before training, and the target's own head.

    So each head begins as the target's own next-token head.  Medusa gives each head a copy of
    the target's head and trains that; here it stays the target's, since K copies would be larger
    than the rest of what is stored.

    Args:
        layers: residual layers a head.
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
    """One block, unrolled on its own outputs.  Its parameters, and what a drafter does with them:

    tap_norms.I.weight (d,), fuse.weight (d, aux_layers d)
        only if there are several aux_layers: the first state is fuse [norm_I(state after tap I)];
        with one tap it is the state itself, before the target's last norm.
    embedding_norm.weight, state_norm.weight (d,), join.weight (d, 2d)
        the block reads join [embedding_norm(embedding of the token); state_norm(state)].
    block.*
        the parameters of a Qwen3 layer, with its names; its output is the next state.
    norm.weight (d,), lm_head.weight (D, d), draft_tokens (D,), ascending
        only with a draft vocabulary: logits are lm_head norm(state), of the tokens draft_tokens.
        Without one the target's own norm and head make them.
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
            self.tap_norms = nn.ModuleList(Norm(d, eps) for _ in shape.aux_layers)
            self.fuse = nn.Linear(len(shape.aux_layers) * d, d, bias=False)
        self.embedding_norm, self.state_norm = Norm(d, eps), Norm(d, eps)
        self.join = nn.Linear(2 * d, d, bias=False)
        self.block = Block(shape, eps)
        self.register_buffer("embed_tokens", ends.embed_tokens, persistent=False)
        if shape.draft_vocabulary is None:
            self.register_buffer("target_norm", ends.norm, persistent=False)
            self.register_buffer("target_head", ends.lm_head, persistent=False)
        else:
            self.norm = Norm(d, eps)
            self.lm_head = nn.Linear(d, shape.draft_vocabulary, bias=False)
            self.register_buffer("draft_tokens", torch.arange(shape.draft_vocabulary))

    def first_state(self, aux_states: Tensor | Sequence[Tensor]) -> Tensor:
        """States after the tapped layers (aux_layers, ..., d) -> (..., d)."""
        if len(aux_states) == 1:
            return aux_states[0]
        normed = [norm(x) for norm, x in zip(self.tap_norms, aux_states, strict=True)]
        return self.fuse(torch.cat(normed, -1))

    def joined(self, tokens: Tensor, state: Tensor) -> Tensor:
        """Tokens (...) and states (..., d) -> what the block reads (..., d)."""
        embedding = F.embedding(tokens, self.embed_tokens)
        return self.join(torch.cat([self.embedding_norm(embedding), self.state_norm(state)], -1))

    def logits(self, state: Tensor) -> Tensor:
        """(..., d) -> (..., D), or (..., V) without a draft vocabulary."""
        if self.shape.draft_vocabulary is None:
            normed = F.rms_norm(state.float(), self.target_norm.shape, self.target_norm, self.eps)
            return F.linear(normed, self.target_head)
        return self.lm_head(self.norm(state))

    def forward(
        self, aux_states: Tensor, tokens: Tensor, steps: int, anchors: Tensor
    ) -> list[Tensor]:
        """The logits that serving would see at the anchors, if the text went on as it does.

        At step s the anchor a reads the token x_{a+1+s} and the head's own last state.  It sees
        the keys of the true states of all positions up to a, and behind them those that it has
        made on its own: training-time test (REFERENCES.md: li2025eagle3).

        Args:
            aux_states: (aux_layers, B, L, d), of the positions 0 .. L-1.
            tokens: (B, L), the text from there on.
            anchors: (A,) positions, ascending, at most L - 1 - steps.

        Returns:
            `steps` tensors (B, A, D or V).
        """
        rows: list[Tensor] = []
        seen: Seen = []
        before = int(tokens.shape[1]) - 1  # positions whose next token is known
        x = self.joined(tokens[:, 1:], self.first_state(aux_states[:, :, :before]))
        positions = torch.arange(before, device=tokens.device)
        state = began = x[:, anchors]
        for step in range(steps):
            if step > 0:
                positions = anchors + step
                x = self.read_on(step, began, tokens[:, positions + 1], state)
            state = self.block(x, positions, anchors, seen)
            rows.append(self.logits(state))
        return rows

    def read_on(self, step: int, began: Tensor, tokens: Tensor, state: Tensor) -> Tensor:
        """What the block reads at a later step (..., d): the next tokens, its own last state.

        began is what it read at the anchors (..., d).
        """
        return self.joined(tokens, state)


class BlockHead(EagleHead):
    """The same block, asked for all its guesses in one pass, which know nothing of one another.

    In place of the tokens that are still to be guessed and of the states before them, row s reads
    what the anchor reads, and a mask's embedding added to it (REFERENCES.md: an2025pard,
    hui2026peagle).  A row sees the rows before it and none behind it, so that it is the same
    however many are asked for.

    mask_embeddings (steps - 1, d)
    """

    def __init__(self, shape: Shape, ends: Ends, steps: int):
        super().__init__(shape, ends)
        self.steps = steps
        self.mask_embeddings = nn.Parameter(torch.zeros(steps - 1, shape.hidden))

    def read_on(self, step: int, began: Tensor, tokens: Tensor, state: Tensor) -> Tensor:
        return began + self.mask_embeddings[step - 1]


WEIGHTS = "model.safetensors"


def save_head(head: Medusa | EagleHead, folder: Path) -> None:
    """Write its own weights in bfloat16, nothing that is its target's, and their shape.

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
    weights = {
        name: tensor.to(torch.bfloat16 if tensor.is_floating_point() else torch.int32).contiguous()
        for name, tensor in head.state_dict().items()
    }
    save_file(weights, folder / WEIGHTS)
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")


def load_head(folder: Path, target: Any) -> Medusa | EagleHead:
    """Load a head in float32, frozen, that shares the ends of its target.

    Args:
        target: a transformers `Qwen3ForCausalLM` or a `course_utils.models.qwen3.readable.Qwen3`.

    Raises:
        FileNotFoundError: there is no head in `folder`.
        ValueError: it was trained for a target of another shape.
    """
    if not (folder / "config.json").is_file():
        raise FileNotFoundError(
            f"there is no {folder / 'config.json'}: name a folder of data/heads, or make one with "
            "'python -m workshop train --stage heads'"
        )
    config = json.loads((folder / "config.json").read_text())
    shape = config.get("shape", {})
    sizes = target.config.hidden_size, target.config.vocab_size
    if (config["hidden"], config["vocabulary_size"]) != sizes or (
        max(shape.get("aux_layers", [0])) > target.config.num_hidden_layers
    ):
        raise ValueError(
            f"the head in {folder} is for a target of width {config['hidden']}, with "
            f"{config['vocabulary_size']} tokens, or with more layers than this one: a head works "
            "only with the target that it was trained on"
        )
    ends = Ends.of(target).float()
    head: Medusa | EagleHead
    if config["kind"] == "medusa":
        head = Medusa(ends, config["heads"], config["layers"])
    else:
        shape = Shape(**{**shape, "aux_layers": tuple(shape["aux_layers"])})
        block = config["kind"] == "block"
        head = BlockHead(shape, ends, config["steps"]) if block else EagleHead(shape, ends)
    head.load_state_dict(load_file(folder / WEIGHTS))
    return head.requires_grad_(False).eval()
