"""List the exercises and questions that are passed, tried or open.

With --homes FOLDER, list a whole class: a row per home in that folder, a column per lesson and
one for all electives.  The homes are only read, and no link in them is followed, because students
may put anything there.

Exit status: 0, done; 1, a home could not be read; 2, there is no record yet, or no home.
"""

import os
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from course_utils.classroom import parts
from course_utils.classroom.notebooks import MY_LESSONS, beneath, lesson_paths, read_lesson
from course_utils.classroom.parts import CORE, DEEP, ELECTIVE, Task
from course_utils.classroom.progress import FILE, PASSED, Record, parsed, read
from course_utils.classroom.table import text_table
from course_utils.commands.program import Parser

MAX_RECORD_BYTES = 2**20  # the whole course takes a few kilobytes
TRIED, OPEN = "tried", "open"
SIGNS = {PASSED: "●", TRIED: "◐", OPEN: "○"}
KINDS = (CORE, DEEP, ELECTIVE)  # the next task is in the first of these with an open one

Tasks = Sequence[Sequence[Task]]  # the checkpoints of one exercise together
Done = dict[str, str]  # {name of an exercise or question: "passed" or "wrong"}


@dataclass(frozen=True)
class Lesson:
    """The exercises and questions of a lesson."""

    name: str  # its path in the folder, without the suffix
    kind: str  # one of KINDS
    exercises: list[list[Task]]
    questions: list[list[Task]]


def main(arguments: list[str]) -> int:
    parser = Parser("progress", __doc__)
    parser.add_argument("--folder", type=Path, default=MY_LESSONS, metavar="DIR")
    parser.add_argument("--homes", type=Path, metavar="DIR", help="a class: the students' homes")
    options = parser.parse_args(arguments)
    if options.homes:
        return print_class(options.homes)
    folder = options.folder
    if not (folder / FILE).exists():
        raise ValueError(f"there is no record in {folder.name}/: start with `make lab`")
    record = read(folder)
    print(as_text([lesson_at(path) for path in lesson_paths()], record.done, folder.name))
    if record.damage:
        print(f"\nwarning: {record.damage}", file=sys.stderr)
    return 0


def lesson_at(path: Path) -> Lesson:
    """Read the exercises and questions of a notebook."""
    notebook = read_lesson(path)
    grouped: list[list[Task]] = []
    for exercise in parts.exercises(notebook):
        if (exercise.checkpoint or 1) == 1:
            grouped.append([])
        grouped[-1].append(exercise)
    quiz = [[question] for question in parts.questions(notebook)]
    return Lesson(
        beneath(path).with_suffix("").as_posix(), parts.mark(notebook) or CORE, grouped, quiz
    )


def as_text(lessons: Sequence[Lesson], done: Done, folder: str) -> str:
    """Return a line per lesson, the totals, and the next exercise."""
    rows = [("lesson", "exercises", "questions")]
    for lesson in lessons:
        kind = "" if lesson.kind == CORE else f"  {lesson.kind.lower()}"
        rows.append(
            (lesson.name, _signs(lesson.exercises, done), _signs(lesson.questions, done) + kind)
        )
    rows.append(("passed", *_sums(lessons, done)))
    table, legend = text_table(rows, left=range(3)), "  ".join(f"{SIGNS[x]} {x}" for x in SIGNS)
    lines = [table, "", legend, _next(lessons, done, folder)]
    if SIGNS[PASSED] not in table and SIGNS[TRIED] not in table:
        lines.append(
            f"Only what you run in {folder}/ is counted. Did you solve something in notebooks/? "
            f"Copy your answer into the lesson in {folder}/ and run its check there."
        )
    return "\n".join(lines)


def _state(name: str, done: Done) -> str:
    return OPEN if name not in done else PASSED if done[name] == PASSED else TRIED


def _signs(tasks: Tasks, done: Done) -> str:
    """'● ◐ ○'; the checkpoints of one exercise are joined, '● ●●◐○ ○'."""
    return " ".join("".join(SIGNS[_state(part.name, done)] for part in task) for task in tasks)


def _passed(tasks: Tasks, done: Done, of: str = " of ") -> str:
    """'3 of 21'; an exercise with checkpoints counts once, when all of them are passed."""
    passed = sum(all(done.get(part.name) == PASSED for part in task) for task in tasks)
    return f"{passed}{of}{len(tasks)}"


def _sums(lessons: Sequence[Lesson], done: Done) -> tuple[str, str]:
    """Count all exercises, and all questions."""
    return (
        _passed([task for lesson in lessons for task in lesson.exercises], done),
        _passed([task for lesson in lessons for task in lesson.questions], done),
    )


def _next(lessons: Sequence[Lesson], done: Done, folder: str) -> str:
    """Return the first exercise that is not passed, on the core path first."""
    for lesson in sorted(lessons, key=lambda lesson: KINDS.index(lesson.kind)):
        for exercise in (part for task in lesson.exercises for part in task):
            if done.get(exercise.name) != PASSED:
                state, where = _state(exercise.name, done), f"{folder}/{lesson.name}.ipynb"
                return f"Next, {state}: {exercise.label} ({exercise.name}), in {where}"
    return "Every exercise is passed."


def print_class(folder: Path) -> int:
    """Print a line per home; name each one that cannot be read, and continue.

    Raises:
        ValueError: there is no home.
        OSError: the folder cannot be read.
    """
    entries = folder.iterdir() if folder.is_dir() else ()
    homes = sorted(h for h in entries if h.name[0] != "." and h.name != "lost+found")
    if not homes:
        raise ValueError(f"there is no home in {folder.name}/: name the folder of the homes")
    lessons = [lesson_at(path) for path in lesson_paths()]
    trunk = [lesson for lesson in lessons if lesson.kind != ELECTIVE]
    electives = [task for lesson in lessons if lesson.kind == ELECTIVE for task in lesson.exercises]
    columns = [*(lesson.exercises for lesson in trunk), electives]
    heads = (*(lesson.name[:2] for lesson in trunk), "electives", "exercises", "questions")
    rows, status = [("student", *heads)], 0
    for home in homes:
        # characters that control the terminal are escaped
        name = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in home.name)
        try:
            record = read_home(home)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error  # without text by the home's owner
            print(f"not read: {name}: {why}", file=sys.stderr)
            status = 1
            continue
        if record is None:
            rows.append((name, *["–"] * len(heads)))
            continue
        if record.damage:
            print(f"damaged, only its readable part counts: {name}", file=sys.stderr)
        counts = (_passed(tasks, record.done, "/") for tasks in columns)
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
