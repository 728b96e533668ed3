"""Qwen3 on the kernels of ONNX Runtime: for decoding on a CPU, in float32.

`Qwen3` is the form to read.  This form has the same cache and sessions; a pass is one call of ONNX
Runtime (on a graph from `onnx_graph`), with NumPy before and after.  A rollback only changes
an integer, because cache entries past a text's length are never read.

Left out: GPUs (`Qwen3` runs there).  `FORMS` names both forms, and the one with four-bit matrices.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import onnxruntime
import torch
from torch import Tensor

from course_utils.models.names import FOUR_BIT, ONNX, READABLE
from course_utils.models.qwen3.onnx_graph import (
    TURNS,
    GraphBuilder,
    MatMul,
    decoder_graph,
    float_matmul,
)
from course_utils.models.qwen3.readable import Layout, Qwen3, Qwen3Session

CHUNK = 128  # the most tokens in one pass; longer prompts take several
SPIN_MICROSECONDS = "100"  # a thread's wait before it sleeps: see `program.share_the_machine`


def inference_session(graph: GraphBuilder) -> Any:
    """Return an `onnxruntime.InferenceSession`, on as many threads as torch has."""
    runtime: Any = onnxruntime
    options = runtime.SessionOptions()
    options.intra_op_num_threads = torch.get_num_threads()
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.spin_duration_us", SPIN_MICROSECONDS)
    weights = [runtime.OrtValue.ortvalue_from_numpy(weight) for weight in graph.weights.values()]
    options.add_external_initializers([*graph.weights], weights)
    model: Any = graph.build()
    session = runtime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    session.weights = weights  # subtle: it reads them in place, so they must live as long
    return session


class OnnxQwen3:
    """A `Qwen3` on ONNX Runtime; a LanguageModel of `course_utils.decoding`.

    ONNX Runtime packs a copy of the weights, and runs on as many threads as torch has when this
    object is created.  `readable` is the original model.

    Args:
        matmul: the product with a matrix; see `quantised`.

    Attributes:
        weight_bytes: the bytes that a pass reads.

    Raises:
        ValueError: the model is no `Qwen3`, not on a CPU, or not in float32.
    """

    verifies_trees = True

    def __init__(self, model: Qwen3, matmul: MatMul = float_matmul):
        if not isinstance(model, Qwen3):
            raise ValueError(f"only a Qwen3 has this form, not a {type(model).__name__}")
        if model.device.type != "cpu" or model.dtype != torch.float32:
            raise ValueError(
                f"the model is in {str(model.dtype).removeprefix('torch.')} on {model.device}: "
                "ONNX Runtime runs it in float32 on a CPU; load it so, or take another form"
            )
        self.readable, self.config, self.layers = model, model.config, model.layers
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self.device, self.dtype = model.device, model.dtype
        self.embed_tokens, self.norm, self.lm_head = model.embed_tokens, model.norm, model.lm_head
        self._embeddings = model.embed_tokens.numpy()
        self._matmul = matmul
        graph = decoder_graph(model, self.layers, 1, matmul)
        self._graphs = {(self.layers, 1): inference_session(graph)}  # by layers, texts
        matrices = [w for name, w in graph.weights.items() if w.ndim > 1 and name not in TURNS]
        self.weight_bytes = sum(matrix.nbytes for matrix in matrices)
        self.positions = np.arange(model.context + 1)
        self.no_bias = np.zeros(CHUNK * model.context, np.float32)  # the bias of a chain

    def start(self, prompt: Sequence[int], aux_layers: Sequence[int] = ()) -> "OnnxSession":
        """Return a session that has processed `prompt`, as `Qwen3.start` does."""
        session = OnnxSession(self, aux_layers=aux_layers)
        session.process(prompt)
        return session

    def embed(self, tokens: Sequence[int] | Tensor) -> np.ndarray:
        """Return the first block's input, as `Qwen3.embed` does."""
        if isinstance(tokens, Tensor):
            return tokens.numpy()
        return self._embeddings.take(tokens, axis=0)

    def logits(self, hidden: Tensor) -> Tensor:
        """(n, hidden) -> (n, vocabulary), for any states."""
        logits = np.empty((1, len(hidden), len(self.lm_head)), np.float32)
        states = {"state.0": hidden.contiguous().numpy()[None], "rows": np.arange(len(hidden))}
        run(graph := self.graph(0), graph.io_binding(), states, {"logits": logits})
        return torch.from_numpy(logits[0])

    def layout(self, length: int, n: int, parents: Sequence[int] | None = None) -> Layout:
        """As `Qwen3.layout`, but a chain needs no mask: the attention kernel is causal."""
        if parents is None:
            return Layout(length, length + n, slice(length, length + n), None)
        return self.readable.layout(length, n, parents)

    def inputs(self, layout: Layout) -> tuple[np.ndarray, np.ndarray]:
        """Return positions (1, n) of the new tokens, and the bias of their scores, (1, 1, n, t)."""
        n, t = layout.stop - layout.start, layout.stop
        at = layout.positions
        if layout.mask is None:
            bias = self.no_bias[: n * t].reshape(1, 1, n, t)
        else:
            bias = np.where(layout.mask.numpy(), np.float32(0), np.float32(-np.inf))[None, None]
        return self.positions[at.numpy() if isinstance(at, Tensor) else at][None], bias

    def graph(self, layers: int, texts: int = 1) -> Any:
        """Return the first `layers` for `texts` texts as an `inference_session`, built once."""
        if (layers, texts) not in self._graphs:
            graph = decoder_graph(self.readable, layers, texts, self._matmul)
            self._graphs[layers, texts] = inference_session(graph)
        return self._graphs[layers, texts]


class OnnxSession(Qwen3Session):
    """One text and its key-value cache; a TreeSession of `course_utils.decoding`.

    Args:
        layers: the number of layers to run, by default all.
    """

    chunk = CHUNK

    def __init__(
        self, model: OnnxQwen3, cache: Tensor | None = None, aux_layers: Sequence[int] = (),
        layers: int | None = None,
    ):  # fmt: skip
        super().__init__(model.readable, cache, aux_layers)
        self._onnx, self.layers = model, model.layers if layers is None else layers
        self._graph = model.graph(self.layers)
        self._binding = self._graph.io_binding()
        self._last, self._total = np.zeros(1, np.int32), np.array(0, np.int32)
        self._no_logits = np.empty((0, len(model.lm_head)), np.float32)
        bind(self._binding.bind_input, "last.0", self._last)
        bind(self._binding.bind_input, "total.0", self._total)
        bind_cache(self._binding, self.cache)

    def first(self, layers: int) -> "OnnxSession":
        """As `Qwen3Session.first`; the graph of the first `layers` has its own copy of weights."""
        view = OnnxSession(self._onnx, self.cache[:layers], layers=layers)
        view.length = self.length
        return view

    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> np.ndarray:
        """Return the logits (len(tokens), vocabulary), float32."""
        logits = np.empty((len(tokens), self._onnx.vocabulary_size), np.float32)
        for part, tree in self._parts(len(tokens), parents):
            self._run(tokens[part], tree, logits[part])
        return logits

    def _pass(self, tokens: Sequence[int] | Tensor, parents: Sequence[int] | None) -> Tensor:
        return torch.from_numpy(self._run(tokens, parents, self._no_logits))

    def _run(
        self, tokens: Sequence[int] | Tensor, parents: Sequence[int] | None, logits: np.ndarray
    ) -> np.ndarray:
        """Run one pass and fill `logits` of its last tokens; return the last states (n, hidden)."""
        model, layout = self._onnx, self._onnx.layout(self.length, len(tokens), parents)
        positions, bias = model.inputs(layout)
        x = np.ascontiguousarray(model.embed(tokens))[None]
        self._last[0], self._total[...] = layout.stop - 1, layout.stop
        states = {i: all_[layout.start : layout.stop].numpy() for i, all_ in self.states.items()}
        hidden = states.setdefault(self.layers, np.empty_like(x[0]))
        run(
            self._graph, self._binding,
            {"state.0": x, "positions.0": positions, "bias.0": bias,
             "rows": model.positions[: len(logits)]},
            {"logits": logits[None], **{f"state.{i}": each[None] for i, each in states.items()}},
        )  # fmt: skip
        self.length = layout.stop
        return hidden


def quantised(model: Qwen3) -> OnnxQwen3:
    """Return `model` with int8 matrices, for a CPU; a LanguageModel and a good draft.

    The embedding is not rounded: a pass reads only one row of it per token.

    Raises:
        ValueError: the model is no `Qwen3`, not on a CPU, or not in float32.
    """
    from course_utils.models.qwen3.quantised import int8_matmul

    return OnnxQwen3(model, int8_matmul)


def four_bit(model: Qwen3) -> OnnxQwen3:
    """Return `model` with four-bit matrices; raise as `quantised`."""
    from course_utils.models.qwen3.quantised import four_bit_matmul

    return OnnxQwen3(model, four_bit_matmul)


def bind(side: Callable[..., None], name: str, array: np.ndarray) -> None:
    """Bind the memory of an array, which must stay alive until the run is over.

    Args:
        side: `bind_input` or `bind_output` of a binding.
    """
    side(name, "cpu", 0, array.dtype.type, array.shape, array.ctypes.data)


def run(
    graph: Any, binding: Any, inputs: Mapping[str, np.ndarray], outputs: Mapping[str, np.ndarray]
) -> None:
    """Bind these arrays, besides those bound before, and run the graph once."""
    for name, array in inputs.items():
        bind(binding.bind_input, name, array)
    for name, array in outputs.items():
        bind(binding.bind_output, name, array)
    graph.run_with_iobinding(binding)


def bind_cache(binding: Any, cache: Tensor, text: int = 0) -> None:
    """Bind the cache (layers, 2, 1, g, context, d) of a graph's text, which is updated in place."""
    for i, layer in enumerate(cache.numpy()):
        for part, array in enumerate(layer):
            bind(binding.bind_input, f"past.{text}.{i}.{part}", array)
            bind(binding.bind_output, f"present.{text}.{i}.{part}", array)


AnyQwen3 = Qwen3 | OnnxQwen3
FORMS: dict[str, Callable[[Qwen3], AnyQwen3]] = {
    READABLE: lambda model: model,
    ONNX: OnnxQwen3,
    FOUR_BIT: four_bit,
}
