"""Rows in NumPy or torch: one namespace for both libraries, and sparse rows.

`array_api_compat` inspects every array, 20 microseconds a dozen times per round; here the
array's type alone decides.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import array_api_compat
import numpy as np

Rows = Any  # NumPy array or torch tensor, (number of tokens, vocabulary)

_BY_TYPE: dict[type, Any] = {}


def namespace(rows: Rows) -> Any:
    """Return the module whose `exp`, `where`, `sort`, ... work on `rows` (array API standard)."""
    kind = type(rows)
    if kind not in _BY_TYPE:
        _BY_TYPE[kind] = array_api_compat.array_namespace(rows)
    return _BY_TYPE[kind]


def checked_rows(
    rows: Any, count: int, owner: object, vocabulary: int | str = "vocabulary"
) -> Rows:
    """Return what `extend` of `owner` returned for `count` tokens.

    Raises:
        ValueError: it is not an array (count, vocabulary) of NumPy or torch; the width is checked
            if `vocabulary` is a number.
    """
    is_array = isinstance(rows, np.ndarray) or array_api_compat.is_torch_array(rows)
    shape = tuple(rows.shape) if is_array else ()
    if len(shape) != 2 or shape[0] != count or vocabulary not in ("vocabulary", shape[1]):
        got = f"an array of shape {shape}" if is_array else f"a {type(rows).__name__}"
        raise ValueError(
            f"extend of a {type(owner).__name__} returned {got} for {count} tokens: return an "
            f"array of NumPy or torch, ({count}, {vocabulary}), with the logits after each token"
        )
    return rows


def full_precision(rows: Rows) -> Rows:
    """Return rows in half precision as float32, all others unchanged."""
    if isinstance(rows, np.ndarray):
        return rows.astype(np.float32) if rows.dtype == np.float16 else rows
    return rows.float() if rows.is_floating_point() and rows.element_size() == 2 else rows


def sum_dtype(rows: Rows) -> dict[str, Any]:
    """Return the arguments for sums in float64: `xp.sum(rows, **sum_dtype(rows))`.

    On an Apple GPU, whose widest format is float32, there are none.
    """
    apple = not isinstance(rows, np.ndarray) and rows.device.type == "mps"
    return {} if apple else {"dtype": namespace(rows).float64}


def as_numpy(rows: Rows) -> np.ndarray:
    """Return rows of either library, on any device, in NumPy; bfloat16 becomes float32."""
    return rows if isinstance(rows, np.ndarray) else full_precision(rows).cpu().numpy()


DROPPED = (
    "these rows have only the numbers at the drafted and emitted tokens: for whole rows, decode "
    "with generate(..., rows=True)"
)


@dataclass(frozen=True)
class SparseRows:
    """Rows reduced to a few numbers: only `rows[i, x]` still works.

    A row of 151,936 tokens is 0.6 MB in float32; counts and most figures need p and q only at
    the drafted and emitted tokens.

    Raises:
        LookupError: the number at this place was dropped.
        AttributeError: a method of an array was called.
    """

    shape: tuple[int, int]
    entries: Mapping[tuple[int, int], float]

    @classmethod
    def of(cls, rows: Rows, places: Iterable[tuple[int, int]]) -> "SparseRows":
        """Keep only the numbers of `rows` at `places`, (row, token)."""
        return cls(tuple(rows.shape), {place: float(rows[place]) for place in places})

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, place: tuple[int, int]) -> float:
        if not isinstance(place, tuple) or place not in self.entries:
            raise LookupError(f"{place}: {DROPPED}")
        return self.entries[place]

    def __array_namespace__(self, **_: object) -> NoReturn:
        raise LookupError(DROPPED)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name}: {DROPPED}")
