"""Which array library holds some rows: NumPy's or torch's functions, by one name.

`array_api_compat` answers the same, but looks at every array anew: 20
microseconds, a dozen times a round.  An array's type settles it.
"""

from typing import Any

import array_api_compat
import numpy as np

from course_utils.decoding.contracts import Rows

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


def exponentials(rows: Rows) -> Rows:
    """exp of each number; floats are written over, for a verification's rows are too large to be
    allocated several times a round."""
    if isinstance(rows, np.ndarray):
        return np.exp(rows, out=rows if rows.dtype.kind == "f" else None)
    return rows.exp_() if rows.is_floating_point() else rows.exp()


def places_up_to(ascending: np.ndarray, uniform: float) -> int:
    """How many numbers of an ascending row are not above `uniform`.

    >>> places_up_to(np.array([0.2, 0.2, 1.0]), 0.2)
    2
    """
    if isinstance(uniform, float):
        return int(ascending.searchsorted(uniform, side="right"))
    return int((ascending <= uniform).sum())


def as_numpy(rows: Rows) -> np.ndarray:
    """Rows of either library, on any device, as NumPy's; NumPy has no bfloat16, so as float32."""
    return rows if isinstance(rows, np.ndarray) else single(rows).cpu().numpy()
