"""Draft heads: small modules that guess on from the hidden states of a target that stands still.

`Medusa`: K heads, each of which guesses one position, without a look at the others
(REFERENCES.md: medusa2024).  `UnrolledHead`: one Qwen3 block that reads a state and the token
after it, and is unrolled on its own outputs.  With three tapped layers, an own head and a draft
vocabulary it is EAGLE-3's (REFERENCES.md: li2025eagle3), with the last layer alone and the target's
own head it is a module for multi-token prediction, shared by all steps (REFERENCES.md:
deepseek2024, fastmtp2025).

Positions: x_0 .. x_t is the text of which the target has processed x_0 .. x_a; the token x_{a+1}
is drawn, and step 0 of a head guesses x_{a+2}.  a is the *anchor*; step s guesses x_{a+2+s}.

Here the modules are as training needs them: whole windows, all anchors of a window at once.
What a drafter serves with are the same weights, a token at a time.

Shape letters: B windows of L tokens, A anchors, d width of the target's hidden states, V its
vocabulary, D the draft vocabulary, K heads.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_utils.models.unrolled_block import Block, Norm, Shape


@dataclass(frozen=True)
class Ends:
    """What the heads share with their target and do not store."""

    embed_tokens: Tensor  # (V, d)
    norm: Tensor  # (d,), the weight of the last norm
    lm_head: Tensor  # (V, d)
    eps: float  # of the norms

    @classmethod
    def of(cls, target) -> "Ends":
        """Of a transformers `Qwen3ForCausalLM`, or a `Qwen3` in any form, shared or not."""
        inside = getattr(target, "model", target)
        head = getattr(inside, "plain_head", None)  # where `lm_head` is packed
        tensors = [inside.embed_tokens, inside.norm, target.lm_head if head is None else head]
        tensors = [t.weight if isinstance(t, nn.Module) else t for t in tensors]
        return cls(*(t.detach() for t in tensors), target.config.rms_norm_eps)

    def float(self) -> "Ends":
        """The same in float32."""
        return Ends(self.embed_tokens.float(), self.norm.float(), self.lm_head.float(), self.eps)


class Medusa(nn.Module):
    """K heads of residual layers x + SiLU(W x), W = 0 before training, and the target's own head.

    So each head begins as the target's own next-token head.  Medusa gives each head a copy of
    the target's head and trains that; here it stays the target's, since K copies would be larger
    than the rest of what is stored.

    Args:
        layers: residual layers a head.
    """

    def __init__(self, ends: Ends, heads: int = 4, layers: int = 1):
        super().__init__()
        self.eps = ends.eps
        self.register_buffer("target_norm", ends.norm, persistent=False)
        self.register_buffer("lm_head", ends.lm_head, persistent=False)
        width = ends.lm_head.shape[1]
        blocks = [
            [nn.Linear(width, width, bias=False) for _ in range(layers)] for _ in range(heads)
        ]
        self.heads = nn.ModuleList(nn.ModuleList(block) for block in blocks)
        for weight in self.parameters():
            nn.init.zeros_(weight)

    @property
    def steps(self) -> int:
        return len(self.heads)

    def forward(self, h: Tensor) -> Tensor:
        """States after the target's last norm (..., d) -> logits (K, ..., V).

        From the state of x_a, head k guesses x_{a+2+k}.
        """
        return torch.stack([F.linear(self._states(h, k), self.lm_head) for k in range(self.steps)])

    def _states(self, h: Tensor, k: int) -> Tensor:
        for layer in self.heads[k]:
            h = h + F.silu(layer(h))
        return h


class UnrolledHead(nn.Module):
    """One block, unrolled on its own outputs.  Its parameters, and what a drafter does with them:

    tap_norms.I.weight (d,), fuse.weight (d, taps d)
        only if there are several taps: the first state is fuse [norm_I(state after tap I)];
        with one tap it is the state itself, before the target's last norm.
    embedding_norm.weight, state_norm.weight (d,), join.weight (d, 2d)
        the block reads join [embedding_norm(embedding of the token); state_norm(state)].
    block.*
        the parameters of a Qwen3 layer, with its names; its output is the next state.
    norm.weight (d,), lm_head.weight (D, d), draft_tokens (D,), ascending
        only with a draft vocabulary: logits are lm_head norm(state), of the tokens draft_tokens.
        Without one the target's own norm and head make them.
    """

    def __init__(self, shape: Shape, ends: Ends):
        super().__init__()
        d, eps = shape.hidden, ends.eps
        self.shape, self.eps = shape, eps
        if len(shape.taps) > 1:
            self.tap_norms = nn.ModuleList(Norm(d, eps) for _ in shape.taps)
            self.fuse = nn.Linear(len(shape.taps) * d, d, bias=False)
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

    def first_state(self, taps: Tensor) -> Tensor:
        """States after the tapped layers (taps, ..., d) -> (..., d)."""
        if len(taps) == 1:
            return taps[0]
        normed = [norm(x) for norm, x in zip(self.tap_norms, taps, strict=True)]
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

    def forward(self, taps: Tensor, tokens: Tensor, steps: int, anchors: Tensor) -> list[Tensor]:
        """The logits that serving would see at the anchors, if the text went on as it does.

        At step s the anchor a reads the token x_{a+1+s} and the head's own last state.  It sees
        the keys of the true states of all positions up to a, and behind them those that it has
        made on its own: training-time test (REFERENCES.md: li2025eagle3).

        Args:
            taps: (taps, B, L, d), of the positions 0 .. L-1.
            tokens: (B, L), the text from there on.
            anchors: (A,) positions, ascending, at most L - 1 - steps.

        Returns:
            `steps` tensors (B, A, D or V).
        """
        state, rows, seen = None, [], []
        before = int(tokens.shape[1]) - 1  # positions whose next token is known
        x = self.joined(tokens[:, 1:], self.first_state(taps[:, :, :before]))
        positions = torch.arange(before, device=tokens.device)
        for step in range(steps):
            if step > 0:
                positions = anchors + step
                x = self.joined(tokens[:, positions + 1], state)
            state = self.block(x, positions, anchors, seen)
            rows.append(self.logits(state))
        return rows
