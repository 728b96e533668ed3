"""A model whose rows depend on what its text was: logits processors, with speculation or without.

A grammar, a penalty on repetition: each changes the row that follows a text by that text, before
temperature and filters.  In a round of speculation each row follows
another text, that of its own guesses.  So a processor is a part of the model, and the loop, the
rules and the drafters do not know of it: the text has exactly the distribution that the processed
model would give it alone.  In a draft the same wrapper only saves rejections.

A state says what of the text matters.  It never changes: `after` gives another one.  So a session
keeps one for each token that it holds, and going back is to forget the last ones.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, Protocol

from course_utils.decoding.contracts import LanguageModel, Rows, Session
from course_utils.decoding.loop import forward


class State(Protocol):
    """What a processor needs to know of a text."""

    def after(self, token: int) -> "State":
        """The state of the text with `token`; this one stays what it is."""


# (logits (n, vocabulary), the n states of the texts that they follow) -> logits
Process = Callable[[Rows, Sequence[Any]], Rows]


class ProcessedSession:
    """A session and a state after each of its tokens: states[i] stands after i tokens."""

    def __init__(self, session: Session, states: list[State], process: Process):
        self._session: Any = session  # one that holds trees has `keep`
        self._states, self._process = states, process

    @property
    def length(self) -> int:
        return self._session.length

    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Rows:
        first = self.length
        rows = forward(self._session, tokens, parents)
        parents = parents or ()
        tree = self.length - len(parents)  # where it begins
        for place, token in enumerate(tokens, first):
            before = place if place < tree else tree + parents[place - tree] + 1
            self._states.append(self._states[before].after(token))
        return self._process(rows, self._states[first + 1 :])

    def rollback(self, length: int) -> None:
        self._session.rollback(length)
        del self._states[length + 1 :]

    @property
    def keep(self) -> Callable[[int, Sequence[int]], None]:
        keep = self._session.keep  # whoever asks a session that holds no trees hears that

        def both(length: int, path: Sequence[int]) -> None:
            keep(length, path)
            self._states[length + 1 :] = [self._states[length + 1 + place] for place in path]

        return both


class Processed:
    """A LanguageModel: the one it is given, with processed logits; `state` is an empty text's."""

    session = ProcessedSession

    def __init__(self, model: LanguageModel, state: State, process: Process):
        self.model, self.state, self.process = model, state, process
        self.vocabulary_size, self.context = model.vocabulary_size, model.context

    def start(self, prompt: Sequence[int]) -> ProcessedSession:
        states = accumulate(prompt, lambda at, token: at.after(token), initial=self.state)
        return self.session(self.model.start(prompt), list(states), self.process)
