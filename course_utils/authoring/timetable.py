"""The pages that state minutes, filled in by the rule of `times`: what is there is replaced.

A page is free in what its tables hold besides; a column that is headed "read (min)",
"build (min)", "read / build (min)" or "run (s)" is filled.  Filled are also, in prose,
"**10 hours** (5½ to read, 4½ to build)", the first of the core path and the second of
everything, and in plans "read 03 (35)" and "03: 1, 2 (20)", the minutes of these exercises.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from nbformat import NotebookNode

from course_utils.authoring import parts
from course_utils.authoring.core_path import CORE, mark
from course_utils.authoring.notebooks import trunk
from course_utils.authoring.problem import FIX, Problem
from course_utils.authoring.times import Minutes, minutes, together

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
    stubs = parts.exercises(lesson)
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
