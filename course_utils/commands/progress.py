"""Which exercises and questions of the course are passed, tried, or still open.

With --homes FOLDER, of a whole class: a row for each home in that folder, a column for each
lesson and one for the electives together.  The homes are only read, and no link in them is
followed: a home belongs to a student, who may have put anything there.

Exit status: 0; 1, a home could not be read; 2, there is no record yet, or no home.
"""

import os
import stat
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from errno import ELOOP, ENOTDIR
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

MOST = 2**20  # bytes of a record; the whole course fills some kilobytes
LONGEST = 40  # characters of a name that are shown


def homes(folder: Path) -> list[Path]:
    """What lies in the folder, by name; hidden files and lost+found left out.

    Raises:
        ValueError: nothing does.
        OSError: it cannot be read.
    """
    found = [one for one in sorted(folder.iterdir()) if one.name != "lost+found"]
    found = [one for one in found if not one.name.startswith(".")]
    if not found:
        raise ValueError(f"no home lies in {shown(folder.name)}/: name the folder that holds them")
    return found


def record_of(home: Path) -> Record | None:
    """What is recorded in a home; None where nothing is.  Errors as `file_of`."""
    data = file_of(home, FILE)
    return None if data is None else parsed(data, f"{MY_LESSONS.name}/{FILE}")


def file_of(home: Path, name: str) -> bytes | None:
    """What is in a file of a home's lessons; None where there is none.

    Raises:
        ValueError: something else lies where the file should.
        OSError: it cannot be read.
    """
    with ExitStack() as open_now:
        try:
            here = _folder(home, None, open_now)
            lessons = _folder(MY_LESSONS.name, here, open_now)
            # a pipe would be waited for
            file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=lessons)
        except FileNotFoundError:
            return None
        open_now.callback(os.close, file)
        _check(name, os.fstat(file), os.fstat(here))
        with os.fdopen(os.dup(file), "rb") as opened:
            data = opened.read(MOST + 1)
    if len(data) > MOST:
        raise ValueError(f"{name} is larger than {MOST // 2**20} MB")
    return data


def shown(name: str) -> str:
    """A name for a terminal: what would move its cursor or turn its text round is spelt out."""
    printable = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)
    return printable if len(printable) <= LONGEST else printable[: LONGEST - 1] + "…"


def why(error: Exception) -> str:
    """Why a home could not be read, without what its owner wrote."""
    if isinstance(error, OSError):
        links = "a link, or no folder, lies in the way"
        known = {ENOTDIR: links, ELOOP: links}
        return known.get(error.errno, error.strerror or "it cannot be read")
    return str(error)


def _folder(name: str | Path, inside: int | None, open_now: ExitStack) -> int:
    found = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=inside)
    open_now.callback(os.close, found)
    return found


def _check(name: str, file: os.stat_result, home: os.stat_result) -> None:
    if not stat.S_ISREG(file.st_mode):
        raise ValueError(f"{name} is no plain file")
    if file.st_uid != home.st_uid:
        raise ValueError(f"{name} belongs to another account than the home")


TRIED, OPEN = "tried", "open"
SIGNS = {PASSED: "●", TRIED: "◐", OPEN: "○"}
KINDS = (CORE, DEEP, ELECTIVE)  # what is next stands in the first of these with something open


@dataclass(frozen=True)
class Task:
    """An exercise, a checkpoint of one, or a question, and how far the student is with it."""

    name: str
    title: str  # "Exercise 2: What was saved?"; of a question its name
    state: str
    goes_on: bool = False  # a checkpoint that is not the first of its exercise


@dataclass(frozen=True)
class Done:
    """One lesson."""

    lesson: str  # its place in the folder, without the ending
    exercises: tuple[Task, ...]
    questions: tuple[Task, ...]
    kind: str = CORE  # one of KINDS


def main(arguments: list[str]) -> int:
    parser = Parser("progress", __doc__)
    parser.add_argument("--folder", type=Path, default=MY_LESSONS, metavar="DIR")
    parser.add_argument("--homes", type=Path, metavar="DIR", help="a class: the students' homes")
    options = parser.parse_args(arguments)
    if options.homes:
        return of_a_class(options.homes)
    folder = options.folder
    if not (folder / FILE).exists():
        raise ValueError(f"nothing is recorded in {folder.name}/: begin with `make lab`")
    record = read(folder)
    print(as_text(the_course()(record.done), folder.name))
    if record.note:
        print(f"\nwarning: {record.note}", file=sys.stderr)
    return 0


def of_a_class(folder: Path) -> int:
    """A line for each home; what could not be read is said below, and the others are shown."""
    course, told = the_course(), []
    heads = [path.stem[:2] for path in lesson_paths() if not is_elective(path)] + ["electives"]
    lines, not_read = [], 0
    for home in homes(folder):
        try:
            record = record_of(home)
        except (OSError, ValueError) as error:
            told.append(f"not read: {shown(home.name)}: {why(error)}")
            not_read += 1
            continue
        if record is None:
            told.append(f"nothing recorded yet: {shown(home.name)}")
            lines.append((shown(home.name), *["–"] * (len(heads) + 2)))
            continue
        if record.damaged:
            told.append(f"damaged, what could be read of it counts: {shown(home.name)}")
        lines.append((shown(home.name), *of_a_student(course(record.done))))
    print(text_table([("student", *heads, "exercises", "questions"), *lines], left=(0,)))
    print(
        "\nA column for each lesson: exercises passed of those it has. Each record is the student's"
    )
    print("own file, and shows what they did as far as they left it as it was.")
    for line in told:
        print(line, file=sys.stderr)
    return 1 if not_read else 0


def of_a_student(lessons: Sequence[Done]) -> list[str]:
    """'2/3' for each lesson and for the electives, then the sums '12 of 40' of everything."""
    every = [t for d in lessons for t in d.exercises], [t for d in lessons for t in d.questions]
    each = [lesson.exercises for lesson in lessons if lesson.kind != ELECTIVE]
    each.append([t for d in lessons if d.kind == ELECTIVE for t in d.exercises])
    return [*(passed(tasks).replace(" of ", "/") for tasks in each), *map(passed, every)]


def the_course() -> Callable[[dict[str, str]], list[Done]]:
    """How far a record is with each lesson of the course, which is read once."""
    lessons = [
        (beneath(path).with_suffix("").as_posix(), read_lesson(path)) for path in lesson_paths()
    ]
    return lambda record: [done(name, notebook, record) for name, notebook in lessons]


def done(lesson: str, notebook: "NotebookNode", record: dict[str, str]) -> Done:
    """What the record says of one lesson.

    Args:
        record: {name of an exercise or question: "passed" or "wrong"}.
    """

    def state(name: str) -> str:
        return OPEN if name not in record else PASSED if record[name] == PASSED else TRIED

    return Done(
        lesson,
        tuple(
            Task(e.name, e.label, state(e.name), (e.checkpoint or 1) > 1)
            for e in exercises(notebook)
        ),
        tuple(Task(q.name, q.name.replace("_", " "), state(q.name)) for q in questions(notebook)),
        mark(notebook) or CORE,
    )


def as_text(lessons: Sequence[Done], folder: str) -> str:
    """A line per lesson, the sums, and what to do next."""
    every = [t for d in lessons for t in d.exercises], [t for d in lessons for t in d.questions]
    lines = [("lesson", "exercises", "questions")]
    lines += [(d.lesson, signs(d.exercises), signs(d.questions) + mark_of(d)) for d in lessons]
    lines.append(("passed", *map(passed, every)))
    rows = [text_table(lines, left=range(3))]
    rows.append("\n" + "  ".join(f"{sign} {state}" for state, sign in SIGNS.items()))
    rows.append(what_next(lessons, folder))
    if all(task.state == OPEN for tasks in every for task in tasks):
        rows.append(
            f"Only what you run in {folder}/ is counted. Did you solve something in notebooks/? "
            f"Copy your answer into the lesson in {folder}/ and run its check there."
        )
    return "\n".join(rows)


def mark_of(lesson: Done) -> str:
    """What stands behind the signs of a lesson that is not on the core path."""
    return "" if lesson.kind == CORE else f"  {lesson.kind.lower()}"


def signs(tasks: Sequence[Task]) -> str:
    """'● ◐ ○'; the checkpoints of one exercise stand together, '● ●●◐○ ○'."""
    joined = "".join(("" if task.goes_on else " ") + SIGNS[task.state] for task in tasks)
    return joined.lstrip()


def passed(tasks: Sequence[Task]) -> str:
    """'3 of 21'; an exercise with checkpoints is one, passed when all of them are."""
    exercises: list[bool] = []
    for task in tasks:
        so_far = exercises.pop() if task.goes_on else True
        exercises.append(so_far and task.state == PASSED)
    return f"{sum(exercises)} of {len(exercises)}"


def what_next(lessons: Sequence[Done], folder: str) -> str:
    """The first exercise that is not passed, on the core path before any deep dive or elective."""
    for lesson in sorted(lessons, key=lambda lesson: KINDS.index(lesson.kind)):
        for task in lesson.exercises:
            if task.state != PASSED:
                where = f"{folder}/{lesson.lesson}.ipynb"
                return f"Next, {task.state}: {task.title} ({task.name}), in {where}"
    return "Every exercise is passed."
