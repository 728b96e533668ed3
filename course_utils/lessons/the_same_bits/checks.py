"""Checks of this elective: rows whose bits change, and two products whose order is fixed."""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from course_utils.classroom.exercise import Exercise, Refused

# --- which rows change --------------------------------------------------------------------


def changed_rows(operation: Callable, x: np.ndarray) -> int:
    """How many rows of x come out in other bits when all are given at once."""
    together = operation(x)
    changed = 0
    for i in range(len(x)):
        alone = operation(x[i : i + 1])
        if not np.array_equal(together[i], alone[0]):
            changed += 1
    return changed


def exact(x):
    """Sums of whole numbers: no order changes them."""
    return x.sum(1, keepdims=True)


def ordered(x):
    """Two sums of each row: from the left; from the right where there are several rows."""
    left = np.cumsum(x, -1)[:, -1:]
    right = np.cumsum(x[:, ::-1], -1)[:, -1:]
    return np.concatenate([left, left if len(x) == 1 else right], -1)


def last_bit(x):
    rows, _ = x.shape
    return x if rows == 1 else np.nextafter(x, np.float32(np.inf))


WHOLE = np.arange(12, dtype=np.float32).reshape(4, 3)
MIXED = np.array([[1e8, 1, -1e8], [1, 2, 3], [-1e8, 1e8, 1], [0.5, 0.25, 4]], np.float32)
check_changed_rows = Exercise(
    "changed_rows",
    cases=[(exact, WHOLE), (ordered, MIXED), (ordered, MIXED[1:2]), (last_bit, MIXED[1:])],
    right=changed_rows,
    mistakes={
        "A row alone is still an array of rows, of one: `x[i : i + 1]`.": (
            "operation(x[i : i + 1])", "operation(x[i])",
        ),
        "You allow for rounding. Rounding is what is looked for: compare every bit.": (
            "np.array_equal", "np.allclose",
        ),
        "You count numbers. A row has changed if any of its numbers has: count it once.": (
            ("if not np.array_equal(together[i], alone[0]):", "if True:"),
            ("changed += 1", "changed += int((together[i] != alone[0]).sum())"),
        ),
        "You ask whether any row changes. How many do?": (
            ("changed += 1", "changed = 1"),
        ),
        "You count the rows that keep their bits.": ("if not np", "if np"),
        "Alone, what comes out is an array of one row: compare its row 0.": ("alone[0]", "alone"),
        "You call the operation twice on all rows. The same call gives the same bits; give it one "
        "row at a time.": ("alone = operation(x[i : i + 1])", "alone = operation(x)[i:]"),
    },
    shown=lambda operation, x: f"{operation.__name__} on {len(x)} row{'s' * (len(x) > 1)}",
    insight="A row that stays the same alone and among others depends on itself only.",
)  # fmt: skip


# --- an order that is fixed ----------------------------------------------------------------


def in_order(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """(n, in) and (out, in), float32 -> (n, out), float32; added from the first input on."""
    total = np.zeros((len(x), len(w)), np.float32)
    for j in range(x.shape[1]):
        total += x[:, j, None] * w[:, j]
    return total


def _drawn(n: int, outputs: int, inputs: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n)
    x, w = rng.normal(size=(n, inputs)), rng.normal(size=(outputs, inputs))
    return x.astype(np.float32), w.astype(np.float32)


def _same_bits(given: object, right: np.ndarray) -> bool:
    given = np.asarray(given)
    return given.dtype == right.dtype and np.array_equal(given, right)


def _product(attempt: Callable, x: np.ndarray, w: np.ndarray) -> object:
    """What it returns; a tensor keeps its dtype."""
    out = attempt(x, w)
    return out.numpy() if isinstance(out, Tensor) else out


def _shape(answer: object, x: np.ndarray, w: np.ndarray) -> str | None:
    shape = np.shape(answer)
    if shape != (len(x), len(w)):
        return f"The answer has the shape {shape}; {(len(x), len(w))} is asked, (n, out)."
    return None


def _off(answer: object, x: np.ndarray, w: np.ndarray) -> str:
    answer, right = np.asarray(answer), in_order(x, w)
    if answer.dtype != right.dtype:
        return f"the numbers are {answer.dtype}; float32 is asked."
    if np.allclose(answer, right, rtol=1e-3, atol=1e-3):
        return (
            f"{(answer != right).sum()} of {right.size} numbers have other bits: another order, or "
            "no float32 on the way. Start at 0, add input 0, then input 1, and round each time."
        )
    return f"the first number is {right[0, 0]:.4g}, not {answer[0, 0]:.4g}."


check_in_order = Exercise(
    "in_order",
    cases=[_drawn(1, 3, 300), _drawn(5, 8, 300)],
    right=in_order,
    mistakes={
        "The library chose the order: `@` gives the sums, in an order that depends on the shape. "
        "Loop over the inputs yourself.": lambda x, w: x @ w.T,
        "`sum` adds in blocks of its own. Loop over the inputs.": lambda x, w: (
            x[:, None] * w
        ).sum(-1),
        "You add in float64. That is nearer to the true sum, and no number of a model is so wide: "
        "begin with `np.zeros(..., np.float32)`.": (
            ("np.zeros((len(x), len(w)), np.float32)", "np.zeros((len(x), len(w)))"),
            ("return total", "return total.astype(np.float32)"),
        ),
        "You add from the last input to the first. That is a fixed order, too; the first to the "
        "last is asked.": ("range(x.shape[1])", "reversed(range(x.shape[1]))"),
    },
    ask=_product,
    form=_shape,
    same=_same_bits,
    told=_off,
    shown=lambda x, w: f"{len(x)} row{'s' * (len(x) > 1)} of {x.shape[1]} inputs",
    insight="Each number is added up by itself, so neither rows nor outputs can change its order.",
)  # fmt: skip


# --- a shape that is fixed -----------------------------------------------------------------


def in_shape(product: Callable[[Tensor], Tensor], rows: int) -> Callable[[Tensor], Tensor]:
    """`product` of rows, but always of exactly `rows` of them."""

    def fixed(x):
        pieces = []
        for part in x.split(rows):
            full = torch.zeros(rows, x.shape[1], dtype=x.dtype)
            full[: len(part)] = part
            pieces.append(product(full)[: len(part)])
        return torch.cat(pieces)

    return fixed


def _watched(attempt: Callable, n: int, rows: int, dtype: torch.dtype) -> object:
    """(The rows of each product, what comes out of n rows)."""
    seen = []

    def product(x: Tensor) -> Tensor:
        seen.append(len(x))
        return x @ torch.tensor([[1, 0, 2], [0, 3, 1]], dtype=dtype).T + 1

    fixed = attempt(product, rows)
    if fixed is None or fixed is ...:
        return fixed
    if not callable(fixed):
        raise Refused("Return a function: the product in a fixed shape.")
    out = fixed(torch.arange(1, 3 * n + 1, dtype=dtype).reshape(n, 3))
    if not isinstance(out, Tensor) or out.dtype != dtype:
        return "Your product must return a tensor of x's dtype."
    return seen, out.tolist()


ROWS_OF_EACH, OUT = "the rows of each product", "what comes out"
check_in_shape = Exercise(
    "in_shape",
    cases=[(n, rows, torch.float32) for n, rows in ((1, 4), (4, 4), (6, 4), (3, 8))]
    + [(3, 4, torch.bfloat16)],
    right=in_shape,
    mistakes={
        "Each product must have exactly `rows` rows: fill what is missing with rows of zeros.": (
            "torch.zeros(rows, x.shape[1]", "torch.zeros(len(part), x.shape[1]",
        ),
        "More rows than `rows` do not fit one product. Take them `rows` at a time.": (
            ("x.split(rows)", "[x]"),
            ("torch.zeros(rows,", "torch.zeros(max(rows, len(x)),"),
        ),
        "The rows of zeros give outputs, too. Return those of x only.": (
            "product(full)[: len(part)]", "product(full)",
        ),
        "You fill in front and return the first rows of the product: those of the zeros.": (
            "full[: len(part)] = part", "full[rows - len(part) :] = part",
        ),
        "The product must get rows of x's dtype: make the zeros with `dtype=x.dtype`.": (
            ", dtype=x.dtype", ""
        ),
        "Only the first piece comes back. Join all of them.": ("torch.cat(pieces)", "pieces[0]"),
        "A row at a time is a fixed shape, too, and every row reads all weights again. Put `rows` "
        "rows into each product.": (
            ("x.split(rows)", "x.split(1)"),
            ("torch.zeros(rows, x.shape[1]", "torch.zeros(1, x.shape[1]"),
        ),
    },
    ask=_watched,
    parts=(ROWS_OF_EACH, OUT),
    shown=lambda n, rows, dtype: (
        f"{n} row{'s' * (n > 1)}, {str(dtype).removeprefix('torch.')}, in products of {rows}"
    ),
    insight="One shape, one kernel, one order. Whether all rows of it are treated alike is for a "
    "measurement to say.",
)  # fmt: skip
