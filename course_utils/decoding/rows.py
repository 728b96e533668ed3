"""Rows of either array library: NumPy's and torch's functions by one name, and rows kept in part.

`array_api_compat` looks at every array anew, 20 microseconds a dozen times a round; here an
array's type settles which library it is of.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import array_api_compat
import numpy as np

Rows = Any  # NumPy array or torch tensor, (number of tokens, vocabulary)

_BY_TYPE: dict[type, Any] = {}


def namespace(rows: Rows) -> Any:
    """The module whose `exp`, `where`, `sort`, ... work on `rows` (array API standard)."""
    kind = type(rows)
    if kind not in _BY_TYPE:
        _BY_TYPE[kind] = array_api_compat.array_namespace(rows)
    return _BY_TYPE[kind]


def single(rows: Rows) -> Rows:
    """Rows in half precision as float32; any others as they are."""
    if isinstance(rows, np.ndarray):
        return rows.astype(np.float32) if rows.dtype == np.float16 else rows
    return rows.float() if rows.is_floating_point() and rows.element_size() == 2 else rows


def wide(rows: Rows) -> dict[str, Any]:
    """How to ask for sums in float64, whatever the format of `rows`: `xp.sum(rows, **wide(rows))`.

    An Apple GPU has nothing wider than float32.
    """
    apple = not isinstance(rows, np.ndarray) and rows.device.type == "mps"
    return {} if apple else {"dtype": namespace(rows).float64}


def as_numpy(rows: Rows) -> np.ndarray:
    """Rows of either library, on any device, as NumPy's; NumPy has no bfloat16, so as float32."""
    return rows if isinstance(rows, np.ndarray) else single(rows).cpu().numpy()


DROPPED = (
    "of these rows only the numbers at the drafted and emitted tokens were kept; for whole rows, "
    "decode with generate(..., rows=True)"
)


@dataclass(frozen=True)
class SparseRows:
    """Rows reduced to a few numbers: `rows[i, x]` as before, and nothing else.

    A row of 151,936 tokens is 0.6 MB in float32; counts and most figures ask only for p and q of
    the drafted and emitted tokens.

    Raises:
        LookupError: another place was asked for.
        AttributeError: a method of an array.
    """

    shape: tuple[int, int]
    entries: Mapping[tuple[int, int], float]

    @classmethod
    def of(cls, rows: Rows, places: Iterable[tuple[int, int]]) -> "SparseRows":
        """Keep the numbers of `rows` at `places`, (row, token)."""
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
