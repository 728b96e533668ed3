"""The operations of one pass, each by itself, on what the model gave it."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor

from course_utils.decoding.rows import as_numpy
from course_utils.models.qwen3 import Qwen3
from course_utils.models.same_bits import same_bits

NAMES = ("product q, k, v", "attention", "product o", "product gate, up", "product down")
Operation = Callable[[np.ndarray], np.ndarray]  # rows (n, in) -> rows (n, out)


def operations(
    model: Qwen3, ids: Sequence[int], rows: int
) -> dict[str, tuple[Operation, np.ndarray]]:
    """{name: (operation, the rows it was given)} of the middle block, the norms and the head.

    The rows are those of the last `rows` tokens of `ids`, read in one pass.  What attention is
    given are places, (rows, 1): it takes the queries there, and the keys up to the last of them.
    """
    linears, attentions = [], []

    def linear(x: Tensor, weight: Tensor) -> Tensor:
        linears.append((x, weight))
        return model.linear(x, weight)

    def attend(q: Tensor, k: Tensor, v: Tensor, seen: Tensor | None) -> Tensor:
        attentions.append((q, k.clone(), v.clone()))
        return model.attend(q, k, v, seen)

    session = same_bits(model, linear, attend).start(ids[:-rows])
    linears.clear(), attentions.clear()
    session.extend(ids[-rows:])
    middle = model.layers // 2
    found = {"norm": (partial(_norm, model), _values(linears[-1][0]))}
    products = iter(linears[4 * middle : 4 * middle + 4])
    for name in NAMES:
        if name == "attention":
            found[name] = partial(_attention, model, attentions[middle]), np.arange(rows)[:, None]
        else:
            x, weight = next(products)
            found[name] = partial(_product, model, weight), _values(x)
    x, weight = linears[-1]
    found["product head"] = partial(_product, model, weight), _values(x)
    return found


def on(model: Qwen3, operation: Operation) -> Operation:
    """The same operation, as `model` does it: of a partial above, with another model in front."""
    return partial(operation.func, model, *operation.args[1:])


def _values(x: Tensor) -> np.ndarray:
    return as_numpy(x.float())


def _rows(x: np.ndarray, model: Qwen3) -> Tensor:
    return torch.from_numpy(x).to(model.dtype)


@torch.inference_mode()
def _norm(model: Qwen3, x: np.ndarray) -> np.ndarray:
    return _values(model._norm(_rows(x, model), model.norm))


@torch.inference_mode()
def _product(model: Qwen3, weight: Tensor, x: np.ndarray) -> np.ndarray:
    return _values(model.linear(_rows(x, model), weight))


@torch.inference_mode()
def _attention(model: Qwen3, given: tuple, places: np.ndarray) -> np.ndarray:
    q, k, v = given
    first, last = int(places[0, 0]), int(places[-1, 0]) + 1
    t = k.shape[-2] - q.shape[-2] + last  # keys up to the last of these queries
    seen = model._causal_mask(last - first, t)
    out = model.attend(q[:, :, first:last], k[:, :, :t], v[:, :, :t], seen)
    return _values(out[0].transpose(0, 1).flatten(1))
