"""Record what a student has passed, in one small file next to their lessons.

The file is created with the student's own copies of the lessons (`commands/workbooks.py`);
without it, as in `notebooks/`, nothing is recorded.  Passed once stays passed.  A damaged file is
set aside, and whatever can be read from it still counts.
"""

import json
import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from course_utils.files import alone, free_name, write_whole

FILE = "progress.json"
PASSED = "passed"
ELECTIVES = "electives"  # a folder inside that of the lessons
RENAMED = {  # {name in older records: current name}
    "tokens_a_round": "tokens_per_round",
    "kept_whole": "accepted_whole",
    "foretell": "predict_rows",
}
_ENTRY = re.compile(r'"(\w+)"\s*:\s*"(passed|wrong)"')


def _here() -> Path:
    """Return the folder of the lessons: that of the open one, else the working directory or its
    my_lessons/, where there is a record.  VS Code starts kernels in the folder that is open."""
    try:
        here = Path.cwd()
    except FileNotFoundError:  # the folder was deleted under the kernel
        return Path()
    in_code = getattr(sys.modules["__main__"], "__vsc_ipynb_file__", "")
    lesson = os.environ.get("JPY_SESSION_NAME") or in_code
    places = [Path(lesson).parent] if lesson else [here, here / "my_lessons"]
    folders = [place.parent if place.name == ELECTIVES else place for place in (*places, here)]
    return next((folder for folder in folders if (folder / FILE).exists()), folders[-1])


HERE = _here()  # before any os.chdir


@dataclass(frozen=True)
class Record:
    """A student's results."""

    done: dict[str, str]  # {exercise or question: "passed" or "wrong"}
    damage: str = ""  # a note for the student about a damaged file


def begin(folder: Path, attempts: Iterable[tuple[str, str]] = ()) -> str:
    """Start a record in `folder` unless there is one, add attempts, (exercise, status); return a
    note for the student.

    Raises:
        OSError: the folder or the file cannot be read or written.
    """
    path = folder / FILE
    with alone(path):
        known = read(folder)
        done = _best([*known.done.items(), *attempts])
        aside = free_name(path) if known.damage else ""
        if aside or done != known.done or not path.exists():
            write_whole(path, json.dumps(done, indent=1) + "\n", aside)
    return f"{known.damage} The damaged file is saved as {aside}." if aside else ""


def record(exercise: str, status: str, folder: Path | None = None) -> str:
    """Record the best status of an exercise, in `HERE` or another folder.

    Never raises: a lesson must continue even if the folder cannot be written.  Returns a note
    for the student if nothing was recorded or the file was damaged; usually "".
    """
    folder = folder or HERE
    if not os.path.exists(folder / FILE):
        return ""
    try:
        return begin(folder, [(exercise, status)])
    except OSError as error:
        return f"This could not be recorded in {folder.name}/{FILE}: {error.strerror or error}."


def read(folder: Path) -> Record:
    """Return the record in `folder`, or what can still be read of it; empty without a file.

    Raises:
        OSError: the file cannot be read.
    """
    try:
        return parsed((folder / FILE).read_bytes(), f"{folder.name}/{FILE}")
    except FileNotFoundError:
        return Record({})


def parsed(data: bytes, name: str) -> Record:
    """Parse the data of a record, or as much of it as can be read."""
    done = _best(_ENTRY.findall(data.decode("utf-8", "replace")))
    with suppress(ValueError, RecursionError):
        if json.loads(data) == done:
            return Record(done)
    damage = (
        f"{name} was damaged. {len(done)} exercises and questions could be read and still count. "
        "Run the checks of the others again."
    )
    return Record(done, damage)


def _best(attempts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the best status of each exercise."""
    done: dict[str, str] = {}
    for name, status in attempts:
        name = RENAMED.get(name, name)
        if done.get(name) != PASSED:
            done[name] = status
    return done
