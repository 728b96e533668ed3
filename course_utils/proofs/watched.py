"""The models as a program is handed them: rows in NumPy, and every call noted."""

import operator
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Session
from course_utils.decoding.rows import as_numpy

TARGET, DRAFT = "target", "draft"
START, EXTEND, ROLLBACK = "start", "extend", "rollback"


class Malformed(ValueError):
    """What a program did that no decoder can do, in a sentence."""


@dataclass(frozen=True)
class Call:
    """A call of a model, and the text that its session held before."""

    who: str  # TARGET or DRAFT
    does: str  # START, EXTEND or ROLLBACK
    held: tuple[int, ...]
    tokens: tuple[int, ...]  # that were given; of a rollback, those that are left

    @property
    def after(self) -> tuple[int, ...]:
        """What the session holds after it."""
        return self.held + self.tokens if self.does == EXTEND else self.tokens


class Watched:
    """A model as a program sees it: rows in NumPy, and every call noted."""

    def __init__(self, model: LanguageModel, who: str, calls: list[Call], most: int):
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self.model, self._who, self._calls, self._most = model, who, calls, most

    def start(self, prompt: Sequence[int]) -> "WatchedSession":
        tokens = self.ids(prompt)
        self.note(START, (), tokens)
        return WatchedSession(self, self.model.start(list(tokens)), tokens)

    def ids(self, tokens: Sequence[int]) -> tuple[int, ...]:
        """Raises Malformed: no tokens of this model."""
        try:
            ids = tuple(map(operator.index, tokens))
        except TypeError:
            raise Malformed(f"the {self._who} was given {tokens!r:.60}: give token ids") from None
        unknown = [x for x in ids if not 0 <= x < self.vocabulary_size]
        if unknown:
            raise Malformed(f"the {self._who} was given token {unknown[0]}, which it does not know")
        return ids

    def note(self, does: str, held: tuple[int, ...], tokens: tuple[int, ...]) -> None:
        """Raises Malformed: too many calls for a program that will ever end."""
        self._calls.append(Call(self._who, does, held, tokens))
        if len(self._calls) > self._most:
            raise Malformed(f"the models were called {self._most} times, and no end is in sight")


class WatchedSession:
    """A session as a program sees it."""

    def __init__(self, model: Watched, session: Session, tokens: tuple[int, ...]):
        self._model, self._session, self._tokens = model, session, tokens

    @property
    def length(self) -> int:
        return len(self._tokens)

    def extend(self, tokens: Sequence[int]) -> np.ndarray:
        """Logits (len(tokens), vocabulary).

        Raises:
            Malformed: no tokens, or none of this model's.
        """
        new = self._model.ids(tokens)
        self._model.note(EXTEND, self._tokens, new)
        if not new:
            raise Malformed("extend([]) has no token to read, so no row comes back")
        rows = as_numpy(self._session.extend(list(new))).astype(np.float64)
        self._tokens += new
        return rows

    def rollback(self, length: int) -> None:
        """Raises Malformed: a length that the session never had."""
        length = operator.index(length)
        if not 0 <= length <= self.length:
            raise Malformed(f"rollback({length}) of a session that holds {self.length} tokens")
        self._model.note(ROLLBACK, self._tokens, self._tokens[:length])
        self._session.rollback(length)
        self._tokens = self._tokens[:length]
