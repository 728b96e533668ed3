"""A target and a draft over about thirty English words.

The two know the same sentences ("the cat sat on the mat and slept all day.") but give them
different probabilities.  A class can guess the next word and read p and q off the page.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from course_utils.models.toys.tables import TableModel

GAMMA = 4
SEED = 2504  # gives three rounds with every kind of event: see the tests
PROMPT = "the cat sat on the"
# (probability under the target, under the draft) of each word after the last one or two words.
FOLLOWS: dict[str, dict[str, tuple[float, float]]] = {
    "the": {"cat": (0.5, 0.45), "dog": (0.3, 0.35), "bird": (0.2, 0.2)},
    "on the": {"mat": (0.5, 0.4), "sofa": (0.25, 0.15), "roof": (0.15, 0.25), "table": (0.1, 0.2)},
    "at the": {"moon": (0.45, 0.3), "rain": (0.3, 0.25), "sea": (0.1, 0.3), "birds": (0.15, 0.15)},
    "by the": {"window": (0.45, 0.4), "door": (0.3, 0.2), "sea": (0.05, 0.2), "fire": (0.2, 0.2)},
    "cat": {"sat": (0.6, 0.45), "lay": (0.3, 0.35), "slept": (0.1, 0.2)},
    "dog": {"sat": (0.35, 0.3), "lay": (0.4, 0.35), "looked": (0.25, 0.35)},
    "bird": {"sat": (0.5, 0.4), "sang": (0.45, 0.4), "looked": (0.05, 0.2)},
    "sat": {"on": (0.7, 0.6), "by": (0.3, 0.4)},
    "lay": {"on": (0.5, 0.65), "by": (0.5, 0.35)},
    "mat": {"and": (0.65, 0.55), ".": (0.25, 0.35), "all": (0.1, 0.1)},
    "sofa": {"and": (0.6, 0.5), ".": (0.2, 0.3), "all": (0.2, 0.2)},
    "roof": {"and": (0.7, 0.55), ".": (0.2, 0.4), "all": (0.1, 0.05)},
    "table": {"and": (0.6, 0.5), ".": (0.4, 0.5)},
    "and": {
        "slept": (0.45, 0.25), "looked": (0.3, 0.25), "sang": (0.05, 0.3), "dreamed": (0.2, 0.2),
    },
    "slept": {"all": (0.7, 0.55), ".": (0.2, 0.35), "by": (0.1, 0.1)},
    "all": {"day": (0.55, 0.4), "night": (0.45, 0.6)},
    "day": {".": (0.85, 0.8), "and": (0.15, 0.2)},
    "night": {".": (0.8, 0.85), "and": (0.2, 0.15)},
    "looked": {"at": (1, 1)},
    "sang": {"all": (0.6, 0.5), ".": (0.4, 0.5)},
    "dreamed": {"of": (0.8, 0.7), ".": (0.2, 0.3)},
    "of": {"fish": (0.6, 0.3), "birds": (0.4, 0.3), "dinner": (0, 0.4)},
    "on": {"the": (1, 1)},
    "by": {"the": (1, 1)},
    "at": {"the": (1, 1)},
    ".": {"the": (1, 1)},
}  # fmt: skip
OTHERS = {".": (0.7, 0.75), "and": (0.3, 0.25)}  # after all other words
WORDS = (*dict.fromkeys(word for row in FOLLOWS.values() for word in row),)


def _table(place: int) -> TableModel:
    def row(before: str, last: str) -> np.ndarray:
        known = FOLLOWS.get(f"{before} {last}") or FOLLOWS.get(last, OTHERS)
        return np.array([known.get(word, (0, 0))[place] for word in WORDS])

    return TableModel(np.array([[row(before, last) for last in WORDS] for before in WORDS]))


@cache
def target() -> TableModel:
    """Return the target, a table (V, V, V) built on the first call."""
    return _table(0)


@cache
def draft() -> TableModel:
    """Return the draft, a table over the same words."""
    return _table(1)


def encode(text: str) -> list[int]:
    """Return the tokens of a text, one for each word or full stop.

    Raises:
        ValueError: the text has an unknown word.
    """
    words = text.replace(".", " .").split()
    if unknown := sorted(set(words) - set(WORDS)):
        raise ValueError(f"unknown: {', '.join(unknown)}. Use only these: {', '.join(WORDS)}")
    return [WORDS.index(word) for word in words]


def joined(tokens: Sequence[int]) -> str:
    """Join the words without spaces, for a scene that adds them itself."""
    return "".join(WORDS[token] for token in tokens)


def decode(tokens: Sequence[int]) -> str:
    """Join the words with spaces, but none before a full stop."""
    return " ".join(WORDS[token] for token in tokens).replace(" .", ".")
