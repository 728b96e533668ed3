"""Logits processors, with or without speculation: models whose rows depend on their whole text.

A processor, such as a grammar or a repetition penalty, changes a row according to the text before
it; temperature and filters follow.  In a speculative round each row follows a different text, with
different guesses.  So a processor is a part of the model, and the loop, the rules and the drafters
need no change: the text has exactly the distribution of the processed model alone.  Around a
draft model the same wrapper only saves rejections.

A state is what the processor needs to know about a text.  It is immutable: `after` returns a new
one.  So a session stores one per token, and a rollback drops the last ones.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, Protocol

from course_utils.decoding.contracts import LanguageModel, Rows, Session
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
