"""The graph of a Qwen3 for ONNX Runtime, built node by node, without tracing.

Attention is ONNX Runtime's operator `GroupQueryAttention`: it rotates queries and keys to their
positions, appends in place to a cache that is longer than the text, and adds a bias to the
scores, which is how trees are masked.  It reads the new tokens of one text.  With several texts,
each has its own attention node; everything else handles their tokens as one list.

Logits are computed for the requested rows only, possibly none.  The graph names its weights but
does not contain them: ONNX Runtime reads each matrix from the model's memory and packs it for its
kernels.

Shape letters: n new tokens of all texts, n_j of text j, t_j its tokens afterwards, T the cache's
width, h query heads, g key-value heads, d head dimension, H hidden size, V vocabulary.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch.nn.functional as F
from onnx import ModelProto, NodeProto, StringStringEntryProto, TensorProto, helper, numpy_helper
from torch import Tensor

from course_utils.models.qwen3.readable import Block, Qwen3

_OPSETS = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
TURNS = "cos", "sin"  # names of the weights that rotate queries and keys to their positions
_FLOAT, _LONG, _INT = TensorProto.FLOAT, TensorProto.INT64, TensorProto.INT32


class GraphBuilder:
    """Nodes, and the weights that they name, most of which share the model's memory."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.weights: dict[str, np.ndarray] = {}
        self.constants: list[TensorProto] = []
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []

    def weight(self, name: str, value: Tensor | np.ndarray) -> str:
        """Add a weight; a tensor becomes float32."""
        array = value.float().numpy() if isinstance(value, Tensor) else value
        self.weights[name] = np.ascontiguousarray(array)
        return name

    def constant(self, name: str, shape: Sequence[int]) -> None:
        self.constants.append(numpy_helper.from_array(np.array(shape), name))

    def node(
        self, kind: str, inputs: Sequence[str], *outputs: str, domain: str = "", **attributes: Any
    ) -> str:
        """Add a node of ONNX, or of `com.microsoft`; return its first output."""
        self.nodes.append(
            helper.make_node(kind, inputs, outputs, name=outputs[0], domain=domain, **attributes)
        )
        return outputs[0]

    def input(self, name: str, kind: int, *shape: int | str) -> str:
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, name: str, *shape: int | str) -> None:
        self.outputs.append(helper.make_tensor_value_info(name, _FLOAT, shape))

    def norm(self, x: str, name: str, weight: Tensor, eps: float) -> str:
        """RMSNorm over the last axis."""
        weights = self.weight(f"{name}, weight", weight)
        kind = "SimplifiedLayerNormalization"
        return self.node(kind, [x, weights], name, axis=-1, epsilon=eps)

    def add_and_norm(
        self, x: str, more: str, weight: Tensor, name: str, eps: float
    ) -> tuple[str, str]:
        """RMSNorm(x + more), and x + more, which is called `name`."""
        normed = self.node(
            "SkipSimplifiedLayerNormalization",
            [x, more, self.weight(f"{name}, norm", weight)], f"{name}, normed", "", "", name,
            domain="com.microsoft", epsilon=eps,
        )  # fmt: skip
        return normed, name

    def build(self) -> ModelProto:
        """Return the model, which names its weights."""
        # weights are passed to ONNX Runtime separately; their location is never looked up
        place = [StringStringEntryProto(key="location", value="nowhere")]
        weights = [
            TensorProto(
                name=name, dims=array.shape, external_data=place,
                data_type=helper.np_dtype_to_tensor_dtype(array.dtype),
                data_location=TensorProto.EXTERNAL,
            )
            for name, array in self.weights.items()
        ]  # fmt: skip
        tensors = [*self.constants, *weights]
        graph = helper.make_graph(self.nodes, "qwen3", self.inputs, self.outputs, tensors)
        return helper.make_model(graph, opset_imports=_OPSETS, ir_version=10)


MatMul = Callable[[GraphBuilder, str, str, Tensor], str]
"""(graph, name of x (1, n, in), name of the product, weight (out, in)) -> the product's name."""


def float_matmul(graph: GraphBuilder, x: str, name: str, weight: Tensor) -> str:
    """x @ weight.T in float32."""
    matrix = graph.weight(f"{name}, weight", weight)
    return graph.node("FusedMatMul", [x, matrix], name, domain="com.microsoft", transB=1)


def decoder_graph(
    model: Qwen3, layers: int, texts: int = 1, matmul: MatMul = float_matmul
) -> GraphBuilder:
    """Build the graph of a model's first `layers` for `texts` texts.

    Outputs: the states after each layer, "state.1" to the last (1, n, H); "logits" (1, m, V).
    Inputs: "state.0" (1, n, H), the first block's input; "rows" (m).  For each text j:
    "positions.j" (1, n_j); "last.j" (1), the place of its last new token in the cache; "total.j",
    t_j; "bias.j" (1, 1, n_j, t_j), added to the scores (later places are masked anyway); and for
    each block I the keys "past.j.I.0" and values "past.j.I.1" (1, g, T, d), whose memory
    "present.j.I.…" must share.  With several texts also "counts", their n_j.

    Args:
        layers: the number of layers; 0: the head alone, which reads "state.0" and "rows".
        matmul: the product with a matrix.
    """
    c, eps, graph = model.config, model.config.rms_norm_eps, GraphBuilder()
    x = graph.input("state.0", _FLOAT, 1, "n", c.hidden_size)
    norms = [*(block.input_layernorm for block in model.blocks[:layers]), model.norm]
    normed = graph.norm(x, "normed.0", norms[0], eps)
    if layers:
        attention = _Attention(graph, model, texts, matmul)
    for i, block in enumerate(model.blocks[:layers]):
        out = matmul(graph, attention.mix(i, block, normed), f"o.{i}", block.o_proj)
        normed, x = graph.add_and_norm(x, out, block.post_attention_layernorm, f"half.{i}", eps)
        gate_weight, up_weight = block.gate_up_proj.chunk(2)
        gate = matmul(graph, normed, f"gate.{i}", gate_weight)
        up = matmul(graph, normed, f"up.{i}", up_weight)
        # x sigmoid(x): SiLU
        gate = graph.node("QuickGelu", [gate], f"silu.{i}", domain="com.microsoft", alpha=1.0)
        out = graph.node("Mul", [gate, up], f"gated.{i}")
        out = matmul(graph, out, f"down.{i}", block.down_proj)
        normed, x = graph.add_and_norm(x, out, norms[i + 1], f"state.{i + 1}", eps)
        graph.output(x, 1, "n", c.hidden_size)
    rows = graph.node("Gather", [normed, graph.input("rows", _LONG, "m")], "chosen", axis=1)
    graph.output(matmul(graph, rows, "logits", model.lm_head), 1, "m", len(model.lm_head))
    return graph


class _Attention:
    """The attention nodes of a model's blocks, for `texts` texts."""

    def __init__(self, graph: GraphBuilder, model: Qwen3, texts: int, matmul: MatMul):
        c, self.graph, self.texts, self.matmul = model.config, graph, texts, matmul
        self.h, self.g, self.d = c.num_attention_heads, c.num_key_value_heads, c.head_dim
        self.eps = c.rms_norm_eps
        for name, turns in zip(TURNS, (model.cos, model.sin), strict=True):
            # one more, for a slot of a batch that is full and idle
            graph.weight(name, F.pad(turns[:, : self.d // 2], (0, 0, 0, 1)))
        if model.blocks[0].q_norm is not None:
            for heads in {self.h, self.g}:
                graph.constant(f"to {heads} heads", [0, 0, heads, self.d])
            graph.constant("joined", [0, 0, -1])
        if texts > 1:
            graph.input("counts", _LONG, texts)
        for j in range(texts):
            graph.input(f"positions.{j}", _LONG, 1, f"n_{j}")
            graph.input(f"last.{j}", _INT, 1)
            graph.input(f"total.{j}", _INT)
            graph.input(f"bias.{j}", _FLOAT, 1, 1, f"n_{j}", f"t_{j}")

    def mix(self, i: int, block: Block, x: str) -> str:
        """Return the weighted values for each query in block `i`, (1, n, h d)."""
        h, g, d, graph = self.h, self.g, self.d, self.graph
        weights = block.qkv_proj.tensor_split([h * d, (h + g) * d])
        q, k, v = (
            self.matmul(graph, x, f"{name}.{i}", weight)
            for name, weight in zip("qkv", weights, strict=True)
        )
        q, k = self._norm_heads(q, h, block.q_norm), self._norm_heads(k, g, block.k_norm)
        if self.texts == 1:
            return self._mix_text(i, 0, [q, k, v])
        texts = range(self.texts)
        for name in (q, k, v):
            graph.node("Split", [name, "counts"], *(f"{name}, text {j}" for j in texts), axis=1)
        mixed = [self._mix_text(i, j, [f"{x}, text {j}" for x in (q, k, v)]) for j in texts]
        return graph.node("Concat", mixed, f"mixed.{i}", axis=1)

    def _mix_text(self, i: int, j: int, qkv: Sequence[str]) -> str:
        graph, caches = self.graph, []
        for part in range(2):
            caches.append(graph.input(f"past.{j}.{i}.{part}", _FLOAT, 1, self.g, f"T_{j}", self.d))
            graph.output(f"present.{j}.{i}.{part}", 1, self.g, f"T_{j}", self.d)
        places = [f"last.{j}", f"total.{j}", *TURNS, f"positions.{j}", f"bias.{j}"]
        return graph.node(
            "GroupQueryAttention", [*qkv, *caches, *places],
            f"mixed.{j}.{i}", f"present.{j}.{i}.0", f"present.{j}.{i}.1",
            domain="com.microsoft", num_heads=self.h, kv_num_heads=self.g, do_rotary=1,
        )  # fmt: skip

    def _norm_heads(self, x: str, heads: int, weight: Tensor | None) -> str:
        """Apply RMSNorm to each head of x (1, n, heads d); in a Llama return x."""
        if weight is None:
            return x
        by_head = self.graph.node("Reshape", [x, f"to {heads} heads"], f"{x}, by head")
        normed = self.graph.norm(by_head, f"{x}, normed", weight, self.eps)
        return self.graph.node("Reshape", [normed, "joined"], f"{x}, joined")
