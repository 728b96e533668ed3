"""The same Qwen3, arranged for a CPU: fewer and larger operations, packed weights.

`Qwen3` is the one to read.  This one computes the same logits (to float32
rounding; in narrower formats it rounds less often) in about half the time, by

* packing each matrix once into the layout oneDNN multiplies with, where it has one,
* folding the weights of the norms into the matrices that follow them,
* folding q_norm, k_norm and the attention scale into the rotary tables,
* norming with one vector norm and a hypot: `x / hypot(|x|, sqrt(H eps))`,
* treating the query heads that share a key head as more rows of one product.

In bfloat16 and float16 only the matrices and their products are; what lies between
is float32.  Left out: GPUs (`Qwen3` runs there).

Shape letters as in `qwen3`: n new tokens, t tokens in the cache afterwards, h
query heads, g key-value heads, d head dimension, H hidden size.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import sqrt

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from course_utils.decoding.trees import tree_places
from course_utils.models.processor import packs
from course_utils.models.qwen3 import Head, Qwen3, Qwen3Session

CHUNK = 128  # most tokens in one pass; longer prompts take several
AT_ONCE = 4096  # rows of a matrix that are folded at once, in float32
ROWS = 4  # the number of rows the packed layout is chosen for: a verification's


def product(
    weight: Tensor, norm: Tensor | None = None, factor: float = 1.0
) -> Callable[[Tensor], Tensor]:
    """x -> x @ (weight * norm * factor).T, in weight's dtype.

    weight (out, in) is packed by oneDNN where that can pack its dtype, the way
    torch.compile's freezing does it; elsewhere it is a plain matrix.
    """
    weight = folded(weight, norm, factor)
    if not packs(weight.dtype):
        return lambda x: F.linear(x, weight)
    packed = torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), ROWS)
    multiply = torch.ops.mkldnn._linear_pointwise.default
    return lambda x: multiply(x, packed, None, "none", [], "")


def folded(weight: Tensor, norm: Tensor | None, factor: float) -> Tensor:
    """weight * norm * factor in weight's dtype, (out, in); without a norm it is the weight."""
    if norm is None:
        return weight
    scale = norm.float() * factor
    new = torch.empty_like(weight)
    for rows, to in zip(weight.split(AT_ONCE), new.split(AT_ONCE), strict=True):
        to.copy_(rows.float() * scale)
    return new


class PackedQwen3:
    """A `Qwen3` packed for decoding on a CPU; a LanguageModel of `course_utils.decoding`.

    Holds its own copy of the weights, about as much memory again as `model`; see `packing`
    for a model that is not needed afterwards.

    Raises:
        ValueError: the model is no `Qwen3`, or not on a CPU.
    """

    def __init__(self, model: Qwen3):
        if not isinstance(model, Qwen3):
            raise ValueError(f"only a Qwen3 can be packed, and this is a {type(model).__name__}")
        if model.device.type != "cpu":
            raise ValueError(f"the model is on {model.device}; weights are packed for a CPU only")
        c = self.config = model.config
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self.device, self.dtype = model.device, model.dtype
        self.embed_tokens, self.norm, self.plain_head = (
            model.embed_tokens,
            model.norm,
            model.lm_head,
        )
        # read from the config once: its attributes are slow
        h, g, d = c.num_attention_heads, c.num_key_value_heads, c.head_dim
        self.shape, self.intermediate_size = (h, g, d), c.intermediate_size
        root = sqrt(c.hidden_size)
        self.blocks, norms, self.weight_bytes = [], [], model.lm_head.nbytes  # read in a pass
        for b in model.blocks:
            self.weight_bytes += sum(
                matrix.nbytes for matrix in (b.qkv_proj, b.o_proj, b.gate_up_proj, b.down_proj)
            )
            # 1/sqrt(d) of the scores cancels the sqrt(d) of q's norm
            queries, keys = b.q_norm.float().expand(h, d), sqrt(d) * b.k_norm.float().expand(g, d)
            norms.append(torch.cat([queries, keys]))
            self.blocks.append(
                (
                    product(b.qkv_proj, b.input_layernorm, root),
                    product(b.o_proj),
                    product(b.gate_up_proj, b.post_attention_layernorm, root),
                    product(b.down_proj),
                )
            )
        del b  # the last block may go, too, before the largest matrix is there three times
        self.lm_head = product(model.lm_head, model.norm, root)
        self.straight = torch.stack(norms)[:, None]  # (layers, 1, h + g, d)
        left, right = self.straight.chunk(2, dim=-1)
        self.crossed = torch.cat([-right, left], dim=-1)  # for the rolled half; see `_rotate`
        self.cos, self.sin = model.cos.float()[:, None], model.sin.float()[:, None]
        self.hidden_floor = torch.tensor(sqrt(c.hidden_size * c.rms_norm_eps))
        self.head_floor = torch.tensor(sqrt(d * c.rms_norm_eps))
        # mask[j, context - length + s] says whether new token j sees token s
        places = torch.arange(self.context + CHUNK) - self.context
        hidden = places > torch.arange(CHUNK)[:, None]
        mask = torch.zeros(hidden.shape).masked_fill(hidden, float("-inf"))
        self.mask = mask.repeat_interleave(h // g, dim=0)  # heads that share a key are rows

    @property
    def layers(self) -> int:
        return len(self.blocks)

    def start(self, prompt: Sequence[int], taps: Sequence[int] = ()) -> "PackedSession":
        """As `Qwen3.start`."""
        session = PackedSession(self, taps=taps)
        session.process(prompt)
        return session

    def embed(self, tokens: Sequence[int]) -> Tensor:
        """(n, H), float32, new: what the first block reads."""
        return F.embedding(torch.tensor(tokens), self.embed_tokens).float()

    def logits(self, x: Tensor) -> Tensor:
        """(n, H) -> (n, vocabulary), float32."""
        return self.lm_head(self._unit(x)).float()

    def forward(
        self,
        tokens: Sequence[int],
        layers: Sequence[Tensor],
        length: int,
        parents: Sequence[int] | None = None,
        states: Mapping[int, Tensor] = {},
    ) -> Tensor:
        """Hidden states (n, H), float32, before the last norm; as `Qwen3.forward`.

        layers has a cache (context, 2g, d) for each of the blocks that are run, the first ones.
        """
        t, size, depth = length + len(tokens), self.intermediate_size, len(layers)
        x = self.embed(tokens)
        at, mask = self._places(length, t, parents)
        straight = (self.cos[at] * self.straight[:depth]).unbind()  # (n, h + g, d) a layer
        crossed = (self.sin[at] * self.crossed[:depth]).unbind()
        for done, (block, kv, cos, sin) in enumerate(
            zip(self.blocks[:depth], layers, straight, crossed, strict=True), 1
        ):
            qkv_proj, o_proj, gate_up_proj, down_proj = block
            qkv = qkv_proj(self._unit(x)).float()
            x += o_proj(self._attention(qkv, kv, cos, sin, length, mask))
            gate_up = gate_up_proj(self._unit(x))
            x += down_proj(F.silu(gate_up[:, :size]).mul_(gate_up[:, size:]))
            if done in states:
                states[done][length:t] = x
        return x

    def _places(
        self, length: int, t: int, parents: Sequence[int] | None
    ) -> tuple[slice | Tensor, Tensor | None]:
        """The new tokens' positions, and what is added to their scores, (n h/g, t)."""
        h, g, _ = self.shape
        if parents is not None:
            positions, seen = tree_places(length, t - length, parents)
            mask = np.where(seen, np.float32(0), np.float32(-np.inf))
            return torch.from_numpy(positions), torch.from_numpy(mask.repeat(h // g, axis=0))
        if t - length == 1:
            return slice(length, t), None
        start = self.context - length
        return slice(length, t), self.mask[: (t - length) * h // g, start : start + t]

    def _attention(
        self, qkv: Tensor, kv: Tensor, cos: Tensor, sin: Tensor, length: int, mask: Tensor | None
    ) -> Tensor:
        """(n, (h + 2g) d) -> (n, h d); writes the new keys and values into kv (context, 2g, d)."""
        n, (h, g, d) = len(qkv), self.shape
        qkv = qkv.view(n, h + 2 * g, d)
        self._rotate(qkv[:, : h + g], cos, sin)
        return self._mixed(qkv, kv, length, mask).to(self.dtype)

    def _mixed(self, qkv: Tensor, kv: Tensor, length: int, mask: Tensor | None) -> Tensor:
        """(n, h + 2g, d) -> (n, h d), of one text.  See `batched`."""
        n, t, (h, g, d) = len(qkv), length + len(qkv), self.shape
        kv[length:t] = qkv[:, h:]
        keys, values = (
            kv[:t, :g].permute(1, 2, 0),
            kv[:t, g:].transpose(0, 1),
        )  # (g, d, t), (g, t, d)
        q = qkv[:, :h].view(n, g, h // g, d).transpose(0, 1).reshape(g, n * h // g, d)
        scores = torch.bmm(q, keys) if mask is None else torch.baddbmm(mask, q, keys)
        out = torch.bmm(scores.softmax(-1), values)
        return out.view(g, n, h // g, d).transpose(0, 1).reshape(n, h * d)

    def _rotate(self, qk: Tensor, cos: Tensor, sin: Tensor) -> None:
        """Norm each head and turn it, in place; cos and sin hold the norms' weights, too.

        `Qwen3._rotate` negates the right half; here the sign is in `sin`.
        """
        unit = qk / torch.hypot(torch.linalg.vector_norm(qk, dim=-1, keepdim=True), self.head_floor)
        torch.mul(unit, cos, out=qk).addcmul_(unit.roll(unit.shape[-1] // 2, dims=-1), sin)

    def _unit(self, x: Tensor) -> Tensor:
        """RMSNorm over sqrt(H), without its weight: both are in the matrix that follows."""
        norm = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        return (x / torch.hypot(norm, self.hidden_floor)).to(self.dtype)


def packing(model: Qwen3) -> PackedQwen3:
    """Pack a model and use it up: each block's matrices are freed as soon as they are packed."""
    blocks = model.blocks
    model.blocks = (blocks.pop(0) for _ in range(len(blocks)))
    return PackedQwen3(model)


class PackedSession(Qwen3Session):
    """The same with a cache of another shape, in float32, as its states are."""

    chunk = CHUNK

    def __init__(
        self,
        model: PackedQwen3,
        cache: Tensor | None = None,
        head: Head | None = None,
        taps: Sequence[int] = (),
    ):
        super().__init__(model, cache, head, taps)
        self._layers = self.cache.unbind()

    def _new_cache(self) -> Tensor:
        c = self._model.config
        context, groups = self._model.context, c.num_key_value_heads
        return torch.empty(c.num_hidden_layers, context, 2 * groups, c.head_dim)

    @torch.inference_mode()
    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> np.ndarray:
        """Logits (len(tokens), vocabulary), float32; NumPy is quicker with a few rows."""
        return self._head(self.process(tokens, parents)).numpy()

    def _parts(
        self, n: int, parents: Sequence[int] | None
    ) -> Iterable[tuple[slice, Sequence[int] | None]]:
        tree = min(len(parents or ()), n)
        if tree > CHUNK:
            raise ValueError(f"a tree of {tree} new nodes does not fit a pass of {CHUNK} tokens")
        return super()._parts(n, parents)

    @torch.inference_mode()
    def keep(self, length: int, path: Sequence[int]) -> None:
        """As `Qwen3Session.keep`."""
        slots = torch.tensor(path, dtype=torch.long) + length
        self.length = length + len(path)
        self.cache[:, length : self.length] = self.cache[:, slots]
        for states in self.states.values():
            states[length : self.length] = states[slots]
