"""How long a lesson takes, by one stated rule: minutes to read it, minutes to build in it.

To *build* takes what the exercises say, added up.  To *read* takes::

    a minute for 140 words of prose (what is folded away belongs to the exercises),
    4 seconds for a line of code, of a cell that is not folded or shown by one (`Source`),
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

The pages that state minutes are filled in by the rule: what is there is replaced.  A page is
free in what its tables hold besides; a column that is headed "read (min)", "build (min)",
"read / build (min)" or "run (s)" is filled.  Filled are also, in prose,
"**10 hours** (5½ to read, 4½ to build)", the first of the core path and the second of
everything, and in plans "read 03 (35)" and "03: 1, 2 (20)", the minutes of these exercises.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from course_utils.classroom import parts as lesson_parts
from course_utils.classroom.notebooks import named, trunk
from course_utils.classroom.parts import CORE, mark
from course_utils.classroom.scene import MIME
from workshop.notebooks import parts
from workshop.notebooks.parts import FIX, Problem

WORDS_PER_MINUTE = 140
SECONDS_PER_LINE, SECONDS_PER_OUTPUT = 4, 15
MINUTES_PER_QUESTION, MINUTES_PER_SCENE = 1, 1
QUESTION = "quiz"  # a scene, too, but counted as what it is
_FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)
_CODE = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
_TARGET = re.compile(r"\]\([^)]*\)")
_WORD = re.compile(r"\w[\w'’-]*")


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
    stated = sum(exercise.minutes for exercise in lesson_parts.exercises(notebook))
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
    lines = sum(len(_lines(code)) for text in prose for code in _CODE.findall(text))
    outputs = scenes = 0
    for cell in _shown(notebook):
        lines += len(_lines(cell.source))
        for output in cell.outputs:
            data = output.get("data", {})
            scenes += data.get(MIME, {}).get("scene", QUESTION) != QUESTION
            source = _CODE.findall(data.get("text/markdown", ""))
            lines += sum(len(_lines(code)) for code in source)
            outputs += not source
    return Contents(
        sum(map(words, prose)), lines, outputs, len(lesson_parts.questions(notebook)), scenes
    )


def words(text: str) -> int:
    """Of prose that is not folded away; code and targets of links are none."""
    return len(_WORD.findall(_TARGET.sub("]", _CODE.sub("", _FOLDED.sub("", text)))))


def worked_on(notebook: NotebookNode) -> set[int]:
    """Indices of the stubs and of the checks behind them."""
    stubs = [exercise.at for exercise in lesson_parts.exercises(notebook)]
    return {*stubs, *(at + 1 for at in stubs)}


def to_five(number: float) -> int:
    """The nearest multiple of five; 5 for less than that, 0 for none.

    >>> to_five(12.4), to_five(12.6), to_five(1), to_five(0)
    (10, 15, 5, 0)
    """
    return max(5, int(number / 5 + 0.5) * 5) if number else 0


def _shown(notebook: NotebookNode) -> list[NotebookNode]:
    """The code cells without questions, stubs, the checks behind these, and folded imports."""
    return [
        cell
        for at, cell in parts.code_cells(notebook)
        if not (at in worked_on(notebook) or named(cell, "quiz-") or parts.folded(cell))
    ]


def _lines(code: str) -> list[str]:
    return [line for line in code.splitlines() if line.strip()]


# Those that state minutes, relative to the folder of the lessons.
PAGES = ("../README.md", "instructor.md")
CORE_ROW, LAST_ROW = "core path", "everything"
_KEY = re.compile(r"^\[[^\]]+\]\((?:\w+/)*(\w+\.ipynb)\)$|^\*\*(\w[\w ]+)\*\*$")
_READ = re.compile(r"\b(read|and) (\d\d) \(\d+\)")
_PRACTICE = re.compile(r"\b(\d\d): (all|\d(?:(?:–|, )\d)*) \(\d+\)")
_HOURS = re.compile(r"\*\*[\d½]+ hours\*\* \([\d½]+ to read, [\d½]+ to build\)")
COLUMNS = {
    "read (min)": lambda took, seconds: str(took.read),
    "build (min)": lambda took, seconds: str(took.build),
    "read / build (min)": lambda took, seconds: f"{took.read} / {took.build}",
    "run (s)": lambda took, seconds: str(seconds or ""),
}


def minutes_agree(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    """What the pages say of this lesson's minutes is what the rule says of them."""
    for page in PAGES:
        there = trunk(path) / page
        if there.exists():
            text = there.read_text("utf-8")
            if text != filled(text, {path.name: notebook}):
                what = f"{there.name} states other minutes or seconds for it"
                yield Problem(what, f"{FIX}, which fills in the page", 0)


def filled(text: str, lessons: Mapping[str, NotebookNode], whole: bool = False) -> str:
    """A page with the minutes of these lessons, by file name; other lessons' are left.

    Args:
        whole: they are all there are, so that the totals can be said, too.
    """
    known = {
        name: (minutes(lesson), parts.seconds_stated(lesson)) for name, lesson in lessons.items()
    }
    if whole:
        sums = totals(lessons.values())
        known |= {CORE_ROW: (sums[0], None), LAST_ROW: (sums[1], None)}
        said = iter(map(in_hours, sums))
        text = _HOURS.sub(lambda found: next(said, found[0]), text)
    text = "\n".join(_rows(text.split("\n"), known))
    return _plans(text, {name[:2]: lesson for name, lesson in lessons.items()})


def totals(lessons: Iterable[NotebookNode]) -> tuple[Minutes, Minutes]:
    """Of the core path, and of everything."""
    every = [(minutes(lesson), mark(lesson) == CORE) for lesson in lessons]
    return together(took for took, core in every if core), together(took for took, _ in every)


def in_hours(took: Minutes) -> str:
    """As the README says it, each part to the nearest half hour.

    >>> in_hours(Minutes(read=335, build=265))
    '**10 hours** (5½ to read, 4½ to build)'
    """
    halves = [int(part / 30 + 0.5) for part in (took.read, took.build)]
    both, read, build = (_half(number) for number in (sum(halves), *halves))
    return f"**{both} hours** ({read} to read, {build} to build)"


def practice(lesson: NotebookNode, which: str) -> int:
    """Stated minutes of the exercises "all", "3–5" or "1, 2, 4" of a lesson, not rounded."""
    stubs = lesson_parts.exercises(lesson)
    if which != "all":
        spans = [[int(n) for n in span.split("–")] for span in which.split(", ")]
        stubs = [s for s in stubs if any(span[0] <= (s.number or 0) <= span[-1] for span in spans)]
    return sum(stub.minutes for stub in stubs)


def _rows(lines: list[str], known: Mapping[str, tuple[Minutes, int | None]]) -> Iterator[str]:
    """The lines of a page, the cells in the columns that are ours replaced."""
    columns: list[str] = []
    for line in lines:
        cells = line.split("|")
        if not line.startswith("|"):
            columns = []
        elif not columns:
            columns = [cell.strip() for cell in cells]
        elif (key := _key(cells[1].strip())) in known and len(cells) == len(columns):
            took, seconds = known[key]
            for at, column in enumerate(columns):
                if column in COLUMNS:
                    cells[at] = f" {COLUMNS[column](took, seconds)} ".replace("  ", " ")
            line = "|".join(cells)
        yield line


def _key(cell: str) -> str:
    """Of a row: the lesson's file name, or what is totalled; "" in any other."""
    found = _KEY.match(cell)
    return (found[1] or found[2]) if found else ""


def _plans(text: str, lessons: Mapping[str, NotebookNode]) -> str:
    def read(found: re.Match) -> str:
        lesson = lessons.get(found[2])
        return f"{found[1]} {found[2]} ({minutes(lesson).read})" if lesson else found[0]

    def practised(found: re.Match) -> str:
        lesson = lessons.get(found[1])
        return f"{found[1]}: {found[2]} ({practice(lesson, found[2])})" if lesson else found[0]

    return _PRACTICE.sub(practised, _READ.sub(read, text))


def _half(halves: int) -> str:
    """In hours: 11 -> "5½"."""
    whole = halves // 2
    return f"{whole or ''}½" if halves % 2 else str(whole)
