"""Several texts in one pass of ONNX Runtime, each with its own length.

The graph has an attention for each slot and one of all else for the tokens of all slots; so
nothing is padded and nothing is moved.  A slot without new tokens reads one that is nobody's,
into memory that is nobody's.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import onnxruntime
import torch
from torch import Tensor

from course_utils.models.onnx_qwen3 import OnnxQwen3, bind


class RaggedOnnx:
    """The caches of several slots, (layers, 2, slots, g, width, d), bound to a graph for them."""

    def __init__(self, model: OnnxQwen3, cache: Tensor):
        self._model, self._cache = model, cache.numpy()
        _, _, self.slots, groups, _, head_dim = cache.shape
        self._running = model.graph(model.layers, self.slots, head=False)
        self._binding: onnxruntime.IOBinding = self._running.io_binding()
        self._counts = np.zeros(self.slots, np.int64)
        self._last = np.zeros((self.slots, 1), np.int32)
        self._total = np.zeros(self.slots, np.int32)
        self._nobodys = np.zeros((1, groups, 1, head_dim), np.float32)
        self._bound: list[bool | None] = [None] * self.slots  # to a cache of its own, or nobody's
        if self.slots > 1:
            bind(self._binding.bind_input, "counts", self._counts)
        for j in range(self.slots):
            bind(self._binding.bind_input, f"last.{j}", self._last[j])
            bind(self._binding.bind_input, f"total.{j}", self._total[j : j + 1].reshape(()))

    def process(self, tokens: Mapping[int, Sequence[int]], lengths: Sequence[int]) -> Tensor:
        """States (n, hidden) of the tokens behind `lengths` of each slot, slot by slot."""
        model, flat, made = self._model, [], []
        for j in range(self.slots):
            new = tokens.get(j, ())
            self._bind_cache(j, bool(new))
            start, n = (lengths[j], len(new)) if new else (0, 1)
            positions, bias = model.places(start, start + n, None)
            bind(self._binding.bind_input, f"positions.{j}", positions)
            bind(self._binding.bind_input, f"bias.{j}", bias)
            self._counts[j], self._last[j], self._total[j] = n, start + n - 1, start + n
            flat += new or (0,)
            made += [bool(new)] * n
        x, states = model.embed(flat)[None], torch.empty(len(flat), model.config.hidden_size)
        bind(self._binding.bind_input, "state.0", x)
        bind(self._binding.bind_output, f"state.{model.layers}", states[None].numpy())
        self._running.run_with_iobinding(self._binding)
        return states if all(made) else states[made]

    def _bind_cache(self, slot: int, own: bool) -> None:
        if self._bound[slot] == own:
            return
        self._bound[slot] = own
        for i, layer in enumerate(self._cache):
            for part in range(2):
                array = layer[part, slot][None] if own else self._nobodys
                bind(self._binding.bind_input, f"past.{slot}.{i}.{part}", array)
                bind(self._binding.bind_output, f"present.{slot}.{i}.{part}", array)
