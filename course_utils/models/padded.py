"""A draft whose rows are padded to another length than its target's, over the same tokens.

Two sizes of a family may pad one tokenizer's ids differently: Qwen2.5's rows have 151,936 columns
up to 3B and 152,064 from 7B on.  The padding's ids have no meaning, but they may be drawn.
"""

from collections.abc import Sequence
from math import inf
from typing import Any

import array_api_compat

from course_utils.decoding.contracts import LanguageModel, Rows, Session
from course_utils.decoding.rows import namespace
from course_utils.decoding.sessions import forward, verifies_trees


class Padded:
    """The LanguageModel `model` with rows of `vocabulary_size`: cut, or widened with -inf.

    A token that the model lacks is read as its last one.  That is lossless for a draft alone,
    whose guesses may have any distribution.
    """

    def __init__(self, model: LanguageModel, vocabulary_size: int):
        self.model, self.vocabulary_size, self.context = model, vocabulary_size, model.context
        self.verifies_trees = verifies_trees(model)

    def known(self, tokens: Sequence[int]) -> list[int]:
        """Return the tokens as the model reads them."""
        return [min(token, self.model.vocabulary_size - 1) for token in tokens]

    def start(self, prompt: Sequence[int]) -> Session:
        session: Any = PaddedSession(self, self.model.start(self.known(prompt)))
        return session


class PaddedSession:
    """A session of the model, for trees if that is."""

    def __init__(self, padded: Padded, session: Session):
        self._padded, self._session = padded, session

    def __getattr__(self, name: str) -> Any:
        if name == "_session":  # not set yet while a copy is being made
            raise AttributeError(name)
        return getattr(self._session, name)

    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Rows:
        rows = forward(self._session, self._padded.known(tokens), parents)
        size, xp = self._padded.vocabulary_size, namespace(rows)
        shape, place = (len(rows), max(0, size - rows.shape[1])), array_api_compat.device(rows)
        padding = xp.full(shape, -inf, dtype=rows.dtype, device=place)
        return xp.concat([rows[:, :size], padding], axis=1)
