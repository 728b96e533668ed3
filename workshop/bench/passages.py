"""What is continued in a bench: texts taken apart where they begin to loop.

A small model that decodes greedily soon says the same lines over and over.  There a
lookup is always right and a draft nearly so, and a figure for the whole text would tell
mostly how early its loop began.  So the part before the loop and the loop itself are
timed apart: two prompts, two lengths, every contender as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from course_utils.measuring.recorded import FRESH, LOOPING
from course_utils.models.names import held_out_prompts

IN_A_ROW = 8  # tokens; shorter repetitions are the way code is written
SHARE, LEAST = 0.9, 32  # a loop: share of the rest that repeats, and its least length
SHORTEST = 24  # tokens before a loop that are worth a clock


@dataclass(frozen=True)
class Passage:
    """Something to continue, and by how many tokens."""

    prompt: tuple[int, ...]
    new_tokens: int
    text: str = FRESH


def choosing_and_reporting(per_kind: int) -> tuple[list[str], list[str]]:
    """Prompts to choose settings on and prompts to report: at most eight of code and eight
    of prose each, in turn.  No prompt and no file they come from is on both sides.

    Raises:
        ValueError: not 1 <= per_kind <= 8.
    """
    kinds = [held_out_prompts(kind) for kind in ("code", "prose")]
    half = min(map(len, kinds)) // 2
    if not 1 <= per_kind <= half:
        raise ValueError(f"per_kind is {per_kind}; there are 1 to {half} prompts of a kind")
    # the prompts are sorted by file: halves share none, neighbours might
    sides = [[kind[start : start + per_kind] for kind in kinds] for start in (0, half)]
    first, last = ([text for pair in zip(*side, strict=True) for text in pair] for side in sides)
    return first, last


def repeated(prompt: Sequence[int], text: Sequence[int], row: int = IN_A_ROW) -> list[bool]:
    """For each token of `text`: does it lie in `row` tokens that have all occurred before?"""
    tokens, marks = [*prompt, *text], [False] * (len(prompt) + len(text))
    known: set[tuple[int, ...]] = set()
    for end in range(row, len(tokens) + 1):
        row_of_tokens = tuple(tokens[end - row : end])
        if row_of_tokens in known:
            marks[end - row : end] = [True] * row
        known.add(row_of_tokens)
    return marks[len(prompt) :]


def loop_start(prompt: Sequence[int], text: Sequence[int]) -> int:
    """How many tokens of `text` come before the loop it ends in; all if it does not.

    It ends in a loop if from some place on nearly all repeats.
    """
    marks = repeated(prompt, text)
    for start in range(len(text) - LEAST + 1):
        if marks[start] and sum(marks[start:]) >= SHARE * (len(text) - start):
            return start
    return len(text)


def passages(prompt: Sequence[int], text: Sequence[int], most: int) -> list[Passage]:
    """The prompt, to be continued up to the loop; that part of `text` too, to go on in the loop.

    Each by `most` tokens at most.
    """
    start = loop_start(prompt, text)
    found = []
    if start == len(text) or start >= SHORTEST:
        found.append(Passage(tuple(prompt), min(start, most)))
    if start < len(text):
        begun = (*prompt, *text[:start])
        found.append(Passage(begun, min(len(text) - start, most), LOOPING))
    return found
