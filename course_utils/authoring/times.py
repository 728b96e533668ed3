"""How long a lesson takes, by one stated rule: minutes to read it, minutes to build in it.

To *build* takes what the exercises say, added up.  To *read* takes

    a minute for 140 words of prose (what is folded away belongs to the exercises),
    4 seconds for a line of code, of a cell or shown by one (`Source`),
    15 seconds for an output: a figure, a table, what was printed,
    1 minute for a quiz question, 1 minute for a scene,

and each of the two is rounded to five minutes.  The rate of the words is below that of
fluent readers on purpose: for many the lessons are in a second language.

The rates are round numbers, fitted to seven estimates of one reader who worked through
the seven lessons that there once were, exercises included.  Over all seven, rule and
reader nearly agree (672 minutes, 660); one lesson is off by 8 minutes on average and by
15 at most (`tests/authoring/test_times.py` computes both).  Early, easy lessons are
rated too long, and the hardest one too short.  Other rates nearby fit as well, and no class has
been timed: read the minutes as "about".
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from nbformat import NotebookNode

from course_utils.authoring import parts
from course_utils.authoring.notebooks import named

WORDS_PER_MINUTE = 140
SECONDS_PER_LINE, SECONDS_PER_OUTPUT = 4, 15
MINUTES_PER_QUESTION, MINUTES_PER_SCENE = 1, 1
# Every function that makes a scene.
SCENES = {
    "arena",
    "batch_scene",
    "calculator_scene",
    "counted_words",
    "explorer",
    "heat_map",
    "live",
    "playground",
    "race",
    "speedup_explorer",
    "stepper",
    "tree_scene",
    "where_time_goes",
}
_FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)
_CODE = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
_TARGET = re.compile(r"\]\([^)]*\)")
_WORD = re.compile(r"\w[\w'’-]*")
_SCENE = re.compile(rf"\b(?:{'|'.join(sorted(SCENES))})\(")


@dataclass(frozen=True)
class Contents:
    """What there is to read in a lesson."""

    words: int
    lines: int  # of code
    outputs: int
    questions: int
    scenes: int


@dataclass(frozen=True)
class Minutes:
    """What a lesson takes."""

    read: int
    build: int


def minutes(notebook: NotebookNode) -> Minutes:
    """By the rule, rounded to five."""
    stated = sum(exercise.minutes for exercise in parts.exercises(notebook))
    return Minutes(to_five(to_read(contents(notebook))), to_five(stated))


def together(lessons: Iterable[Minutes]) -> Minutes:
    """The sum of several lessons."""
    lessons = list(lessons)
    return Minutes(sum(m.read for m in lessons), sum(m.build for m in lessons))


def to_read(there: Contents) -> float:
    """Minutes, not rounded."""
    seconds = there.lines * SECONDS_PER_LINE + there.outputs * SECONDS_PER_OUTPUT
    tasks = there.questions * MINUTES_PER_QUESTION + there.scenes * MINUTES_PER_SCENE
    return there.words / WORDS_PER_MINUTE + seconds / 60 + tasks


def contents(notebook: NotebookNode) -> Contents:
    """Counted over the lesson; stubs and their checks are not read but worked on."""
    prose = [_FOLDED.sub("", cell.source) for _, cell in parts.prose(notebook)]
    words = sum(len(_WORD.findall(_TARGET.sub("]", _CODE.sub("", text)))) for text in prose)
    lines = sum(len(_lines(code)) for text in prose for code in _CODE.findall(text))
    outputs = scenes = 0
    for cell in _shown(notebook):
        lines += len(_lines(cell.source))
        scenes += bool(_SCENE.search(cell.source))
        for output in cell.outputs:
            source = _CODE.findall(output.get("data", {}).get("text/markdown", ""))
            lines += sum(len(_lines(code)) for code in source)
            outputs += not source
    return Contents(words, lines, outputs, len(parts.questions(notebook)), scenes)


def to_five(number: float) -> int:
    """The nearest multiple of five; 5 for less than that, 0 for none.

    >>> to_five(12.4), to_five(12.6), to_five(1), to_five(0)
    (10, 15, 5, 0)
    """
    return max(5, int(number / 5 + 0.5) * 5) if number else 0


def _shown(notebook: NotebookNode) -> list[NotebookNode]:
    """The code cells without questions, stubs and the checks behind these."""
    stubs = [exercise.at for exercise in parts.exercises(notebook)]
    worked_on = {*stubs, *(at + 1 for at in stubs)}
    return [
        cell
        for at, cell in parts.code_cells(notebook)
        if at not in worked_on and not named(cell, "quiz-")
    ]


def _lines(code: str) -> list[str]:
    return [line for line in code.splitlines() if line.strip()]
