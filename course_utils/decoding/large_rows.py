"""Top-k and top-p of a large vocabulary, without sorting it.

A row of Qwen3 has 151,936 columns, of which a filter keeps a few.  Comparing finds some more than
these, and only they are sorted.  What is kept is what `sampling` keeps where it sorts whole rows.

Left out: rows on an accelerator, which sorts fast, and formats that NumPy has not.
"""

import numpy as np

from course_utils.decoding.contracts import Rows
from course_utils.decoding.rows import as_numpy, exponentials

BLOCKS = 4096  # of a row; one with fewer columns is sorted as soon
FLOORS = (1e-3, 1e-4, 1e-5, 1e-6)  # probabilities: at most 1,000, 10,000, ... tokens reach
ROUNDING = 1e-4  # more than two ways of adding up a row's float32 probabilities differ by


def are_large(rows: Rows) -> bool:
    """Rows (n, vocabulary) for which this file is made."""
    if rows.ndim != 2 or rows.shape[-1] < BLOCKS:
        return False
    if isinstance(rows, np.ndarray):
        return rows.dtype.kind == "f"
    return rows.device.type == "cpu" and rows.is_floating_point() and rows.element_size() >= 4


def filtered(xp, logits: Rows, top_k: int, top_p: float) -> Rows:
    """Probabilities of what the filters keep of each row, 0 elsewhere; `logits` are written over.

    Args:
        logits: of each row at most 0.
        top_k: ties of the last one stay, too; 0 keeps all.
        top_p: the likeliest tokens, of equal ones the first, up to that mass.
    """
    found, narrow = xp.zeros_like(logits), 0 < top_k < logits.shape[-1]
    if not narrow:
        logits = exponentials(logits)
        logits /= xp.sum(logits, axis=-1, keepdims=True)  # probabilities from here on
    for row, known, out in zip(logits, as_numpy(logits), found, strict=True):
        if narrow:
            at = xp.asarray(_likeliest(known, top_k))
            out[at] = exponentials(row[at])
            out /= xp.sum(out)  # of the whole row: the very sum that sorting has
            p = out[at]
        else:
            at = xp.asarray(_reaching(known, top_p))
            p = row[at]
        if top_p < 1:
            out[at] = 0.0
            kept = xp.asarray(_nucleus(xp, p, top_p))
            at, p = at[kept], p[kept]
            p /= xp.sum(p)
        out[at] = p
    return found


def _reaching(p: np.ndarray, mass: float) -> np.ndarray:
    """Places that hold the likeliest tokens of at least such a mass."""
    for floor in FLOORS:
        at = np.flatnonzero(p >= floor)
        if p[at].sum() > mass + ROUNDING:
            return at
    return np.arange(len(p))


def _nucleus(xp, p: Rows, top_p: float) -> np.ndarray:
    """Which of these tokens are kept: places, in rising order."""
    known = as_numpy(p)
    falling = xp.asarray(np.sort(known)[::-1].copy())
    before = xp.cumulative_sum(falling) - falling  # mass of likelier tokens
    count = int(xp.sum((before < top_p) | (before == 0)))
    least = known.dtype.type(falling[count - 1])
    kept = known > least
    tied = np.flatnonzero(known == least)
    kept[tied[: count - np.count_nonzero(kept)]] = True
    return np.flatnonzero(kept)


def _likeliest(row: np.ndarray, k: int) -> np.ndarray:
    """Places of the k largest numbers, and of what equals the last of them.

    Where k blocks reach a number, at least k numbers do: no smaller one need be looked at.
    """
    at = np.arange(len(row))
    if 2 * k <= BLOCKS:
        whole = row[: len(row) // BLOCKS * BLOCKS].reshape(-1, BLOCKS)
        at = np.flatnonzero(row >= np.partition(whole.max(axis=0), -k)[-k])
    largest = row[at]
    return at[largest >= np.partition(largest, -k)[-k]]
