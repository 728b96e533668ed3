"""A draft whose vocabulary has another size than its target's, as a model over the target's.

Families pad one vocabulary to several sizes (Qwen2.5: 151,936 rows, from 7B on 152,064), and makers
add tokens of their own.  As long as an id means the same token in both, such a draft can guess: q
is 0 where it has no token, and what only the draft has is cut off before q is drawn from.
"""

from collections.abc import Sequence
from math import inf
from typing import Any

import array_api_compat

from course_utils.decoding.contracts import LanguageModel, Rows, Session
from course_utils.decoding.rows import namespace

STAND_IN = 0  # read in place of a token that the draft does not know


class Fitted:
    """A LanguageModel: the one it is given, with rows as long as another's; all else is its own."""

    def __init__(self, model: LanguageModel, vocabulary_size: int):
        self.model, self.vocabulary_size = model, vocabulary_size

    def __getattr__(self, name: str) -> Any:
        if name == "model":  # before it is there: while a copy is made
            raise AttributeError(name)
        return getattr(self.model, name)

    def start(self, prompt: Sequence[int]) -> "FittedSession":
        return FittedSession(self.model.start(self.known(prompt)), self)

    def known(self, tokens: Sequence[int]) -> list[int]:
        """[5, 98, 7] -> [5, STAND_IN, 7] for a model of 97 tokens."""
        return [token if token < self.model.vocabulary_size else STAND_IN for token in tokens]

    def rows(self, rows: Rows) -> Rows:
        """Logits (n, the model's vocabulary) as logits (n, vocabulary): cut, or -inf at the end."""
        xp, missing = namespace(rows), self.vocabulary_size - rows.shape[-1]
        if missing <= 0:
            return rows[:, : self.vocabulary_size]
        device = array_api_compat.device(rows)
        never = xp.full((len(rows), missing), -inf, dtype=rows.dtype, device=device)
        return xp.concat([rows, never], axis=-1)


class FittedSession:
    """One text; where the model's sessions hold trees, so does this."""

    def __init__(self, session: Session, fitted: Fitted):
        self._session, self._fitted = session, fitted

    def __getattr__(self, name: str) -> Any:
        if name == "_session":
            raise AttributeError(name)
        return getattr(self._session, name)

    def extend(self, tokens: Sequence[int], *parents: Sequence[int]) -> Rows:
        return self._fitted.rows(self._session.extend(self._fitted.known(tokens), *parents))
