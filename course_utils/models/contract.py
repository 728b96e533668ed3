"""The contract of a model's sessions, tried on a few tokens: `check_sessions(model)`.

Speculative decoding feeds several tokens at once and takes some of them back.  So the logits after
a text must not depend on how it was fed: at once, in pieces, or after other tokens that were rolled
back.  Left out: faults that appear only in longer texts, such as those of a sliding window.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Rows
from course_utils.decoding.proposal import check_model
from course_utils.decoding.rows import as_numpy, checked_rows
from course_utils.decoding.sampling import Sampling, probabilities_where_open
from course_utils.decoding.sessions import (
    check_length,
    forward,
    in_trees,
    roll_back,
    verifies_trees,
)

TRIAL_TOKENS = 9
_PREFIX = 4  # tokens left after a rollback
ROUNDING = 3e-4  # of float32, as a share of the rows' norm


def check_sessions(model: LanguageModel, rounding: float = ROUNDING) -> None:
    """Try the sessions of your own model, with a tree if it `verifies_trees`.

    Args:
        rounding: the largest difference between two ways to compute rows, as a share of their
            norm; give more for half precision and quantised weights.

    Raises:
        ValueError: not a LanguageModel, rows of another shape, a session of another length than
            the tokens that it was given, or logits that depend on how a text is fed.
    """
    check_model(model, "model")
    if fault := session_fault(model, trial_text(model), rounding):
        raise ValueError(f"{type(model).__name__} {fault}")


def trial_text(model: LanguageModel) -> list[int]:
    """Return tokens from all over the vocabulary."""
    return [(7 * i + 3) * model.vocabulary_size // 67 for i in range(TRIAL_TOKENS)]


def session_fault(model: LanguageModel, text: Sequence[int], rounding: float) -> str | None:
    """Return what is wrong with the sessions of `model`, or None; raise as `check_sessions`."""
    for fault, rows, expected in _fed_in_ways(model, list(text)):
        if not _same(as_numpy(rows), as_numpy(expected), rounding):
            return fault
    return None


def _fed_in_ways(model: LanguageModel, text: list[int]) -> Iterator[tuple[str, Rows, Rows]]:
    """Yield a fault, and the rows that differ if the model has it."""
    session = model.start([])
    at_once = checked_rows(session.extend(text), len(text), session, model.vocabulary_size)
    probabilities_where_open(at_once, Sampling())  # raises if they are not finite
    fault = "looks ahead: its logits after a token depend on later tokens, as in an encoder"
    yield fault, forward(model.start([]), text[:_PREFIX], None), at_once[:_PREFIX]
    pieces, rest = model.start(text[:1]), text[_PREFIX:]
    fault = "resets its state or its positions when a text is fed in pieces"
    rows = forward(pieces, [*text[1:_PREFIX], *text[:2]], None)  # the last two are wrong guesses
    yield fault, rows[: _PREFIX - 1], at_once[1:_PREFIX]
    fault = "gives other logits when a text is fed in pieces and rejected tokens are rolled back"
    roll_back(pieces, _PREFIX)
    yield fault, forward(pieces, rest, None), at_once[_PREFIX:]
    if verifies_trees(model):
        pieces = in_trees(pieces)
        roll_back(pieces, _PREFIX)
        rows = forward(pieces, [text[0], *rest[:2]], (-1, -1, 1))
        yield "gives other logits in a tree", rows[1:], at_once[_PREFIX:][:2]
        pieces.keep(_PREFIX, (1, 2))
        check_length(pieces, _PREFIX + 2)
        fault = "gives other logits after it was to keep a path of a tree"
        yield fault, forward(pieces, rest[2:], None), at_once[_PREFIX + 2 :]


def _same(a: np.ndarray, b: np.ndarray, rounding: float) -> bool:
    """Return whether rows are equal up to rounding, and up to a constant added to a row; a
    processor may have set logits to -inf."""
    possible = b > -np.inf
    if ((a > -np.inf) != possible).any():
        return False
    a, b = (np.where(possible, rows, rows.max(-1, keepdims=True)) for rows in (a, b))
    a, b = (rows - rows.mean(-1, keepdims=True) for rows in (a, b))
    return bool(np.linalg.norm(a - b) <= rounding * np.linalg.norm(b))
