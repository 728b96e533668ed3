"""Logits processors, with or without speculation: models whose rows depend on their whole text.

A processor, such as a grammar or a repetition penalty, changes a row according to the text before
it; temperature and filters follow.  In a speculative round each row follows a different text, with
different guesses.  So a processor is a part of the model, and the loop, the rules and the drafters
need no change: the text has exactly the distribution of the processed model alone.  Around a
draft model the same wrapper only saves rejections.

A grammar is one: its state is a matcher, and each row is restricted to the tokens that it allows.

A state is what the processor needs to know about a text.  It is immutable: `after` returns a new
one.  So a session stores one per token, and a rollback drops the last ones.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate
from typing import Any, Protocol

import array_api_compat
import numpy as np

from course_utils.decoding.contracts import LanguageModel, Rows, Session
from course_utils.decoding.rows import namespace
from course_utils.decoding.sessions import forward, in_trees, verifies_trees


class State(Protocol):
    """What a processor needs to know about a text."""

    def after(self, token: int) -> "State":
        """Return the state of the text with `token`, without changing this one."""


# (logits (n, vocabulary), the n states of the texts that they follow) -> logits.  A row may be -inf
# throughout where its text is forbidden or has ended; `generate` raises if it needs a token there.
Process = Callable[[Rows, Sequence[Any]], Rows]


class ProcessedSession:
    """A session, and the state after each of its tokens: states[i] is that after i tokens."""

    def __init__(self, session: Session, states: list[State], process: Process):
        self._session = session
        self._states, self._process = states, process

    @property
    def length(self) -> int:
        return self._session.length

    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Rows:
        first = self.length
        rows = forward(self._session, tokens, parents)
        parents = parents or ()
        tree = self.length - len(parents)  # where the tree begins
        for place, token in enumerate(tokens, first):
            before = place if place < tree else tree + parents[place - tree] + 1
            self._states.append(self._states[before].after(token))
        return self._process(rows, self._states[first + 1 :])

    def rollback(self, length: int) -> None:
        self._session.rollback(length)
        del self._states[length + 1 :]

    def keep(self, length: int, path: Sequence[int]) -> None:
        in_trees(self._session).keep(length, path)
        self._states[length + 1 :] = [self._states[length + 1 + place] for place in path]


class Processed:
    """The LanguageModel `model` with processed logits; `state` is that of an empty text."""

    session = ProcessedSession

    def __init__(self, model: LanguageModel, state: State, process: Process):
        self.model, self.state, self.process = model, state, process
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self.verifies_trees = verifies_trees(model)

    def start(self, prompt: Sequence[int]) -> ProcessedSession:
        states = accumulate(prompt, lambda at, token: at.after(token), initial=self.state)
        return self.session(self.model.start(prompt), list(states), self.process)


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
