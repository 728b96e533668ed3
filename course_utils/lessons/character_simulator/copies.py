"""Drafts that are read from a copy of the sentence, and what a loop makes of them.

The guess at a place is the same in every run, so each line of a run can be checked by eye.
"""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.tokens import Html, block, marked
from course_utils.models.toys.characters import SENTENCE, CharacterModel, similar

WrittenRound = tuple[str, int, str]  # (draft, accepted, what the target added)
WIDE = "\u3000"  # a blank as wide as a Chinese character


def misread(accuracy: float, seed: int, sentence: str = SENTENCE) -> str:
    """The sentence with random misreadings: now and then a look-alike."""
    model, generator = CharacterModel(sentence, accuracy), np.random.default_rng(seed)
    rows = [model.distribution([0] * (i + 1)) for i in range(len(sentence))]
    return model.alphabet.decode([int(generator.choice(len(row), p=row)) for row in rows])


def all_wrong(sentence: str = SENTENCE) -> str:
    """A look-alike at every place."""
    return "".join(similar(character)[1] for character in sentence)


def guess_from(copy: str) -> Callable[[str, int], str]:
    """guess(text, gamma): at most `gamma` characters of the copy, behind `text`."""
    return lambda text, gamma: copy[len(text) : len(text) + gamma]


def drawn_rounds(rounds: Sequence[WrittenRound]) -> Html:
    """A line for each round: its draft with what became of each character, then what was added."""
    lines, text = [], ""
    width = max(len(draft) for draft, _, _ in rounds)
    for number, (draft, n, added) in enumerate(rounds, 1):
        fates = ["accepted"] * n + ["rejected"] + ["draft"] * len(draft)
        kind = "correction" if n < len(draft) else "bonus" if draft else "target"
        drafted = "".join(map(marked, draft, fates)) + WIDE * (width - len(draft))
        own = marked(added, kind) if added else WIDE
        text += draft[:n] + added
        lines.append(f"round {number:2}  {drafted} → {own}  {text}")
    kinds = ("accepted", "rejected", "correction", "bonus")
    legend = [marked(kind, kind) for kind in kinds]
    legend.append(f"{marked('unread', 'draft')} drafted, behind a rejected one")
    words = [f"{draft}: {n} accepted, then {added or 'nothing'}" for draft, n, added in rounds]
    return block("\n".join(lines), legend, "\n".join(words))
