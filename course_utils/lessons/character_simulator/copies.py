"""Drafts read from a copy of the sentence with misreadings, and the rounds drawn line by line.

The guess at a position is the same in every run, so each line can be checked by eye.
"""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.tokens import Html, block, marked, visible
from course_utils.models.toys.characters import SENTENCE, CharacterModel, similar

WrittenRound = tuple[str, int, str]  # (draft, accepted, what the target added)
WIDE = "\u3000"  # a blank as wide as a Chinese character


def misread(accuracy: float, seed: int, sentence: str = SENTENCE) -> str:
    """Copy the sentence with random misreadings, each a look-alike."""
    model, generator = CharacterModel(sentence, accuracy), np.random.default_rng(seed)
    rows = [model.distribution([0] * (i + 1)) for i in range(len(sentence))]
    return model.alphabet.decode([int(generator.choice(len(row), p=row)) for row in rows])


def all_wrong(sentence: str = SENTENCE) -> str:
    """Copy the sentence with a look-alike at every position."""
    return "".join(similar(character)[1] for character in sentence)


def guess_from(copy: str) -> Callable[[str, int], str]:
    """Return guess(text, gamma): at most `gamma` characters of the copy, after `text`."""
    return lambda text, gamma: copy[len(text) : len(text) + gamma]


def drawn_rounds(rounds: Sequence[WrittenRound]) -> Html:
    """Draw a line for each round: its draft, each character marked, then what the target added."""
    lines, text = [], ""
    width = max(len(draft) for draft, _, _ in rounds)
    blank = WIDE if any(max(draft + added) > WIDE for draft, _, added in rounds) else " "
    for number, (draft, n, added) in enumerate(rounds, 1):
        fates = ["accepted"] * n + ["rejected"] + ["draft"] * len(draft)
        kind = "correction" if n < len(draft) else "bonus" if draft else "target"
        drafted = "".join(map(marked, map(visible, draft), fates)) + blank * (width - len(draft))
        own = marked(visible(added), kind) if added else blank
        text += draft[:n] + added
        lines.append(f"round {number:2}  {drafted} → {own}  {text}")
    kinds = ("accepted", "rejected", "correction", "bonus")
    legend = [marked(kind, kind) for kind in kinds]
    legend.append(f"{marked('thrown away', 'draft')} drafted, after a rejected one")
    words = [f"{draft}: {n} accepted, then {visible(own) or 'nothing'}" for draft, n, own in rounds]
    return block("\n".join(lines), legend, "\n".join(words))
