"""The character simulator: a target that knows one sentence, and a draft that misreads it.

Follows a simulator of strings (REFERENCES.md: article-002), with its "70 % accuracy" and, for
`ARTICLE_SENTENCE`, its table of similar characters.  Unlike the article it gives *distributions*,
so the shared loop can draft, verify and correct with them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.models.toys.tables import RowModel

SENTENCE = "Haste makes waste."
ARTICLE_SENTENCE = "人工智能是未来科技发展的核心驱动力。"

# Each group starts with the right character.  The Chinese ones are the article's, as data.
GROUPS = (
    "HNK aoe s5z tfl eco mnw khx wvu .,: "
    "人入八 工二干 智知日 能熊态 是定日 未末木 来米夹 科料和 技枝支 "
    "发友皮 展层屋 的得地 核该孩 心必芯 驱欧区 动运力 力刀九 。.．"
)
SIMILAR = {group[0]: group for group in (" _-", *GROUPS.split())}
START, END = "⟨", "⟩"  # before the first and after the last character


def similar(character: str) -> str:
    """Return the characters that may be read as this one; the default is the article's."""
    return SIMILAR.get(character, character + "?X")


@dataclass(frozen=True)
class Alphabet:
    """Characters and their token ids: START is 0, END is 1."""

    characters: str

    def encode(self, text: str) -> list[int]:
        """Return the token ids, START first.

        Raises:
            ValueError: a character outside the alphabet.
        """
        unknown = sorted(set(text) - set(self.characters))
        if unknown:
            raise ValueError(f"{unknown[0]!r} is not in the alphabet {self.characters!r}")
        return [self.characters.index(character) for character in START + text]

    def decode(self, tokens: Sequence[int]) -> str:
        """Return the text, without START and END."""
        return "".join(self.characters[t] for t in tokens).strip(START + END)


class CharacterModel(RowModel):
    """A model that gives character i of the sentence probability `accuracy` at position i.

    The remaining probability is spread evenly over `similar(character)`, which *contains the
    right character*: at accuracy 0.7 that character has probability 0.7 + 0.3 / 3 = 0.8.
    Accuracy 1 is the target, which never errs.
    """

    def __init__(self, sentence: str = SENTENCE, accuracy: float = 1.0):
        if not 0 <= accuracy <= 1:
            raise ValueError(f"accuracy is {accuracy}; give a probability, from 0 to 1")
        self.sentence, self.accuracy = sentence, accuracy
        possible = START + END + sentence + "".join(map(similar, sentence))
        self.alphabet = Alphabet("".join(dict.fromkeys(possible)))
        self.vocabulary_size = len(self.alphabet.characters)
        self.context = len(sentence) + 2  # START and END
        self._rows = [self._distribution(character) for character in sentence]
        self._end = np.eye(self.vocabulary_size)[self.alphabet.characters.index(END)]

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Return the next character's distribution (vocabulary,); only the position matters."""
        position = len(tokens) - 1  # START has position 0
        return self._rows[position] if position < len(self._rows) else self._end

    def _distribution(self, character: str) -> np.ndarray:
        row = np.zeros(self.vocabulary_size)
        row[self.alphabet.characters.index(character)] = self.accuracy
        look_alikes = similar(character)
        for slip in look_alikes:
            row[self.alphabet.characters.index(slip)] += (1 - self.accuracy) / len(look_alikes)
        return row
