"""Top-k and top-p of a large vocabulary, without sorting it.

A row of Qwen3 has 151,936 columns, of which a filter keeps a few.  Comparing finds some more than
these, and only they are sorted.  What is kept is what `sampling` keeps where it sorts whole rows.

Left out: rows on an accelerator, which sorts fast, and formats that NumPy has not.
"""

import numpy as np

from course_utils.decoding.contracts import Rows
from course_utils.decoding.rows import as_numpy

BLOCKS = 4096  # of a row; one with fewer columns is sorted as soon
FLOORS = (1e-3, 1e-4, 1e-5, 1e-6, 0.0)  # probabilities: at most 1,000, 10,000, ... tokens reach


def are_large(rows: Rows) -> bool:
    """Rows (n, vocabulary) for which this file is made."""
    if rows.ndim != 2 or rows.shape[-1] < BLOCKS:
        return False
    if isinstance(rows, np.ndarray):
        return rows.dtype.kind == "f"
    return rows.device.type == "cpu" and rows.is_floating_point() and rows.element_size() >= 4


def likeliest(xp, logits: Rows, top_k: int) -> Rows:
    """exp of the `top_k` largest logits of each row, ties included; 0 elsewhere."""
    found = xp.zeros_like(logits)
    for row, known, out in zip(logits, as_numpy(logits), found, strict=True):
        at = xp.asarray(np.flatnonzero(known >= _kth_largest(known, top_k)))
        out[at] = xp.exp(row[at])
    return found


def nucleus(xp, p: Rows, top_p: float) -> Rows:
    """The most likely tokens of each row, of equal ones the first, up to a mass of `top_p`."""
    found = xp.zeros_like(p)
    for row, known, out in zip(p, as_numpy(p), found, strict=True):
        for floor in FLOORS:
            at = xp.asarray(np.flatnonzero(known >= floor))
            order = at[xp.argsort(row[at], descending=True)]
            likely = row[order]
            before = xp.cumulative_sum(likely) - likely  # mass of likelier tokens
            kept = (before < top_p) | (before == 0)
            if not bool(xp.all(kept)):  # else what is below the floor might belong to it
                break
        out[order[kept]] = likely[kept] / xp.sum(likely[kept])
    return found


def _kth_largest(row: np.ndarray, k: int) -> float:
    """Where k blocks reach a number, at least k numbers do: no smaller one need be looked at."""
    if 2 * k <= BLOCKS:
        whole = row[: len(row) // BLOCKS * BLOCKS].reshape(-1, BLOCKS)
        reached = np.partition(whole.max(axis=0), -k)[-k]
        row = row[np.flatnonzero(row >= reached)]
    return np.partition(row, -k)[-k]
