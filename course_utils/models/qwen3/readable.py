"""Qwen3's forward pass, written to be read, and its key-value cache.

Architecture: that of the report (REFERENCES.md: yang2025qwen3):
RMSNorm before each half of a block, grouped-query attention with normalised
queries and keys, rotary positions, SwiGLU.  A Llama is the same without the norms of
queries and keys.  Weights come from transformers and keep its names; logits equal those of
`Qwen3ForCausalLM` and `LlamaForCausalLM` to float32 rounding.

Two things differ, for speed: q/k/v and gate/up are one matrix each, and the
cache is allocated once and addressed by position, so that a rollback changes one
integer.  Batches are in `batched`.  Left out: sliding windows, RoPE scaling, biases, training.

Shape letters: n new tokens, t tokens in the cache afterwards, h query heads,
g key-value heads, d head dimension.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
import torch.nn.functional as F
from torch import Tensor
from transformers import PretrainedConfig, PreTrainedModel

from course_utils.decoding.contracts import Rows
from course_utils.decoding.trees import tree_places
from course_utils.models.device import fitting_context, timed_on

CHUNK = 512  # the most tokens in one pass, to limit memory; longer prompts take several


class AnyLayout(Protocol):
    """The places of the new tokens of a pass: a `Layout`, or a batch's `RaggedLayout`."""

    @property
    def positions(self) -> slice | Tensor:
        """Positions of the new tokens, for the rotary embedding."""

    def attend(self, q: Tensor, k: Tensor, v: Tensor, kv: Tensor) -> Tensor:
        """Write k and v (g, n, d) into one layer of the cache, kv (2, slots, g, context, d).

        Returns:
            (h, n, d), the weighted values for each query of q (h, n, d).
        """


@dataclass(frozen=True)
class Layout:
    """The places of the new tokens of a pass in the cache of one text, and what they see."""

    start: int  # they are written to slots start .. stop - 1
    stop: int
    positions: slice | Tensor  # of the new tokens, for the rotary embedding
    mask: Tensor | None  # (n, stop), True where a new token sees a slot; None: it sees all

    def attend(self, q: Tensor, k: Tensor, v: Tensor, kv: Tensor) -> Tensor:
        """As `AnyLayout.attend`."""
        kv[0, 0, :, self.start : self.stop], kv[1, 0, :, self.start : self.stop] = k, v
        keys, values = kv[..., : self.stop, :]
        out = F.scaled_dot_product_attention(q[None], keys, values, self.mask, enable_gqa=True)
        return out[0]


@dataclass(frozen=True)
class Block:
    """The weights of one decoder layer."""

    input_layernorm: Tensor  # (hidden,)
    qkv_proj: Tensor  # ((h + 2g) d, hidden): q_proj, k_proj, v_proj stacked
    q_norm: Tensor | None  # (d,); None in a Llama
    k_norm: Tensor | None
    o_proj: Tensor  # (hidden, h d)
    post_attention_layernorm: Tensor  # (hidden,)
    gate_up_proj: Tensor  # (2 intermediate, hidden): gate_proj, up_proj stacked
    down_proj: Tensor  # (hidden, intermediate)

    @classmethod
    def take(cls, weights: dict[str, Tensor], layer: int) -> "Block":
        """Move one layer out of a state dict, so that memory is needed only once."""

        def matrix(*names: str) -> Tensor:
            parts = [weights.pop(f"model.layers.{layer}.{name}.weight") for name in names]
            return torch.cat(parts) if len(parts) > 1 else parts[0]

        return cls(
            matrix("input_layernorm"),
            matrix("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
            weights.pop(f"model.layers.{layer}.self_attn.q_norm.weight", None),
            weights.pop(f"model.layers.{layer}.self_attn.k_norm.weight", None),
            matrix("self_attn.o_proj"),
            matrix("post_attention_layernorm"),
            matrix("mlp.gate_proj", "mlp.up_proj"),
            matrix("mlp.down_proj"),
        )


class Qwen3:
    """A Qwen3 or a Llama ready to decode; a LanguageModel of `course_utils.decoding`.

    Its sessions place new tokens by `layout`.

    Args:
        config: a transformers `Qwen3Config` or `LlamaConfig` for which `left_out` is None.
        weights: the state dict of a `Qwen3ForCausalLM` or `LlamaForCausalLM`, all in one dtype
            and on one device; it is emptied.
        context: the largest number of tokens in a session; see `fitting_context`.

    Raises:
        ValueError: the config or the weights need something that is left out here.
    """

    verifies_trees = True

    def __init__(
        self, config: PretrainedConfig, weights: dict[str, Tensor], context: int | None = None
    ):
        if extra := left_out(config):
            raise ValueError(f"this forward pass does not support {extra}: take TransformersModel")
        self.config = config
        self.vocabulary_size = config.vocab_size
        self.context = fitting_context(context, config)
        self.embed_tokens = weights.pop("model.embed_tokens.weight")  # (vocabulary, hidden)
        self.lm_head = weights.pop("lm_head.weight", self.embed_tokens)
        self.norm = weights.pop("model.norm.weight")
        self.blocks = [Block.take(weights, i) for i in range(config.num_hidden_layers)]
        self.layers = len(self.blocks)
        self.device, self.dtype = self.embed_tokens.device, self.embed_tokens.dtype
        if weights:
            raise ValueError(
                f"this forward pass does not use {min(weights)}: give a Qwen3 or a Llama"
            )
        self.cos, self.sin = self._rotations()
        timed_on(self.device)

    @classmethod
    def from_transformers(cls, model: PreTrainedModel, context: int | None = None) -> "Qwen3":
        """Wrap a loaded `Qwen3ForCausalLM` or `LlamaForCausalLM`; share all unfused weights."""
        return cls(model.config, dict(model.state_dict()), context)

    @property
    def weight_bytes(self) -> int:
        """The bytes that a pass reads: the matrices of all blocks, and the head."""
        blocks = [(b.qkv_proj, b.o_proj, b.gate_up_proj, b.down_proj) for b in self.blocks]
        return sum(matrix.nbytes for block in blocks for matrix in block) + self.lm_head.nbytes

    def start(self, prompt: Sequence[int], aux_layers: Sequence[int] = ()) -> "Qwen3Session":
        """Return a session that has processed `prompt`; for the rest see `Qwen3Session`."""
        session = Qwen3Session(self, aux_layers=aux_layers)
        session.process(prompt)
        return session

    def layout(self, length: int, n: int, parents: Sequence[int] | None = None) -> Layout:
        """Place `n` tokens after `length` cached ones; with `parents` the last slots are a tree.

        See `TreeSession` of `course_utils.decoding`.
        """
        stop = length + n
        if parents is not None:
            positions, visible = map(torch.from_numpy, tree_places(length, n, parents))
            return Layout(length, stop, positions.to(self.device), visible.to(self.device))
        slots = torch.arange(stop, device=self.device)
        mask = slots <= slots[length:, None] if n > 1 else None
        return Layout(length, stop, slice(length, stop), mask)

    def forward(
        self,
        tokens: Sequence[int] | Tensor,
        cache: Iterable[Tensor],
        layout: AnyLayout,
        states: Mapping[int, Tensor] = {},
    ) -> Tensor:
        """Return the hidden states (n, hidden) of `tokens`, at the places of `layout`.

        cache has a (2, slots, g, context, d) per layer; with fewer layers, only that many blocks
        are run.  The last norm is part of `logits`.

        Args:
            tokens: token ids, or the first block's input, (n, hidden).
            states: {blocks run: (n, hidden)}, to be filled.
        """
        x = self.embed(tokens)  # (n, hidden)
        cos, sin = self.cos[layout.positions], self.sin[layout.positions]  # (n, d)
        for done, (block, kv) in enumerate(zip(self.blocks, cache, strict=False), 1):
            h = self._norm(x, block.input_layernorm)
            x = x + self._attention(block, h, kv, cos, sin, layout)
            h = self._norm(x, block.post_attention_layernorm)
            gate, up = F.linear(h, block.gate_up_proj).chunk(2, dim=-1)
            x = x + F.linear(F.silu(gate) * up, block.down_proj)
            if done in states:
                states[done].copy_(x)
        return x

    def embed(self, tokens: Sequence[int] | Tensor) -> Tensor:
        """Return the first block's input (n, hidden); such rows are returned unchanged."""
        if isinstance(tokens, Tensor):
            return tokens.to(self.dtype)
        ids = torch.tensor(tokens, dtype=torch.long, device=self.device)
        return F.embedding(ids, self.embed_tokens)

    def logits(self, hidden: Tensor) -> Tensor:
        """(n, hidden) -> (n, vocabulary), float32 so that distributions are not rounded twice."""
        return F.linear(self._norm(hidden, self.norm), self.lm_head).float()

    def _attention(
        self, block: Block, x: Tensor, kv: Tensor, cos: Tensor, sin: Tensor, layout: AnyLayout
    ) -> Tensor:
        """(n, hidden) -> (n, hidden)"""
        n, d = len(x), self.config.head_dim
        heads, groups = self.config.num_attention_heads, self.config.num_key_value_heads
        qkv = F.linear(x, block.qkv_proj).view(n, heads + 2 * groups, d).transpose(0, 1)
        q, k, v = qkv.tensor_split([heads, heads + groups])  # (h, n, d), (g, n, d), (g, n, d)
        if block.q_norm is not None and block.k_norm is not None:
            q, k = self._norm(q, block.q_norm), self._norm(k, block.k_norm)
        q, k = self._rotate(q, cos, sin), self._rotate(k, cos, sin)
        out = layout.attend(q, k, v, kv)  # (h, n, d)
        return F.linear(out.transpose(0, 1).reshape(n, heads * d), block.o_proj)

    def _norm(self, x: Tensor, weight: Tensor) -> Tensor:
        """RMSNorm over the last axis, in float32 as in transformers."""
        wide = x.float()
        scale = torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.config.rms_norm_eps)
        return weight * (wide * scale).to(x.dtype)

    @staticmethod
    def _rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """Rotary positions (REFERENCES.md: su2021): rotate the pair of entries i and i + d/2."""
        left, right = x.chunk(2, dim=-1)
        return x * cos + torch.cat([-right, left], dim=-1) * sin

    def _rotations(self) -> tuple[Tensor, Tensor]:
        """cos and sin of position times frequency, (context, d) each."""
        d = self.config.head_dim
        steps = torch.arange(0, d, 2, device=self.device).float() / d
        frequencies = 1.0 / self.config.rope_parameters["rope_theta"] ** steps
        positions = torch.arange(self.context, device=self.device).float()
        angles = torch.outer(positions, frequencies).repeat(1, 2)
        return angles.cos().to(self.dtype), angles.sin().to(self.dtype)


def left_out(config: PretrainedConfig) -> str | None:
    """Return what `config` needs that `Qwen3` does not support, or None."""
    if config.model_type not in ("qwen3", "llama"):
        return f"a {config.model_type} model (only Qwen3 and Llama)"
    if config.is_heterogeneous:
        return "per_layer_config"
    if other := {*(getattr(config, "layer_types", None) or ())} - {"full_attention"}:
        return f"layers of type {min(other)}"
    rotary = config.rope_parameters
    if rotary["rope_type"] != "default" or rotary.get("partial_rotary_factor", 1) != 1:
        return f"rotary positions of type {rotary['rope_type']}"
    for field in ("attention_bias", "mlp_bias", "quantization_config"):
        if getattr(config, field, None):
            return field
    return None if config.hidden_act == "silu" else f"hidden_act {config.hidden_act}"


class Qwen3Session:
    """One text and its key-value cache; a TreeSession of `course_utils.decoding`.

    Args:
        aux_layers: numbers of blocks after which the hidden states are stored, in `states`.
    """

    chunk = CHUNK

    def __init__(self, model: "Qwen3", cache: Tensor | None = None, aux_layers: Sequence[int] = ()):
        self._model = model
        c = model.config
        if cache is None:
            shape = (c.num_hidden_layers, 2, 1, c.num_key_value_heads, model.context, c.head_dim)
            cache = torch.empty(shape, dtype=model.dtype, device=model.device)
        self.cache = cache
        self.length, self.context = 0, model.context
        self.states = {i: cache.new_empty(model.context, c.hidden_size) for i in aux_layers}

    def first(self, layers: int) -> "Qwen3Session":
        """Return another session, of the first `layers` blocks only, on the same cache.

        It writes beyond this session's length, where this session's next pass overwrites.
        The model's last norm and head give its logits.
        """
        view = Qwen3Session(self._model, self.cache[:layers])
        view.length = self.length
        return view

    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Rows:
        """Return the logits (len(tokens), vocabulary), float32."""
        return self._model.logits(self.process(tokens, parents))

    @torch.inference_mode()
    def process(
        self, tokens: Sequence[int] | Tensor, parents: Sequence[int] | None = None
    ) -> Tensor:
        """Fill the cache without computing logits; return hidden states (len(tokens), hidden).

        Raises:
            ValueError: the tokens do not fit the context, or a tree has no token before it.
        """
        hidden = self.cache.new_empty(len(tokens), self._model.config.hidden_size)
        for part, tree in self._parts(len(tokens), parents):
            hidden[part] = self._pass(tokens[part], tree)
        return hidden

    def _pass(self, tokens: Sequence[int] | Tensor, parents: Sequence[int] | None) -> Tensor:
        """Return the hidden states (len(tokens), hidden) of one pass."""
        layout = self._model.layout(self.length, len(tokens), parents)
        states = {i: x[layout.start : layout.stop] for i, x in self.states.items()}
        hidden = self._model.forward(tokens, self.cache, layout, states)
        self.length = layout.stop
        return hidden

    def check_room(self, n: int) -> None:
        """Raise a ValueError unless `n` more tokens fit the context."""
        if (total := self.length + n) > self.context:
            raise ValueError(f"{total} tokens do not fit the context of {self.context}")

    def _parts(
        self, n: int, parents: Sequence[int] | None
    ) -> Iterator[tuple[slice, Sequence[int] | None]]:
        """Yield the tokens of each pass; a tree is in one pass, with the text if that fits."""
        self.check_room(n)
        chain = n if parents is None else max(0, n - len(parents))
        if not self.length and not chain and parents:
            raise ValueError("a tree needs a token before it: process a prompt first")
        # subtle: on an empty cache a kernel assumes that each token follows the one before
        if parents is not None and self.length and n <= self.chunk:
            chain = 0
        for start in range(0, chain, self.chunk):
            yield slice(start, min(start + self.chunk, chain)), None
        if chain < n:
            yield slice(chain, n), parents

    def rollback(self, length: int) -> None:
        """Shorten the text; entries past `length` stay in memory but are never read again."""
        self.length = min(length, self.length)

    @torch.inference_mode()
    def keep(self, length: int, path: Sequence[int]) -> None:
        """Move the path's entries right after the first `length`; their positions are unchanged."""
        slots = torch.tensor(path, dtype=torch.long, device=self._model.device) + length
        self.length = length + len(path)
        self.cache[..., length : self.length, :] = self.cache[..., slots, :]
        for states in self.states.values():
            states[length : self.length] = states[slots]
