"""A draft with another tokenizer, as if it spoke the target's tokens.

Token-level intersection (REFERENCES.md: timor2025): the draft reads every token of the text
in its own spelling, and of its row only the tokens that both vocabularies hold are left.
Renormalised, that row is q: guesses are drawn from it and judged by it, so the text stays the
target's.

The draft remembers a window of the text, in its own tokens: when its context is full, it
reads the last half again.

Left out: trees of guesses.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import array_api_compat
import numpy as np

from course_utils.decoding.contracts import LanguageModel, Rows
from course_utils.decoding.rows import namespace


class VocabularyMismatch(ValueError):
    """Target and draft do not share one vocabulary."""


@dataclass(frozen=True)
class Translation:
    """Each target token in the draft's tokens.

    Attributes:
        spellings: for each target token, how the draft reads it: one token of its own or several.
        shared: for each target token, the draft's token that means the same, -1 if it has none;
            no two have the same one.

    Raises:
        VocabularyMismatch: the two have no token in common.
        ValueError: lists of two lengths, a token that is spelt in none, or two that share one.
    """

    spellings: tuple[tuple[int, ...], ...]
    shared: tuple[int, ...]

    def __post_init__(self) -> None:
        found = [token for token in self.shared if token >= 0]
        if len(self.spellings) != len(self.shared) or not all(self.spellings):
            raise ValueError(
                f"{len(self.spellings)} spellings and {len(self.shared)} shared tokens: give one "
                "of each for every target token, and at least one draft token in each spelling"
            )
        if not found:
            raise VocabularyMismatch(
                "the two vocabularies have no token in common: such a draft can propose nothing. "
                "Take a draft whose tokenizer shares some of the target's tokens"
            )
        if len(set(found)) < len(found):
            raise ValueError("two target tokens share one draft token: each needs its own")

    @property
    def pairs(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """(target tokens, draft tokens) that mean the same, in the target's order."""
        held = [token for token, same in enumerate(self.shared) if same >= 0]
        return tuple(held), tuple(self.shared[token] for token in held)

    def spell(self, tokens: Sequence[int]) -> list[int]:
        """A text in target tokens, in the draft's."""
        return [piece for token in tokens for piece in self.spellings[token]]


LONGEST_TEXT = 1 << 20  # target tokens; the draft itself may see fewer


class Translated:
    """Wraps `model`, over the draft's vocabulary; a LanguageModel over the target's.

    Rows are -inf outside the intersection.  Where the draft gives all of the intersection
    nothing, the intersection's tokens are equally likely: a row must be some distribution.

    Raises:
        ValueError: the model lacks a token that the translation names, or its context is too
            short for a single spelling.
    """

    def __init__(self, model: LanguageModel, translation: Translation):
        self.model, self.translation = model, translation
        self.vocabulary_size = len(translation.shared)
        self.context = LONGEST_TEXT
        named = max(map(max, translation.spellings))
        if named >= model.vocabulary_size:
            raise ValueError(
                f"the translation names draft token {named}, and the draft knows 0 to "
                f"{model.vocabulary_size - 1}: was it made with another tokenizer?"
            )
        longest = max(map(len, translation.spellings))
        if longest > model.context // 2:
            raise ValueError(
                f"a target token is spelt in {longest} draft tokens, more than half of the "
                f"draft's context of {model.context}: take a draft with a longer context"
            )
        self.places = tuple(map(np.array, translation.pairs))

    def start(self, prompt: Sequence[int]) -> "TranslatedSession":
        return TranslatedSession(self, prompt)

    def translate(self, rows: Rows) -> Rows:
        """Logits (n, draft's vocabulary) -> (n, target's), in the same library and dtype."""
        xp, where = namespace(rows), {"device": array_api_compat.device(rows)}
        targets, drafts = (xp.asarray(places, **where) for places in self.places)
        said = rows[:, drafts]
        silent = xp.max(said, axis=-1, keepdims=True) == -xp.inf
        translated = xp.full((len(rows), self.vocabulary_size), -xp.inf, dtype=rows.dtype, **where)
        translated[:, targets] = xp.where(silent, 0.0, said)
        return translated


class TranslatedSession:
    """One text, in target tokens, and the draft's session of its last part."""

    def __init__(self, model: Translated, prompt: Sequence[int]):
        self._model = model
        self._spellings = model.translation.spellings
        self._tokens = list(prompt)
        self._ends = [0, *accumulate(len(self._spellings[token]) for token in prompt)]
        self._read_again(model.model.context)

    @property
    def length(self) -> int:
        return len(self._tokens)

    def extend(self, tokens: Sequence[int]) -> Rows:
        """Logits (len(tokens), target's vocabulary) after each, as the draft's library has them."""
        rows, left = [], list(tokens)
        while left:
            if not (some := self._that_fit(left)):
                self._read_again(self._model.model.context // 2)
                continue
            ends = [*accumulate(len(self._spellings[token]) for token in some)]
            said = self._session.extend(self._model.translation.spell(some))
            rows.append(self._model.translate(said[[end - 1 for end in ends]]))
            self._ends += [self._ends[-1] + end for end in ends]
            self._tokens += some
            del left[: len(some)]
        return rows[0] if len(rows) == 1 else namespace(rows[0]).concat(rows)

    def rollback(self, length: int) -> None:
        """Forget all but `length` target tokens, and every draft token that spelt the others."""
        del self._tokens[length:], self._ends[length + 1 :]
        if length < self._start:
            self._read_again(self._model.model.context)
        else:
            self._session.rollback(self._ends[-1] - self._ends[self._start])

    def _that_fit(self, tokens: list[int]) -> list[int]:
        room = self._model.model.context - (self._ends[-1] - self._ends[self._start])
        ends = accumulate(len(self._spellings[token]) for token in tokens)
        return [token for token, end in zip(tokens, ends, strict=True) if end <= room]

    def _read_again(self, room: int) -> None:
        """A new session: of all if `room` draft tokens hold it, else of the last half context."""
        if self._ends[-1] > room:
            room = self._model.model.context // 2
        self._start = bisect_left(self._ends, self._ends[-1] - room)
        seen = self._model.translation.spell(self._tokens[self._start :])
        self._session = self._model.model.start(seen)
