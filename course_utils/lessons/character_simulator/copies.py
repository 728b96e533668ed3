"""Drafts that are read from a copy of the sentence, and what a loop makes of them.

The guess at a place is the same in every run, so two loops that are given the same copy can
be compared round by round.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from course_utils.classroom.table import table
from course_utils.classroom.tokens import Html, block, marked
from course_utils.decoding.contracts import Draft, RoundNoise
from course_utils.decoding.loop import generate
from course_utils.models.toys.characters import SENTENCE, CharacterModel, similar

WrittenRound = tuple[str, int, str]  # (draft, accepted, what the target added)
WIDE = "\u3000"  # a blank as wide as a Chinese character
Guess = Callable[[str, int], str]
Loop = Callable[[str, Guess, int], tuple[str, list[WrittenRound]]]  # (sentence, guess, gamma)


def misread(accuracy: float, seed: int, sentence: str = SENTENCE) -> str:
    """The sentence as a reader copies it who takes some characters for look-alikes."""
    model, generator = CharacterModel(sentence, accuracy), np.random.default_rng(seed)
    rows = [model.distribution([0] * (i + 1)) for i in range(len(sentence))]
    return model.alphabet.decode([int(generator.choice(len(row), p=row)) for row in rows])


def all_wrong(sentence: str = SENTENCE) -> str:
    """A look-alike at every place."""
    return "".join(similar(character)[1] for character in sentence)


def guess_from(copy: str) -> Guess:
    """guess(text, gamma): what stands in the copy after `text`, at most `gamma` characters."""
    return lambda text, gamma: copy[len(text) : len(text) + gamma]


def course_loop(sentence: str, guess: Guess, gamma: int) -> tuple[str, list[WrittenRound]]:
    """The text and its rounds, by `generate`; the sentence and its look-alikes are the alphabet."""
    target = CharacterModel(sentence)
    drafter = _Guessing(guess, target)
    run = generate(
        target, target.alphabet.encode(""), drafter, gamma=gamma, max_new_tokens=len(sentence)
    )
    written = target.alphabet.decode
    rounds = [(written(r.drafted), r.accepted, written(r.emitted[r.accepted :])) for r in run]
    return "".join(draft[:n] + added for draft, n, added in rounds), rounds


class _Guessing:
    """A drafter that is certain of what `guess` says."""

    def __init__(self, guess: Guess, model: CharacterModel):
        self._guess, self._alphabet = guess, model.alphabet

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = self._guess(self._alphabet.decode(tokens), gamma)
        return Draft(tuple(self._alphabet.encode(draft)[1:]), None)


def drawn_rounds(rounds: Sequence[WrittenRound]) -> Html:
    """A line for each round: its draft with what became of each character, then what was added."""
    lines, text = [], ""
    width = max(len(draft) for draft, _, _ in rounds)
    for number, (draft, n, added) in enumerate(rounds, 1):
        fates = ["accepted"] * n + ["rejected"] + ["draft"] * len(draft)
        kind = "correction" if n < len(draft) else "bonus" if draft else "target"
        drafted = "".join(map(marked, draft, fates)) + WIDE * (width - len(draft))
        said = marked(added, kind) if added else WIDE
        text += draft[:n] + added
        lines.append(f"round {number:2}  {drafted} → {said}  {text}")
    kinds = ("accepted", "rejected", "correction", "bonus")
    legend = [marked(kind, kind) for kind in kinds]
    legend.append(f"{marked('unread', 'draft')} drafted, behind a rejected one")
    words = [f"{draft}: {n} accepted, then {added or 'nothing'}" for draft, n, added in rounds]
    return block("\n".join(lines), legend, "\n".join(words))


def look_alikes(meanings: Sequence[str]) -> Html:
    """A line for each of the first characters: what it means and what it is taken for."""
    return table(
        [
            {"character": character, "means": meaning, "look-alikes": similar(character)}
            for character, meaning in zip(SENTENCE, meanings, strict=False)
        ]
    )


def compared(loop: Loop, drafts: Mapping[str, str], gamma: int) -> Html:
    """A line for each copy: the calls of `loop` and those of the course's on the same guesses.

    Raises:
        ValueError: a text is not the sentence.
    """
    lines = []
    for name, copy in drafts.items():
        text, rounds = loop(SENTENCE, guess_from(copy), gamma)
        if text != SENTENCE:
            raise ValueError(f"from the copy {copy} the loop wrote {text}, not the sentence")
        _, theirs = course_loop(SENTENCE, guess_from(copy), gamma)
        right = sum(map(str.__eq__, copy, SENTENCE))
        line = {"draft": name, "copy": copy, "right characters": right}
        lines.append(line | {"calls": len(rounds), "calls, course": len(theirs)})
    return table(lines)
