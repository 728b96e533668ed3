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


def exponentials(rows: Rows) -> Rows:
    """exp of each number; floats are written over, for a verification's rows are too large to be
    allocated several times a round."""
    if isinstance(rows, np.ndarray):
        return np.exp(rows, out=rows if rows.dtype.kind == "f" else None)
    return rows.exp_() if rows.is_floating_point() else rows.exp()


def places_up_to(ascending: Rows, uniform: float) -> int:
    """How many numbers of an ascending row are not above `uniform`.

    >>> places_up_to(np.array([0.2, 0.2, 1.0]), 0.2)
    2
    """
    if isinstance(ascending, np.ndarray) and isinstance(uniform, float):
        return int(ascending.searchsorted(ascending.dtype.type(uniform), side="right"))
    return int((ascending <= uniform).sum())


def as_numpy(rows: Rows) -> np.ndarray:
    """Rows of either library, on any device, as NumPy's."""
    return np.asarray(array_api_compat.to_device(rows, "cpu"))
