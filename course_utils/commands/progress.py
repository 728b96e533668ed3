"""Which exercises and questions of the course are passed, tried, or still open.

With --homes FOLDER, of a whole class: a row for each home in that folder, a column for each
lesson and one for the electives together.  The homes are only read, and no link in them is
followed: a home belongs to a student, who may have put anything there.

Exit status: 0; 1, a home could not be read; 2, there is no record yet, or no home.
"""

import os
import stat
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from course_utils.classroom.notebooks import (
    MY_LESSONS,
    beneath,
    is_elective,
    lesson_paths,
    read_lesson,
)
from course_utils.classroom.parts import CORE, DEEP, ELECTIVE, exercises, mark, questions
from course_utils.classroom.progress import FILE, PASSED, Record, parsed, read
from course_utils.classroom.table import text_table
from course_utils.commands.program import Parser

if TYPE_CHECKING:
    from nbformat import NotebookNode

MAX_RECORD_BYTES = 2**20  # the whole course fills some kilobytes
TRIED, OPEN = "tried", "open"
SIGNS = {PASSED: "●", TRIED: "◐", OPEN: "○"}
KINDS = (CORE, DEEP, ELECTIVE)  # what is next is in the first of these with something open


@dataclass(frozen=True)
class Task:
    """An exercise, a checkpoint of one, or a question, and how far the student is with it."""

    name: str
    title: str  # "Exercise 2: What was saved?"; of a question its name
    state: str
    later_checkpoint: bool = False  # of an exercise that begins with an earlier task


@dataclass(frozen=True)
class LessonProgress:
    """How far a student is with one lesson."""

    lesson: str  # its place in the folder, without the ending
    exercises: list[Task]
    questions: list[Task]
    kind: str = CORE  # one of KINDS


def main(arguments: list[str]) -> int:
    parser = Parser("progress", __doc__)
    parser.add_argument("--folder", type=Path, default=MY_LESSONS, metavar="DIR")
    parser.add_argument("--homes", type=Path, metavar="DIR", help="a class: the students' homes")
    options = parser.parse_args(arguments)
    if options.homes:
        return print_class(options.homes)
    folder = options.folder
    if not (folder / FILE).exists():
        raise ValueError(f"nothing is recorded in {folder.name}/: begin with `make lab`")
    record = read(folder)
    lessons = [lesson_progress(p, read_lesson(p), record.done) for p in lesson_paths()]
    print(as_text(lessons, folder.name))
    if record.note:
        print(f"\nwarning: {record.note}", file=sys.stderr)
    return 0


def lesson_progress(path: Path, notebook: "NotebookNode", record: dict[str, str]) -> LessonProgress:
    """What a record, {name of an exercise or question: "passed" or "wrong"}, says of a lesson."""

    def state(name: str) -> str:
        return OPEN if name not in record else PASSED if record[name] == PASSED else TRIED

    return LessonProgress(
        beneath(path).with_suffix("").as_posix(),
        [
            Task(e.name, e.label, state(e.name), (e.checkpoint or 1) > 1)
            for e in exercises(notebook)
        ],
        [Task(q.name, q.name, state(q.name)) for q in questions(notebook)],
        mark(notebook) or CORE,
    )


def as_text(lessons: Sequence[LessonProgress], folder: str) -> str:
    """A line per lesson, the sums, and what to do next."""
    lines = [("lesson", "exercises", "questions")]
    for one in lessons:
        kind = "" if one.kind == CORE else f"  {one.kind.lower()}"
        lines.append((one.lesson, _signs(one.exercises), _signs(one.questions) + kind))
    lines.append(("passed", *_sums(lessons)))
    rows = [text_table(lines, left=range(3))]
    rows.append("\n" + "  ".join(f"{sign} {state}" for state, sign in SIGNS.items()))
    rows.append(_next(lessons, folder))
    if all(task.state == OPEN for one in lessons for task in one.exercises + one.questions):
        rows.append(
            f"Only what you run in {folder}/ is counted. Did you solve something in notebooks/? "
            f"Copy your answer into the lesson in {folder}/ and run its check there."
        )
    return "\n".join(rows)


def _signs(tasks: Sequence[Task]) -> str:
    """'● ◐ ○'; the checkpoints of one exercise stand together, '● ●●◐○ ○'."""
    return "".join(
        ("" if task.later_checkpoint else " ") + SIGNS[task.state] for task in tasks
    ).lstrip()


def _passed(tasks: Sequence[Task]) -> str:
    """'3 of 21'; an exercise with checkpoints is one, passed when all of them are."""
    exercises: list[bool] = []
    for task in tasks:
        so_far = exercises.pop() if task.later_checkpoint else True
        exercises.append(so_far and task.state == PASSED)
    return f"{sum(exercises)} of {len(exercises)}"


def _sums(lessons: Sequence[LessonProgress]) -> tuple[str, str]:
    """Count all exercises, and all questions."""
    return (
        _passed([task for one in lessons for task in one.exercises]),
        _passed([task for one in lessons for task in one.questions]),
    )


def _next(lessons: Sequence[LessonProgress], folder: str) -> str:
    """The first exercise that is not passed, on the core path before any deep dive or elective."""
    for one in sorted(lessons, key=lambda one: KINDS.index(one.kind)):
        for task in one.exercises:
            if task.state != PASSED:
                where = f"{folder}/{one.lesson}.ipynb"
                return f"Next, {task.state}: {task.title} ({task.name}), in {where}"
    return "Every exercise is passed."


# --- a class ------------------------------------------------------------------------------


def print_class(folder: Path) -> int:
    """A line for each home; what could not be read is said below, and the others are shown.

    Raises:
        ValueError: there is no home.
        OSError: the folder cannot be read.
    """
    homes = sorted(folder.iterdir())
    homes = [one for one in homes if one.name != "lost+found" and not one.name.startswith(".")]
    if not homes:
        name = printable_name(folder.name)
        raise ValueError(f"no home lies in {name}/: name the folder that holds them")
    paths = lesson_paths()
    lessons = [(path, read_lesson(path)) for path in paths]
    heads = [path.stem[:2] for path in paths if not is_elective(path)] + ["electives"]
    rows = [("student", *heads, "exercises", "questions")]
    notes, unread = [], 0
    for home in homes:
        name = printable_name(home.name)
        try:
            record = read_home(home)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error  # not what its owner wrote
            notes.append(f"not read: {name}: {why}")
            unread += 1
            continue
        if record is None:
            notes.append(f"nothing recorded yet: {name}")
            rows.append((name, *["–"] * (len(heads) + 2)))
            continue
        if record.damaged:
            notes.append(f"damaged, what could be read of it counts: {name}")
        rows.append((name, *_columns([lesson_progress(*one, record.done) for one in lessons])))
    print(text_table(rows, left=(0,)))
    print(
        "\nExercises passed of those in each lesson, as far as students left their records alone."
    )
    for note in notes:
        print(note, file=sys.stderr)
    return 1 if unread else 0


def _columns(lessons: Sequence[LessonProgress]) -> list[str]:
    """'2/3' for each lesson and for the electives, then the sums '12 of 40' of everything."""
    columns = [one.exercises for one in lessons if one.kind != ELECTIVE]
    columns.append([t for one in lessons if one.kind == ELECTIVE for t in one.exercises])
    return [*(_passed(tasks).replace(" of ", "/") for tasks in columns), *_sums(lessons)]


def read_home(home: Path) -> Record | None:
    """What is recorded in a home; None where nothing is.

    Raises:
        ValueError: something else lies where the file should.
        OSError: it cannot be read.
    """
    with ExitStack() as stack:

        def opened(name: str | Path, flags: int, inside: int | None = None) -> int:
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | flags, dir_fd=inside)
            stack.callback(os.close, descriptor)
            return descriptor

        try:
            here = opened(home, os.O_DIRECTORY)
            lessons = opened(MY_LESSONS.name, os.O_DIRECTORY, here)
            file = opened(FILE, os.O_NONBLOCK, lessons)  # a pipe would be waited for
        except FileNotFoundError:
            return None
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(f"{FILE} is no plain file")
        if status.st_size > MAX_RECORD_BYTES:
            raise ValueError(f"{FILE} is larger than {MAX_RECORD_BYTES // 2**20} MB")
        data = os.read(file, MAX_RECORD_BYTES)
    return parsed(data, f"{MY_LESSONS.name}/{FILE}")


def printable_name(name: str) -> str:
    """A name for a terminal: what would move its cursor or turn its text round is spelt out."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)
