"""Several texts in one cache, each with its own length: a BatchModel of a Qwen3.

The cache is allocated once, (layers, 2, slots, g, context, d), and each slot is the cache of an
ordinary session.  Rows accept different numbers of tokens, so their lengths drift apart; rolling
a row back changes one integer.

Only attention depends on rows.  The rest of a transformer treats each token alone, so the tokens
of all rows pass through it as one list, without padding; attention then takes each row alone.
The cache is never copied and never realigned.

Shape letters: N new tokens of all rows; h query heads, g key-value heads, d head dimension.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from course_utils.decoding.contracts import Rows, Session, SlotSession
from course_utils.models.device import memory_of
from course_utils.models.qwen3.onnx import (
    CHUNK,
    AnyQwen3,
    OnnxQwen3,
    OnnxSession,
    bind,
    bind_cache,
    run,
)
from course_utils.models.qwen3.readable import AnyLayout, Layout, Qwen3, Qwen3Session


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
            return OnnxBatchedSession(self.model, slots, self.context)
        return BatchedSession(self.model, slots, self.context)


class BatchedSession:
    """A BatchSession: `sessions`, one per slot, whose texts share their passes."""

    session: Any = Qwen3Session
    spare = 0  # places in the cache after a full text

    def __init__(self, model: AnyQwen3, slots: int, context: int):
        self.slots, self._model = slots, model
        c, places = model.config, context + self.spare
        # zeros, because masked entries are still multiplied by 0 and must be numbers
        self.cache = torch.zeros(
            c.num_hidden_layers, 2, slots, c.num_key_value_heads, places, c.head_dim,
            dtype=model.dtype, device=model.device,
        )  # fmt: skip
        self.sessions = [self.session(model, cache) for cache in torch.split(self.cache, 1, 2)]
        for session in self.sessions:
            session.context = context

    @property
    def lengths(self) -> list[int]:
        return [session.length for session in self.sessions]

    def start(self, slot: int, prompt: Sequence[int]) -> SlotSession:
        """Process `prompt` in `slot`; raise a ValueError if either does not fit."""
        if not 0 <= slot < self.slots:
            raise ValueError(f"slot is {slot}; this batch has slots 0 to {self.slots - 1}")
        self.sessions[slot].rollback(0)
        self.sessions[slot].process(prompt)
        return self.sessions[slot]

    @torch.inference_mode()
    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        """Return the logits (its tokens, vocabulary) of each slot, float32; readable: a tensor.

        The last tokens of all slots are read in one pass, up to CHUNK of each.

        Raises:
            ValueError: a row does not fit the context; nothing is processed then.
        """
        for slot, new in tokens.items():
            self.sessions[slot].check_room(len(new))
        early = [self.sessions[slot].process(tokens[slot][:-CHUNK]) for slot in sorted(tokens)]
        last = {slot: tokens[slot][-CHUNK:] for slot in sorted(tokens)}
        late = torch.split(self._pass(last), [len(new) for new in last.values()])
        hidden = [x for both in zip(early, late, strict=True) for x in both]
        logits = self._model.logits(torch.cat(hidden))
        rows = torch.split(logits, [len(tokens[slot]) for slot in last])
        readable = isinstance(self._model, Qwen3)
        return {slot: x if readable else x.numpy() for slot, x in zip(last, rows, strict=True)}

    def _pass(self, tokens: Mapping[int, Sequence[int]]) -> Tensor:
        """Return the hidden states (N, hidden) of the tokens, slot by slot."""
        assert isinstance(self._model, Qwen3)
        flat = [token for new in tokens.values() for token in new]
        hidden = self._model.forward(flat, self.cache, self._layout(tokens))
        for slot, new in tokens.items():
            self.sessions[slot].length += len(new)
        return hidden

    def _layout(self, tokens: Mapping[int, Sequence[int]]) -> AnyLayout:
        assert isinstance(self._model, Qwen3)
        lengths = self.lengths
        return RaggedLayout(
            {j: self._model.layout(lengths[j], len(new)) for j, new in tokens.items() if new}
        )


class OnnxBatchedSession(BatchedSession):
    """A batch on the kernels of ONNX Runtime: a graph with one attention node per slot.

    A slot without new tokens reads a dummy token into the place after its text.
    """

    session, spare = OnnxSession, 1

    def __init__(self, model: OnnxQwen3, slots: int, context: int):
        super().__init__(model, slots, context)
        self._onnx, self._graph = model, model.graph(model.layers, slots)
        self._binding = self._graph.io_binding()
        self._counts = np.zeros(slots, np.int64)
        self._last, self._total = np.zeros((slots, 1), np.int32), np.zeros(slots, np.int32)
        bind(self._binding.bind_input, "rows", model.positions[:0])  # no logits
        if slots > 1:
            bind(self._binding.bind_input, "counts", self._counts)
        for j, session in enumerate(self.sessions):
            bind(self._binding.bind_input, f"last.{j}", self._last[j])
            bind(self._binding.bind_input, f"total.{j}", self._total[j : j + 1].reshape(()))
            bind_cache(self._binding, session.cache, j)

    def _pass(self, tokens: Mapping[int, Sequence[int]]) -> Tensor:
        model, flat, is_text = self._onnx, list[int](), list[bool]()
        inputs: dict[str, np.ndarray] = {}
        for j, session in enumerate(self.sessions):
            new = tokens.get(j) or ()
            start, n = session.length, len(new) or 1
            inputs[f"positions.{j}"], inputs[f"bias.{j}"] = model.inputs(model.layout(start, n))
            self._counts[j], self._last[j], self._total[j] = n, start + n - 1, start + n
            session.length += len(new)
            flat += new or (0,)
            is_text += [bool(new)] * n
        inputs["state.0"] = model.embed(flat)[None]
        states = torch.empty(len(flat), model.config.hidden_size)
        run(self._graph, self._binding, inputs, {f"state.{model.layers}": states[None].numpy()})
        return states[is_text]


class RaggedLayout:
    """The places of the new tokens of several texts in one pass; an `AnyLayout`.

    Args:
        layouts: that of each slot with new tokens; the tokens are ordered in the same way.
    """

    def __init__(self, layouts: Mapping[int, Layout]):
        self.layouts = layouts
        self.counts = [layout.stop - layout.start for layout in layouts.values()]
        places = [torch.arange(layout.start, layout.stop) for layout in layouts.values()]
        self.positions = torch.cat(places)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, kv: Tensor) -> Tensor:
        """As `AnyLayout.attend`; keys and values are read in place."""
        parts = zip(*(torch.split(x, self.counts, dim=1) for x in (q, k, v)), strict=True)
        outs = [
            layout.attend(q, k, v, kv[:, slot : slot + 1])
            for (slot, layout), (q, k, v) in zip(self.layouts.items(), parts, strict=True)
        ]
        return torch.cat(outs, dim=1)
