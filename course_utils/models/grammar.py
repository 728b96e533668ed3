"""A model whose text follows a grammar: structured output, with speculation or without.

Each row of p is restricted to the tokens that the grammar allows there: a logits processor whose
state is a matcher.  Around a draft model it keeps the guesses within the grammar.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Protocol

import array_api_compat
import numpy as np

from course_utils.decoding.contracts import LanguageModel, Rows
from course_utils.decoding.rows import namespace
from course_utils.models.logits_processor import Processed, State


class Matcher(State, Protocol):
    """The position of a text in a grammar."""

    def allowed(self) -> np.ndarray:
        """Return (vocabulary,) bool: the tokens that may follow; none after an end or a refusal."""

    def after(self, token: int) -> "Matcher": ...


class Prompted:
    """A matcher that allows any `length` tokens of a prompt; the grammar begins after them."""

    def __init__(self, length: int, matcher: Matcher):
        self._length, self._matcher = length, matcher

    def allowed(self) -> np.ndarray:
        allowed = self._matcher.allowed()
        return np.ones_like(allowed) if self._length else allowed

    def after(self, token: int) -> Matcher:
        left = self._length - 1
        return Prompted(left, self._matcher) if left >= 0 else self._matcher.after(token)


def restricted(rows: Rows, matchers: Sequence[Matcher]) -> Rows:
    """Set the logits (n, vocabulary) to -inf where the matcher of their row allows no token."""
    masks = np.stack([matcher.allowed() for matcher in matchers])
    xp = namespace(rows)
    return xp.where(xp.asarray(masks, device=array_api_compat.device(rows)), rows, -math.inf)


def constrained(model: LanguageModel, matcher: Matcher) -> Processed:
    """Return the model restricted by a grammar.

    Args:
        matcher: that of an empty text; with a prompt of n tokens, `Prompted(n, matcher)`.
    """
    return Processed(model, matcher, restricted)


Step = Callable[[Hashable, str], Hashable | None]  # (state, character) -> state; None: refused
BEGIN, END, _OVER = "begin", "end", "over"  # states; _OVER: after the end token


class Spelled:
    """A matcher from an automaton: a token is allowed if its characters are, one by one.

    In the state END only the tokens that end a text are allowed.

    Args:
        step: the automaton; its first state is BEGIN.
        pieces: the text of each token; "" if it has none.
        stop_tokens: the tokens that end a text.
    """

    def __init__(self, step: Step, pieces: Sequence[str], stop_tokens: Sequence[int]):
        self._step, self._pieces, self._stop = step, pieces, stop_tokens
        self._state: Hashable | None = BEGIN
        self._masks: dict[Hashable | None, np.ndarray] = {}  # by state, shared by all successors

    def allowed(self) -> np.ndarray:
        if self._state not in self._masks:
            mask = [self._next(token) is not None for token in range(len(self._pieces))]
            self._masks[self._state] = np.array(mask)
        return self._masks[self._state]

    def after(self, token: int) -> "Spelled":
        other = Spelled(self._step, self._pieces, self._stop)
        other._masks, other._state = self._masks, self._next(token)
        return other

    def _next(self, token: int) -> Hashable | None:
        state, piece = self._state, self._pieces[token]
        if token in self._stop:
            return _OVER if state == END else None
        if state in (None, END, _OVER) or not piece:
            return None
        for character in piece:
            state = None if state is None else self._step(state, character)
        return state
