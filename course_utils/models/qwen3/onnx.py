"""The same Qwen3 on the kernels of ONNX Runtime: for decoding on a CPU, in float32.

`Qwen3` is the one to read.  This one has its cache and its sessions; a pass is one call of ONNX
Runtime (see `onnx_graph` for what is called), with NumPy before and after.  Rolling back moves
an integer, for what lies behind a text's length in the cache is never read.

Left out: other formats than float32, GPUs (`Qwen3` runs there).
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import numpy as np
import onnxruntime
import torch
from torch import Tensor

from course_utils.models.qwen3 import onnx_graph
from course_utils.models.qwen3.onnx_graph import Product, Written
from course_utils.models.qwen3.readable import Arrange, Layout, Qwen3, Qwen3Session

CHUNK = 128  # most tokens in one pass; longer prompts take several
SPIN = "100"  # microseconds that a thread spins before it sleeps: see `cores.share_the_machine`
_NOTHING = np.empty((0, 0), np.float32)


class Running(onnxruntime.InferenceSession):
    """A graph and its weights on as many threads as torch has."""

    def __init__(self, written: Written):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = torch.get_num_threads()
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.spin_duration_us", SPIN)
        # subtle: ONNX Runtime reads them where they are, so they must live as long as this does
        self.weights = [
            onnxruntime.OrtValue.ortvalue_from_numpy(w) for w in written.weights.values()
        ]
        options.add_external_initializers([*written.weights], self.weights)
        super().__init__(
            written.model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )


class OnnxQwen3:
    """A `Qwen3` for ONNX Runtime; a LanguageModel of `course_utils.decoding`.

    ONNX Runtime packs a copy of the weights, and runs on as many threads as torch has when this
    model is made.  `readable`, the model itself, is kept for what is made of it when it is asked
    for: a head for states from elsewhere, a batch.

    Args:
        product: how a matrix is multiplied with; see `quantised`.
        head: False leaves the head out of the graph, for a model of whose states few become
            logits.

    Attributes:
        weight_bytes: what a pass reads.

    Raises:
        ValueError: the model is no `Qwen3`, not on a CPU, or not in float32.
    """

    def __init__(self, model: Qwen3, product: Product = onnx_graph.product, head: bool = True):
        if not isinstance(model, Qwen3):
            raise ValueError(f"only a Qwen3 has this form, and this is a {type(model).__name__}")
        if model.device.type != "cpu":
            raise ValueError(f"the model is on {model.device}; ONNX Runtime runs it on a CPU only")
        if model.dtype != torch.float32:
            raise ValueError(
                f"the model is in {str(model.dtype).removeprefix('torch.')} and ONNX Runtime runs "
                "it in float32 only: load it so, or take another form"
            )
        self.readable, self.config, self.layers = model, model.config, model.layers
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self.device, self.dtype = model.device, model.dtype
        self.embed_tokens, self.norm, self.lm_head = model.embed_tokens, model.norm, model.lm_head
        self._product, self.has_head = product, head
        self._graphs: dict[tuple[int, int, bool], Running] = {}
        written = onnx_graph.whole(model, self.layers, 1, product, head)
        self._graphs[self.layers, 1, head] = Running(written)
        self.weight_bytes = written.read
        self.positions = np.arange(model.context)
        self.no_bias = np.zeros(CHUNK * model.context, np.float32)  # the bias of a chain

    def start(
        self,
        prompt: Sequence[int],
        aux_layers: Sequence[int] = (),
        layout: Arrange | None = None,
    ) -> "OnnxSession":
        """As `Qwen3.start`."""
        session = OnnxSession(self, aux_layers=aux_layers, layout=layout)
        session.process(prompt)
        return session

    def embed(self, tokens: Sequence[int]) -> np.ndarray:
        """(n, hidden): what the first block reads."""
        return self._embeddings.take(tokens, axis=0)

    def logits(self, hidden: Tensor) -> Tensor:
        """(n, hidden) -> (n, vocabulary), of states from wherever."""
        states = hidden.contiguous().numpy()[None]  # by name, for it must outlive the run
        made = np.empty((1, len(hidden), len(self.lm_head)), np.float32)
        binding = self._head.io_binding()
        bind(binding.bind_input, "state", states)
        bind(binding.bind_output, "logits", made)
        self._head.run_with_iobinding(binding)
        return torch.from_numpy(made[0])

    def layout(self, length: int, n: int, parents: Sequence[int] | None = None) -> Layout:
        """As `Qwen3.layout`, but a chain needs no mask: attention leaves out what is later."""
        if parents is None:
            return Layout(length, length + n, slice(length, length + n), None)
        return self.readable.layout(length, n, parents)

    def positions_and_bias(self, layout: Layout) -> tuple[np.ndarray, np.ndarray]:
        """Positions (1, n) of the new tokens, and what is added to their scores, (1, 1, n, t)."""
        n, t = layout.stop - layout.start, layout.stop
        if layout.mask is None:
            bias = self.no_bias[: n * t].reshape(1, 1, n, t)
        else:
            bias = np.where(layout.mask.numpy(), np.float32(0), np.float32(-np.inf))[None, None]
        return self.positions[layout.positions][None], bias

    def graph(self, layers: int, texts: int = 1, head: bool = True) -> Running:
        """That of the first `layers`, for so many texts; made when it is first asked for.

        Args:
            head: the last norm and the head, too, unless the model was made without.
        """
        key = layers, texts, head and self.has_head
        if key not in self._graphs:
            written = onnx_graph.whole(self.readable, layers, texts, self._product, key[2])
            self._graphs[key] = Running(written)
        return self._graphs[key]

    @cached_property
    def _embeddings(self) -> np.ndarray:
        return self.embed_tokens.numpy()

    @cached_property
    def _head(self) -> Running:
        return Running(onnx_graph.head(self.readable, self._product))


class OnnxSession(Qwen3Session):
    """One text and its key-value cache; a TreeSession of `course_utils.decoding`.

    Args:
        layers: so many of the first are run, by default all.
    """

    chunk = CHUNK

    def __init__(
        self,
        model: OnnxQwen3,
        cache: Tensor | None = None,
        aux_layers: Sequence[int] = (),
        layout: Arrange | None = None,
        layers: int | None = None,
    ):
        super().__init__(model, cache, aux_layers, layout)
        self.layers = model.layers if layers is None else layers
        self._graph = model.graph(self.layers)
        self._fused = model.has_head
        self._last, self._total = np.zeros(1, np.int32), np.array(0, np.int32)
        self._x = np.empty((1, 0, model.config.hidden_size), np.float32)
        self._size = 0, -1  # new tokens and rows of logits, of which the last pass was
        self._binding: onnxruntime.IOBinding | None = None

    def first(self, layers: int) -> "OnnxSession":
        """As `Qwen3Session.first`; the graph of so many layers has weights of its own."""
        view = OnnxSession(self._model, self.cache[:layers], layout=self._layout, layers=layers)
        view.length = self.length
        return view

    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> np.ndarray:
        """Logits (len(tokens), vocabulary), float32."""
        self._check_room(len(tokens))
        if not self._fused:
            return self._model.logits(self.process(tokens, parents)).numpy()
        made = np.empty((len(tokens), self._model.vocabulary_size), np.float32)
        for part, tree in self._parts(len(tokens), parents):
            self.run(tokens[part], tree, made[part])
        return made

    def process(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Tensor:
        """As `Qwen3Session.process`."""
        self._check_room(len(tokens))
        made = np.empty((len(tokens), self._model.config.hidden_size), np.float32)
        for part, tree in self._parts(len(tokens), parents):
            made[part] = self.run(tokens[part], tree)
        return torch.from_numpy(made)

    def run(
        self,
        tokens: Sequence[int],
        parents: Sequence[int] | None = None,
        logits: np.ndarray = _NOTHING,
    ) -> np.ndarray:
        """One pass: the last states (n, hidden), written over by the next; it leaves logits
        (n, V) or none, and what is tapped."""
        start, t, model = self.length, self.length + len(tokens), self._model
        binding = self._bound(len(tokens), len(logits))
        positions, bias = model.positions_and_bias(self._layout(start, t - start, parents))
        self._x[0], self._positions[...] = model.embed(tokens), positions
        self._last[0], self._total[...] = t - 1, t
        bind(binding.bind_input, "bias.0", bias)
        if self._fused:
            bind(binding.bind_output, "logits", logits.reshape(1, -1, model.vocabulary_size))
        for tap, kept in self.states.items():
            bind(binding.bind_output, f"state.{tap}", kept[start:t].numpy()[None])
        self._graph.run_with_iobinding(binding)
        self.length = t
        last = self.states.get(self.layers)
        return self._state[0] if last is None else last[start:t].numpy()

    def _bound(self, new: int, rows: int) -> onnxruntime.IOBinding:
        """Where a pass over `new` tokens finds what it reads and leaves what it makes, logits of
        `rows`; the cache stays in its place.  As many as before find all of it there."""
        if self._binding is None:
            binding = self._binding = self._graph.io_binding()
            bind(binding.bind_input, "last.0", self._last)
            bind(binding.bind_input, "total.0", self._total)
            for i, layer in enumerate(self.cache.numpy()):
                for part, array in enumerate(layer):
                    bind(binding.bind_input, f"past.0.{i}.{part}", array)
                    bind(binding.bind_output, f"present.0.{i}.{part}", array)
        if self._size != (new, rows):
            self._size, binding, width = (new, rows), self._binding, self._x.shape[-1]
            self._x, self._state = np.empty((2, 1, new, width), np.float32)
            self._positions = np.empty((1, new), np.int64)
            bind(binding.bind_input, "state.0", self._x)
            bind(binding.bind_input, "positions.0", self._positions)
            if self._fused:
                bind(binding.bind_input, "rows", self._model.positions[:rows])
            if self.layers not in self.states:
                bind(binding.bind_output, f"state.{self.layers}", self._state)
        return self._binding

    def _parts(
        self, n: int, parents: Sequence[int] | None
    ) -> Iterable[tuple[slice, Sequence[int] | None]]:
        """As `Qwen3Session._parts`.

        Raises:
            ValueError: a tree on an empty cache, without a token before it.
        """
        if parents is None or self.length:
            return super()._parts(n, parents)
        # subtle: on an empty cache attention takes every token to follow the one before
        text = n - len(parents)
        if not text:
            raise ValueError("a tree needs a token before it: give one, or process a prompt")
        return [*super()._parts(text, None), (slice(text, n), parents)]


def bind(side: Callable, name: str, array: np.ndarray) -> None:
    """Bind the memory of an array, which must live until the run is over.

    Args:
        side: `bind_input` or `bind_output` of a binding.
    """
    side(name, "cpu", 0, array.dtype.type, array.shape, array.ctypes.data)
