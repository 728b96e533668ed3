"""The passages of the bench: texts split where they begin to loop.

A small model that decodes greedily soon repeats the same lines.  In a loop a lookup is
always right and a draft nearly always, so a figure for the whole text would mostly
measure how early its loop began.  So the part before the loop and the loop are timed
separately, as two prompts with two lengths.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from course_utils.models.names import held_out_prompts

FRESH, LOOPING = "not looping", "looping"  # a text before its loop, and within it
IN_A_ROW = 8  # tokens; shorter repetitions are the way code is written
SHARE, LEAST = 0.9, 32  # a loop: share of the rest that repeats, and its least length
SHORTEST = 24  # fewer tokens before a loop are not timed


@dataclass(frozen=True)
class Passage:
    """A text to continue, and the number of tokens to write."""

    prompt: tuple[int, ...]
    new_tokens: int
    text: str = FRESH


def choosing_and_reporting(per_kind: int) -> tuple[list[str], list[str]]:
    """Return prompts for choosing settings and prompts for the report: each at most eight of code
    and eight of prose, alternating.  The two lists share no prompt and no file.

    Raises:
        ValueError: not 1 <= per_kind <= 8.
    """
    kinds = [held_out_prompts(kind) for kind in ("code", "prose")]
    half = min(map(len, kinds)) // 2
    if not 1 <= per_kind <= half:
        raise ValueError(f"per_kind is {per_kind}; give 1 to {half} prompts of each kind")
    # the prompts are sorted by file, so halves share no file, while neighbours might
    sides = [[kind[start : start + per_kind] for kind in kinds] for start in (0, half)]
    first, last = ([text for pair in zip(*side, strict=True) for text in pair] for side in sides)
    return first, last


def repeated(prompt: Sequence[int], text: Sequence[int], row: int = IN_A_ROW) -> list[bool]:
    """Return for each token of `text` whether it is part of `row` tokens that occurred before."""
    tokens, marks = [*prompt, *text], [False] * (len(prompt) + len(text))
    known: set[tuple[int, ...]] = set()
    for end in range(row, len(tokens) + 1):
        row_of_tokens = tuple(tokens[end - row : end])
        if row_of_tokens in known:
            marks[end - row : end] = [True] * row
        known.add(row_of_tokens)
    return marks[len(prompt) :]


def loop_start(prompt: Sequence[int], text: Sequence[int]) -> int:
    """Return the number of tokens before the loop that `text` ends in; all without a loop.

    It ends in a loop if nearly everything from some place on repeats.
    """
    marks = repeated(prompt, text)
    for start in range(len(text) - LEAST + 1):
        if marks[start] and sum(marks[start:]) >= SHARE * (len(text) - start):
            return start
    return len(text)


def passages(prompt: Sequence[int], text: Sequence[int], most: int) -> list[Passage]:
    """Return the passage up to the loop, and the passage within the loop.

    Each has at most `most` new tokens.
    """
    start = loop_start(prompt, text)
    parts = []
    if start == len(text) or start >= SHORTEST:
        parts.append(Passage(tuple(prompt), min(start, most)))
    if start < len(text):
        begun = (*prompt, *text[:start])
        parts.append(Passage(begun, min(len(text) - start, most), LOOPING))
    return parts
