"""The graph of a Qwen3 for ONNX Runtime, written node by node: nothing is traced.

Attention is `GroupQueryAttention` of ONNX Runtime's own operators: it turns queries and keys to
their positions, appends to a cache that is longer than the text, in place, and adds a bias to
the scores, with which a tree is a tree.  It reads several new tokens of one text; where there
are several texts, their tokens are one list for all else, and each text has a node of its own.

Logits are computed of the rows that are asked for, which may be none.  The graph names its
weights and does not hold them: they stay where the model has them, and ONNX Runtime packs each
matrix for its kernels from there.  So a matrix is multiplied with as it lies, (out, in).

Shape letters: n new tokens of all texts, n_j of text j, t_j its tokens afterwards, T the cache's
width, h query heads, g key-value heads, d head dimension, H hidden size, V vocabulary.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from onnx import ModelProto, NodeProto, StringStringEntryProto, TensorProto, helper, numpy_helper
from torch import Tensor

from course_utils.models.qwen3.readable import Block, Qwen3

_OPSETS = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
_FLOAT, _LONG, _INT = TensorProto.FLOAT, TensorProto.INT64, TensorProto.INT32


@dataclass(frozen=True)
class Written:
    """A graph, and the numbers that it names."""

    model: ModelProto
    weights: dict[str, np.ndarray]  # most of them are the memory of the model itself
    read: int  # bytes of the matrices, all of which a pass reads


class Graph:
    """Nodes, and the weights that they name."""

    def __init__(self):
        self.nodes: list[NodeProto] = []
        self.weights: dict[str, np.ndarray] = {}
        self.matrices: set[str] = set()  # the names of those that are multiplied with
        self.constants: list[TensorProto] = []
        self.inputs, self.outputs = [], []

    def weight(self, name: str, value: Tensor | np.ndarray) -> str:
        """Float32, or whatever integers `value` is of."""
        array = value.float().numpy() if isinstance(value, Tensor) else value
        self.weights[name] = np.ascontiguousarray(array)
        return name

    def matrix(self, name: str, value: Tensor | np.ndarray) -> str:
        """A weight, or a part of one, that is multiplied with."""
        self.matrices.add(name)
        return self.weight(name, value)

    def constant(self, name: str, shape: Sequence[int]) -> None:
        self.constants.append(numpy_helper.from_array(np.array(shape), name))

    def add(
        self, kind: str, inputs: Sequence[str], *outputs: str, domain: str = "", **attributes
    ) -> str:
        """A node of ONNX, or of `com.microsoft`; its first output."""
        self.nodes.append(
            helper.make_node(kind, inputs, outputs, name=outputs[0], domain=domain, **attributes)
        )
        return outputs[0]

    def take(self, name: str, kind: int, *shape: int | str) -> str:
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def give(self, name: str, *shape: int | str) -> None:
        self.outputs.append(helper.make_tensor_value_info(name, _FLOAT, shape))

    def written(self) -> Written:
        named = [_named(name, array) for name, array in self.weights.items()]
        graph = helper.make_graph(
            self.nodes, "qwen3", self.inputs, self.outputs, [*self.constants, *named]
        )
        model = helper.make_model(graph, opset_imports=_OPSETS, ir_version=10)
        read = sum(array.nbytes for name, array in self.weights.items() if name in self.matrices)
        return Written(model, self.weights, read)


def _named(name: str, array: np.ndarray) -> TensorProto:
    """A tensor that is handed to ONNX Runtime beside the graph; the place is never looked up."""
    tensor = TensorProto(
        name=name, dims=array.shape, data_type=helper.np_dtype_to_tensor_dtype(array.dtype),
        data_location=TensorProto.EXTERNAL,
    )  # fmt: skip
    tensor.external_data.append(StringStringEntryProto(key="location", value="nowhere"))
    return tensor


Product = Callable[[Graph, str, str, Tensor], str]
"""(graph, name of x (1, n, in), name of the product, weight (out, in)) -> the product's name."""


def product(graph: Graph, x: str, name: str, weight: Tensor) -> str:
    """x @ weight.T in float32."""
    weight = graph.matrix(f"{name}, weight", weight)
    return graph.add("FusedMatMul", [x, weight], name, domain="com.microsoft", transB=1)


def whole(
    model: Qwen3, layers: int, texts: int = 1, product: Product = product, head: bool = True
) -> Written:
    """States after each layer, "state.1" to the last (1, n, H), and "logits" (1, m, V) of m rows.

    Inputs: "state.0" (1, n, H), what the first block reads; "rows" (m); of each text j
    "positions.j" (1, n_j), "last.j" (1), the place in the cache of its last new token, "total.j",
    t_j, "bias.j" (1, 1, n_j, t_j), added to the scores, of which those of later places are left
    out anyway, and of each block I "past.j.I.0" and "past.j.I.1" (1, g, T, d), the keys and values;
    "present.j.I.…" must be the same memory.  With several texts "counts", their n_j.

    Args:
        layers: so many of the first are in it.
        product: how a matrix is multiplied with.
        head: False leaves the logits out.
    """
    c, eps, graph = model.config, model.config.rms_norm_eps, Graph()
    x = graph.take("state.0", _FLOAT, 1, "n", c.hidden_size)
    attention = _Attention(graph, model, texts)
    normed = _norm(graph, x, "normed.0", model.blocks[0].input_layernorm, eps)
    for i, block in enumerate(model.blocks[:layers]):
        mixed = attention.mixed(i, *attention.parts(i, block, normed, product))
        out = product(graph, mixed, f"o.{i}", block.o_proj)
        normed, x = _added(graph, x, out, block.post_attention_layernorm, f"half.{i}", eps)
        out = _mlp(graph, i, block, normed, product)
        last = i + 1 == layers
        norm = model.norm if last else model.blocks[i + 1].input_layernorm
        if last and not head:
            x = graph.add("Add", [x, out], f"state.{i + 1}")
        else:
            normed, x = _added(graph, x, out, norm, f"state.{i + 1}", eps)
        graph.give(x, 1, "n", c.hidden_size)
    if head:
        chosen = graph.add("Gather", [normed, graph.take("rows", _LONG, "m")], "chosen", axis=1)
        graph.give(product(graph, chosen, "logits", model.lm_head), 1, "m", len(model.lm_head))
    return graph.written()


def head(model: Qwen3, product: Product = product) -> Written:
    """Hidden states, "state" (1, n, H), -> "logits" (1, n, V)."""
    graph = Graph()
    x = graph.take("state", _FLOAT, 1, "n", model.config.hidden_size)
    normed = _norm(graph, x, "normed", model.norm, model.config.rms_norm_eps)
    graph.give(product(graph, normed, "logits", model.lm_head), 1, "n", len(model.lm_head))
    return graph.written()


def alone(weight: Tensor, product: Product = product) -> Written:
    """One product: "x" (1, n, in) -> "y" (1, n, out)."""
    graph = Graph()
    x = graph.take("x", _FLOAT, 1, "n", weight.shape[1])
    graph.give(product(graph, x, "y", weight), 1, "n", len(weight))
    return graph.written()


class _Attention:
    """The attention of every block of a model, for so many texts."""

    def __init__(self, graph: Graph, model: Qwen3, texts: int):
        c, self.graph, self.texts = model.config, graph, texts
        self.h, self.g, self.d = c.num_attention_heads, c.num_key_value_heads, c.head_dim
        self.eps = c.rms_norm_eps
        self.cos = graph.weight("cos", model.cos[:, : self.d // 2])
        self.sin = graph.weight("sin", model.sin[:, : self.d // 2])
        for heads in {self.h, self.g}:
            graph.constant(f"to {heads} heads", [0, 0, heads, self.d])
        graph.constant("joined", [0, 0, -1])
        if texts > 1:
            graph.take("counts", _LONG, texts)
        for j in range(texts):
            graph.take(f"positions.{j}", _LONG, 1, f"n_{j}")
            graph.take(f"last.{j}", _INT, 1)
            graph.take(f"total.{j}", _INT)
            graph.take(f"bias.{j}", _FLOAT, 1, 1, f"n_{j}", f"t_{j}")

    def parts(self, i: int, block: Block, x: str, product: Product) -> list[str]:
        """Queries, keys and values of block `i`, the first two normed by head."""
        h, g, d = self.h, self.g, self.d
        weights = block.qkv_proj.split([h * d, g * d, g * d])
        q, k, v = (
            product(self.graph, x, f"{name}.{i}", weight)
            for name, weight in zip("qkv", weights, strict=True)
        )
        return [self._normed(q, h, block.q_norm), self._normed(k, g, block.k_norm), v]

    def mixed(self, i: int, q: str, k: str, v: str) -> str:
        """The values that each query sees, by weight (1, n, h d)."""
        if self.texts == 1:
            return self._of_text(i, 0, [q, k, v])
        pieces = []
        for name in (q, k, v):
            of_text = [f"{name}, text {j}" for j in range(self.texts)]
            self.graph.add("Split", [name, "counts"], *of_text, axis=1)
            pieces.append(of_text)
        mixed = [self._of_text(i, j, parts) for j, parts in enumerate(zip(*pieces, strict=True))]
        return self.graph.add("Concat", mixed, f"mixed.{i}", axis=1)

    def _of_text(self, i: int, j: int, parts: Sequence[str]) -> str:
        graph, caches = self.graph, []
        for part in range(2):
            caches.append(graph.take(f"past.{j}.{i}.{part}", _FLOAT, 1, self.g, f"T_{j}", self.d))
            graph.give(f"present.{j}.{i}.{part}", 1, self.g, f"T_{j}", self.d)
        places = [f"last.{j}", f"total.{j}", self.cos, self.sin, f"positions.{j}", f"bias.{j}"]
        return graph.add(
            "GroupQueryAttention", [*parts, *caches, *places],
            f"mixed.{j}.{i}", f"present.{j}.{i}.0", f"present.{j}.{i}.1",
            domain="com.microsoft", num_heads=self.h, kv_num_heads=self.g, do_rotary=1,
        )  # fmt: skip

    def _normed(self, x: str, heads: int, weight: Tensor) -> str:
        """RMSNorm of each head of x (1, n, heads d)."""
        by_head = self.graph.add("Reshape", [x, f"to {heads} heads"], f"{x}, by head")
        normed = _norm(self.graph, by_head, f"{x}, normed", weight, self.eps)
        return self.graph.add("Reshape", [normed, "joined"], f"{x}, joined")


def _mlp(graph: Graph, i: int, block: Block, x: str, product: Product) -> str:
    gate, up = (
        product(graph, x, f"{name}.{i}", weight)
        for name, weight in zip(("gate", "up"), block.gate_up_proj.chunk(2), strict=True)
    )
    # x sigmoid(x): SiLU
    gate = graph.add("QuickGelu", [gate], f"silu.{i}", domain="com.microsoft", alpha=1.0)
    return product(graph, graph.add("Mul", [gate, up], f"gated.{i}"), f"down.{i}", block.down_proj)


def _norm(graph: Graph, x: str, name: str, weight: Tensor, eps: float) -> str:
    """RMSNorm over the last axis."""
    weight = graph.weight(f"{name}, weight", weight)
    return graph.add("SimplifiedLayerNormalization", [x, weight], name, axis=-1, epsilon=eps)


def _added(graph: Graph, x: str, more: str, norm: Tensor, name: str, eps: float) -> tuple[str, str]:
    """RMSNorm(x + more) and x + more, the latter called `name`."""
    normed = graph.add(
        "SkipSimplifiedLayerNormalization",
        [x, more, graph.weight(f"{name}, norm", norm)], f"{name}, normed", "", "", name,
        domain="com.microsoft", epsilon=eps,
    )  # fmt: skip
    return normed, name
