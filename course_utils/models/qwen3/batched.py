"""Several texts in one cache, each with its own length: a BatchModel of a Qwen3.

The cache is allocated once, (layers, 2, slots, g, context, d), and addressed by slot and
position.  Rows accept different numbers of tokens, so their lengths drift apart; rolling a
row back changes one integer.

Only attention depends on rows.  The rest of a transformer treats each token alone, so the tokens
of all rows pass through it as one list, without padding.  Attention separates them again
(`RaggedLayout`).  The cache is never copied and never realigned.

Shape letters: N new tokens of all rows, r rows (a range of slots), n the most new tokens of
one row, t the longest row afterwards; h query heads, g key-value heads, d head dimension.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from course_utils.decoding.contracts import Rows, Session
from course_utils.models.device import memory_of
from course_utils.models.qwen3.onnx import CHUNK, AnyQwen3, OnnxQwen3, bind
from course_utils.models.qwen3.readable import Qwen3


class Batched:
    """A BatchModel of `course_utils.decoding`, of a `Qwen3` in any form.

    Args:
        context: the largest number of tokens in a row; by default the model's.  The cache of a
            batch is `slots` times as large as that of one text, so a lower limit saves memory.

    Raises:
        ValueError: another kind of model, or a context beyond the model's.
    """

    def __init__(self, model: AnyQwen3, context: int | None = None):
        if not isinstance(model, AnyQwen3):
            raise ValueError(
                f"only a Qwen3 can be batched, not a {type(model).__name__}: take "
                "Separately(model), which runs its rows one by one"
            )
        self.context = model.context if context is None else context
        if not 1 <= self.context <= model.context:
            raise ValueError(f"context is {context}; give 1 to {model.context}, the model's own")
        self.model, self.vocabulary_size, self.dtype = model, model.vocabulary_size, model.dtype

    def start(self, prompt: Sequence[int]) -> Session:
        return self.model.start(prompt)

    def start_batch(self, slots: int) -> "BatchedSession":
        """Return a batch; raise a ValueError if its cache does not fit into the free memory."""
        c = self.model.config
        width = c.num_hidden_layers * 2 * c.num_key_value_heads * c.head_dim
        need = slots * width * self.context * self.dtype.itemsize
        free, _ = memory_of(self.model.device)
        if need > free:
            raise ValueError(
                f"a batch of {slots} rows of {self.context} tokens needs a cache of "
                f"{need / 1e9:.1f} GB, but {free / 1e9:.1f} GB is free: take at most "
                f"{free * slots // need} slots, or a shorter context"
            )
        return self._session(slots)

    def _session(self, slots: int) -> "BatchedSession":
        if isinstance(self.model, OnnxQwen3):
            return OnnxBatchedSession(self, self.model, slots)
        return BatchedSession(self, slots)


class BatchedSession:
    """The cache of several texts; a BatchSession."""

    def __init__(self, batched: Batched, slots: int):
        self.slots, self.context, self._model = slots, batched.context, batched.model
        c = self._model.config
        # zeros, because masked entries are still multiplied by 0 and must be numbers
        self.cache = torch.zeros(
            c.num_hidden_layers, 2, slots, c.num_key_value_heads, self.context, c.head_dim,
            dtype=self._model.dtype, device=self._model.device,
        )  # fmt: skip
        self.lengths = [0] * slots

    def start(self, slot: int, prompt: Sequence[int]) -> "BatchedSlot":
        """Process `prompt` in `slot`; raise a ValueError if either does not fit."""
        if not 0 <= slot < self.slots:
            raise ValueError(f"slot is {slot}; this batch has slots 0 to {self.slots - 1}")
        self.rollback(slot, 0)
        self.process({slot: prompt})
        return BatchedSlot(self, slot)

    @torch.inference_mode()
    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        """Return the logits (its tokens, vocabulary) of each slot, float32; readable: a tensor."""
        hidden = self.process(tokens)
        logits = self._model.logits(torch.cat(list(hidden.values())))
        rows = torch.split(logits, [len(states) for states in hidden.values()])
        readable = isinstance(self._model, Qwen3)
        return {slot: x if readable else x.numpy() for slot, x in zip(hidden, rows, strict=True)}

    @torch.inference_mode()
    def process(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Tensor]:
        """Fill the cache without computing logits; return hidden states (its tokens, hidden).

        It takes one pass, or several if a row has more than CHUNK new tokens.

        Raises:
            ValueError: a row does not fit the context; nothing is processed then.
        """
        for slot, new in tokens.items():
            if (total := self.lengths[slot] + len(new)) > self.context:
                raise ValueError(
                    f"{total} tokens in slot {slot} do not fit the context of {self.context}"
                )
        nothing = self.cache.new_empty(0, self._model.config.hidden_size)
        hidden = dict.fromkeys(sorted(tokens), nothing)
        for start in range(0, max(map(len, tokens.values()), default=0), CHUNK):
            chunks = {slot: tokens[slot][start : start + CHUNK] for slot in hidden}
            states = torch.split(self._pass(chunks), [len(new) for new in chunks.values()])
            for slot, new_states in zip(hidden, states, strict=True):
                hidden[slot] = torch.cat([hidden[slot], new_states])
                self.lengths[slot] += len(new_states)
        return hidden

    def _pass(self, tokens: Mapping[int, Sequence[int]]) -> Tensor:
        """Return the hidden states (N, hidden) of the tokens, slot by slot."""
        counts = [len(tokens.get(slot, ())) for slot in range(self.slots)]
        flat = [token for new in tokens.values() for token in new]
        assert isinstance(self._model, Qwen3)
        return self._model.forward(flat, self.cache, self._layout(counts))

    def _layout(self, counts: Sequence[int]) -> "RaggedLayout":
        return RaggedLayout(self.lengths, counts, self.cache.device)

    def rollback(self, slot: int, length: int) -> None:
        """Shorten the text; entries past `length` stay in memory but are never read again."""
        self.lengths[slot] = min(length, self.lengths[slot])


class BatchedSlot:
    """One text of the batch; a SlotSession."""

    def __init__(self, batch: BatchedSession, slot: int):
        self._batch, self._slot = batch, slot

    @property
    def length(self) -> int:
        return self._batch.lengths[self._slot]

    def rollback(self, length: int) -> None:
        self._batch.rollback(self._slot, length)


class OnnxBatchedSession(BatchedSession):
    """A batch on the kernels of ONNX Runtime: a graph with one attention node per slot.

    A slot without new tokens reads a dummy token, into a dummy cache.
    """

    def __init__(self, batched: Batched, model: OnnxQwen3, slots: int):
        super().__init__(batched, slots)
        self._onnx, self._graph = model, model.graph(model.layers, slots).inference
        self._binding = self._graph.io_binding()
        self._counts = np.zeros(slots, np.int64)
        self._last, self._total = np.zeros((slots, 1), np.int32), np.zeros(slots, np.int32)
        c = model.config
        self._dummy_cache = np.zeros((1, c.num_key_value_heads, 1, c.head_dim), np.float32)
        self._bound: list[bool | None] = [None] * slots  # to its own cache (True) or a dummy
        bind(self._binding.bind_input, "rows", model.positions[:0])  # no logits
        if slots > 1:
            bind(self._binding.bind_input, "counts", self._counts)
        for j in range(slots):
            bind(self._binding.bind_input, f"last.{j}", self._last[j])
            bind(self._binding.bind_input, f"total.{j}", self._total[j : j + 1].reshape(()))

    def _pass(self, tokens: Mapping[int, Sequence[int]]) -> Tensor:
        model = self._onnx
        flat: list[int] = []
        is_text: list[bool] = []
        for j in range(self.slots):
            new = tokens.get(j, ())
            self._bind_cache(j, bool(new))
            start, n = (self.lengths[j], len(new)) if new else (0, 1)
            positions, bias = model.inputs(model.layout(start, n))
            bind(self._binding.bind_input, f"positions.{j}", positions)
            bind(self._binding.bind_input, f"bias.{j}", bias)
            self._counts[j], self._last[j], self._total[j] = n, start + n - 1, start + n
            flat += new or (0,)
            is_text += [bool(new)] * n
        x, states = model.embed(flat)[None], torch.empty(len(flat), model.config.hidden_size)
        bind(self._binding.bind_input, "state.0", x)
        bind(self._binding.bind_output, f"state.{model.layers}", states[None].numpy())
        self._graph.run_with_iobinding(self._binding)
        return states if all(is_text) else states[is_text]

    def _bind_cache(self, slot: int, own: bool) -> None:
        if self._bound[slot] == own:
            return
        self._bound[slot] = own
        for i, layer in enumerate(self.cache.numpy()):
            for part in range(2):
                array = layer[part, slot][None] if own else self._dummy_cache
                bind(self._binding.bind_input, f"past.{slot}.{i}.{part}", array)
                bind(self._binding.bind_output, f"present.{slot}.{i}.{part}", array)


class RaggedLayout:
    """The places and the visibility of the tokens in one pass over several rows; an `AnyLayout`.

    Queries are padded to the longest row, and a mask hides other rows' entries.  The pass covers
    all slots from the first to the last with new tokens.

    Args:
        lengths: (slots,) tokens in each slot before the pass.
        counts: (slots,) new tokens of each; the tokens are ordered slot by slot.
    """

    def __init__(self, lengths: Sequence[int], counts: Sequence[int], device: torch.device):
        new, before = np.array(counts), np.array(lengths)
        reading = np.flatnonzero(new)
        first, last = int(reading[0]), int(reading[-1]) + 1
        self.rows, self.rows_count = slice(first, last), last - first
        self.longest = int(new.max())
        self.even = bool((new[first:last] == self.longest).all())
        slots = np.repeat(np.arange(len(new)), new)
        turns = np.arange(len(slots)) - np.repeat(np.cumsum(new) - new, new)
        ends = before[:, None] + np.arange(self.longest)  # (slots, n): positions of all queries
        self.reach = int(ends[slots, turns].max()) + 1
        visible = np.arange(self.reach) <= ends[first:last, :, None]  # (r, n, t)
        arrays = slots, turns, ends[slots, turns], slots - first, visible
        self.slots, self.turns, self.positions, self.own, self.visible = (
            torch.from_numpy(a).to(device) for a in arrays
        )
        self._bias: Tensor | None = None

    def attend(self, q: Tensor, k: Tensor, v: Tensor, kv: Tensor) -> Tensor:
        """As `AnyLayout.attend`; keys and values are read in place."""
        (h, _, d), g, r, n = q.shape, len(k), self.rows_count, self.longest
        for part, new in zip(kv, (k, v), strict=True):
            part[self.slots, :, self.positions] = new.transpose(0, 1)
        keys, values = kv[:, self.rows, :, : self.reach]  # (r, g, t, d) each
        q = q.transpose(0, 1)  # (N, h, d)
        if not self.even:
            padded = q.new_zeros(r, n, h, d)
            padded[self.own, self.turns] = q
            q = padded
        q = q.reshape(r, n, g, h // g, d).transpose(1, 2).reshape(r, g, n * h // g, d)
        if self._bias is None:  # added to the scores, the same in all layers
            bias = torch.zeros(self.visible.shape, dtype=q.dtype, device=q.device)
            bias = bias.masked_fill_(~self.visible, float("-inf"))
            self._bias = bias.repeat_interleave(h // g, dim=1)[:, None]  # (r, 1, n h/g, t)
        out = F.scaled_dot_product_attention(q, keys, values, self._bias)
        out = out.view(r, g, n, h // g, d).transpose(1, 2).reshape(r, n, h, d)
        out = out.view(-1, h, d) if self.even else out[self.own, self.turns]
        return out.transpose(0, 1)
