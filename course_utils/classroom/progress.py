"""What a student has passed, in one small file beside their lessons.

The file is made with the student's own copies of the lessons (`commands/workbooks.py`); where
it is missing, as in `notebooks/`, nothing is recorded.  What was once passed stays passed.  A
damaged file is set aside, and what can be read of it still counts.
"""

import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from course_utils.files import alone, free_name, write_whole

FILE = "progress.json"
PASSED = "passed"
ELECTIVES = "electives"  # the folder of the electives, in that of the lessons
RENAMED = {  # a name in older records: today's
    "tokens_a_round": "tokens_per_round",
    "kept_whole": "accepted_whole",
    "foretell": "predict_rows",
}
_ENTRY = re.compile(r'"(\w+)"\s*:\s*"(passed|wrong)"')


def _here() -> Path:
    try:
        here = Path.cwd()
    except FileNotFoundError:  # the folder was deleted under the kernel
        return Path()
    return here.parent if here.name == ELECTIVES else here


# The folder of the lessons: a kernel starts there or in its electives, before any os.chdir.
HERE = _here()


@dataclass(frozen=True)
class Record:
    """What is known of a student's work."""

    done: dict[str, str]  # {exercise or question: "passed" or "wrong"}
    damage: str = ""  # what the student should know of a damaged file


def begin(folder: Path) -> str:
    """Start recording in `folder`, unless something is recorded there; a note for the student.

    Raises:
        OSError: the folder or the file cannot be read or written.
    """
    return _update(folder, ())


def record(exercise: str, status: str, folder: Path | None = None) -> str:
    """Note how an attempt went, the best of all attempts, in `HERE` or another folder.

    Never raises: a lesson must go on where the folder cannot be written.  Returns what the
    student should know: that this was not recorded, or that the file was damaged; mostly "".
    """
    folder = folder or HERE
    if not os.path.exists(folder / FILE):
        return ""
    try:
        return _update(folder, [(exercise, status)])
    except OSError as error:
        why = error.strerror or error
        return f"This could not be recorded in {folder.name}/{FILE}: {why}."


def _update(folder: Path, attempts: Iterable[tuple[str, str]]) -> str:
    path = folder / FILE
    with alone(path):
        known = read(folder)
        done = _best([*known.done.items(), *attempts])
        aside = free_name(path) if known.damage else ""
        if aside or done != known.done or not path.exists():
            write_whole(path, json.dumps(done, indent=1) + "\n", aside)
    return f"{known.damage} The damaged file is kept as {aside}." if aside else ""


def read(folder: Path) -> Record:
    """What is recorded in `folder`, or can still be read of it; empty where nothing is.

    Raises:
        OSError: the file cannot be read.
    """
    try:
        return parsed((folder / FILE).read_bytes(), f"{folder.name}/{FILE}")
    except FileNotFoundError:
        return Record({})


def parsed(data: bytes, name: str) -> Record:
    """What the data of a record say, or as much of it as can be read."""
    try:
        known = json.loads(data)
        if all(isinstance(status, str) for status in known.values()):
            return Record(_best(known.items()))
    except (ValueError, AttributeError, RecursionError):
        pass
    done = _best(_ENTRY.findall(data.decode("utf-8", "replace")))
    damage = (
        f"{name} was damaged. What could be read of it still counts: {len(done)} of "
        "the exercises and questions. Run the checks of the others again."
    )
    return Record(done, damage)


def _best(attempts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The best of each exercise's attempts, under the name that it has today."""
    done: dict[str, str] = {}
    for name, status in attempts:
        name = RENAMED.get(name, name)
        if done.get(name) != PASSED:
            done[name] = status
    return done
