"""List the exercises and questions that are passed, tried or open.

With --homes FOLDER, list a whole class: a row per home in that folder, a column per lesson and
one for all electives.  The homes are only read, and no link in them is followed, because students
may put anything there.
"""

import os
import stat
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from course_utils.classroom import notebooks
from course_utils.classroom.notebooks import CORE, ELECTIVE, KINDS, MY_LESSONS, Task, lesson_paths
from course_utils.classroom.progress import FILE, PASSED, Record, parsed, read
from course_utils.classroom.table import text_table
from course_utils.commands.program import Parser, escaped

MAX_RECORD_BYTES = 2**20  # the whole course takes a few kilobytes
TRIED, OPEN = "tried", "open"
SIGNS = {PASSED: "●", TRIED: "◐", OPEN: "○"}

Tasks = Sequence[Sequence[Task]]  # the checkpoints of one exercise together
Done = dict[str, str]  # {name of an exercise or question: "passed" or "wrong"}


@dataclass(frozen=True)
class Lesson:
    """The exercises and questions of a lesson."""

    name: str  # its path in the folder, without the suffix
    kind: str  # one of KINDS
    exercises: Tasks
    questions: Tasks


def main(arguments: list[str]) -> int:
    parser = Parser("progress", __doc__)
    parser.add_argument("--folder", type=Path, default=MY_LESSONS, metavar="DIR")
    parser.add_argument("--homes", type=Path, metavar="DIR", help="a class: the students' homes")
    options = parser.parse_args(arguments)
    if not options.homes and not (options.folder / FILE).exists():
        raise ValueError(f"there is no record in {options.folder.name}/: start with `make lab`")
    lessons = [lesson_at(path) for path in lesson_paths()]
    if options.homes:
        return print_class(options.homes, lessons)
    record = read(options.folder)
    print(as_text(lessons, record.done, options.folder.name))
    if record.damage:
        print(f"\nwarning: {record.damage}", file=sys.stderr)
    return 0


def lesson_at(path: Path) -> Lesson:
    """Read the exercises and questions of a notebook."""
    notebook = notebooks.read_lesson(path)
    exercises = notebooks.exercises(notebook)
    return Lesson(
        notebooks.beneath(path).with_suffix("").as_posix(),
        notebooks.mark(notebook) or CORE,
        [[*tasks] for _, tasks in groupby(exercises, key=lambda task: task.number)],
        [[question] for question in notebooks.questions(notebook)],
    )


def as_text(lessons: Sequence[Lesson], done: Done, folder: str) -> str:
    """Return a line per lesson, the totals, and the next exercise."""
    rows = [("lesson", "exercises", "questions")]
    for lesson in lessons:
        exercises, questions = _signs(lesson.exercises, done), _signs(lesson.questions, done)
        kind = "" if lesson.kind == CORE else f"  {lesson.kind.lower()}"
        rows.append((lesson.name, exercises, questions + kind))
    rows.append(("passed", *_sums(lessons, done)))
    legend = "  ".join(f"{SIGNS[x]} {x}" for x in SIGNS)
    lines = [text_table(rows, left=range(3)), "", legend, _next(lessons, done, folder)]
    if not done:
        lines.append(
            f"Only what you run in {folder}/ is counted. Did you solve something in notebooks/? "
            f"Copy your answer into the lesson in {folder}/ and run its check there."
        )
    return "\n".join(lines)


def _state(task: Task, done: Done) -> str:
    return OPEN if task.name not in done else PASSED if done[task.name] == PASSED else TRIED


def _signs(tasks: Tasks, done: Done) -> str:
    """'● ◐ ○'; the checkpoints of one exercise are joined, '● ●●◐○ ○'."""
    return " ".join("".join(SIGNS[_state(part, done)] for part in task) for task in tasks)


def _passed(tasks: Iterable[Sequence[Task]], done: Done, of: str = " of ") -> str:
    """'3 of 21'; an exercise with checkpoints counts once, when all of them are passed."""
    passed = [all(done.get(part.name) == PASSED for part in task) for task in tasks]
    return f"{sum(passed)}{of}{len(passed)}"


def _sums(lessons: Sequence[Lesson], done: Done) -> tuple[str, str]:
    """Count all exercises, and all questions."""
    return (
        _passed((task for lesson in lessons for task in lesson.exercises), done),
        _passed((task for lesson in lessons for task in lesson.questions), done),
    )


def _next(lessons: Sequence[Lesson], done: Done, folder: str) -> str:
    """Return the first exercise that is not passed, on the core path first."""
    # the next task is in the first kind with an open one
    for lesson in sorted(lessons, key=lambda lesson: KINDS.index(lesson.kind)):
        for task in (part for exercise in lesson.exercises for part in exercise):
            if (state := _state(task, done)) != PASSED:
                return f"Next, {state}: {task.label} ({task.name}), in {folder}/{lesson.name}.ipynb"
    return "Every exercise is passed."


def print_class(folder: Path, lessons: Sequence[Lesson]) -> int:
    """Print a line per home; name each one that cannot be read, and continue.

    Raises:
        ValueError: there is no home.
        OSError: the folder cannot be read.
    """
    entries = folder.iterdir() if folder.is_dir() else ()
    homes = sorted(h for h in entries if h.name[0] != "." and h.name != "lost+found")
    if not homes:
        raise ValueError(f"there is no home in {folder.name}/: name the folder of the homes")
    columns: dict[str, list[Sequence[Task]]] = {}
    for lesson in lessons:
        column = "electives" if lesson.kind == ELECTIVE else lesson.name[:2]
        columns.setdefault(column, []).extend(lesson.exercises)
    rows, status = [("student", *columns, "exercises", "questions")], 0
    for home in homes:
        name = escaped(home.name)
        try:
            record = read_home(home)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error  # without text by the home's owner
            print(f"not read: {name}: {why}", file=sys.stderr)
            status = 1
            continue
        if record is None:
            rows.append((name, *["–"] * (len(columns) + 2)))
            continue
        if record.damage:
            print(f"damaged, only its readable part counts: {name}", file=sys.stderr)
        counts = (_passed(tasks, record.done, "/") for tasks in columns.values())
        rows.append((name, *counts, *_sums(lessons, record.done)))
    print(text_table(rows, left=(0,)))
    print("\nExercises passed in each lesson, if students did not change their records.")
    return status


def read_home(home: Path) -> Record | None:
    """Return the record in a home; None if there is none.

    Raises:
        ValueError: it is behind a link, too large, or not a regular file.
        OSError: it cannot be read.
    """
    place = f"{MY_LESSONS.name}/{FILE}"
    path = os.path.join(os.path.realpath(home.parent), home.name, place)
    if os.path.realpath(path) != path:
        raise ValueError("its record is behind a link")
    try:  # without blocking on a pipe
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    with open(file, "rb") as opened:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_RECORD_BYTES:
            raise ValueError(f"{FILE} is no regular file of at most {MAX_RECORD_BYTES // 2**20} MB")
        return parsed(opened.read(MAX_RECORD_BYTES), place)
