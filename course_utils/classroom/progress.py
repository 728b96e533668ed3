"""What a student has done, kept in one small file beside their lessons.

The file is made with the student's own copies of the lessons
(`commands/workbooks.py`); where it is missing, as in `notebooks/`, nothing is
recorded.  What was once passed stays passed.  A damaged file is set aside, and what
can be read of it goes on counting.
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
_NOTE = "(note)"  # in the file: what the next check has to say
RENAMED = {  # a name in older records: today's
    "tokens_a_round": "tokens_per_round",
    "kept_whole": "accepted_whole",
}
_ENTRY = re.compile(r'"(\w+)"\s*:\s*"(passed|wrong)"')


def _here() -> Path:
    try:
        here = Path.cwd()
    except FileNotFoundError:  # the folder was deleted under the kernel
        return Path()
    return here.parent if here.name == ELECTIVES else here


# Where the lessons lie: a kernel starts there, or among the electives in it; a student's
# os.chdir comes later.
HERE = _here()


@dataclass(frozen=True)
class Record:
    """What is known of a student's work."""

    done: dict[str, str]  # {exercise or question: "passed" or "wrong"}
    note: str = ""  # what the student should know of the record itself
    damaged: bool = False


def begin(folder: Path) -> str:
    """Start recording in `folder`, unless something is recorded there; the record's note.

    Raises:
        OSError: the folder or the file cannot be read or written.
    """
    with alone(folder / FILE):
        if not os.path.exists(folder / FILE):
            _write(folder, Record({}))
        return _mended(folder).note


def record(exercise: str, status: str, folder: Path | None = None) -> str:
    """Note how an attempt went, the best of all attempts, in `HERE` or another folder.

    Never raises: a lesson must go on where the folder cannot be written.  Returns what the
    student should know: that this was not recorded, or the record's note; mostly "".
    """
    folder = folder or HERE
    if not os.path.exists(folder / FILE):
        return ""
    try:
        with alone(folder / FILE):
            known = _mended(folder)
            new = {} if known.done.get(exercise) == PASSED else {exercise: status}
            if Record(known.done | new) != known:
                _write(folder, Record(known.done | new))
    except OSError as error:
        why = error.strerror or error
        return f"This could not be recorded in {folder.name}/{FILE}: {why}."
    return known.note


def recorded(folder: Path) -> dict[str, str]:
    """{exercise or question: "passed" or "wrong"}, as `read` finds it."""
    return read(folder).done


def read(folder: Path) -> Record:
    """What is recorded, or can still be read of it; empty where nothing is.

    Raises:
        OSError: the file cannot be read.
    """
    try:
        data = (folder / FILE).read_bytes()
    except FileNotFoundError:
        return Record({})
    except IsADirectoryError:
        data = b""
    return parsed(data, f"{folder.name}/{FILE}")


def parsed(data: bytes, name: str) -> Record:
    """What a record says, or as much of it as can be read; `name` is for the note."""
    try:
        known = json.loads(data)
        if all(isinstance(status, str) for status in known.values()):
            note = known.pop(_NOTE, "")
            return Record(_best(known.items()), note)
    except (ValueError, AttributeError, RecursionError):
        pass
    done = _best(_ENTRY.findall(data.decode("utf-8", "replace")))
    note = (
        f"{name} was damaged. What could be read of it still counts: {len(done)} of "
        "the exercises and questions. Run the checks of the others again."
    )
    return Record(done, note, damaged=True)


def _best(attempts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The best of each exercise's attempts, under the name that it has today."""
    done: dict[str, str] = {}
    for name, status in attempts:
        name = RENAMED.get(name, name)
        if done.get(name) != PASSED:
            done[name] = status
    return done


def _mended(folder: Path) -> Record:
    """The record; a damaged one is set aside, and begun anew with what can be read of it."""
    known = read(folder)
    if not known.damaged:
        return known
    aside = free_name(folder / FILE)
    mended = Record(known.done, f"{known.note} The damaged file is kept as {aside}.")
    _write(folder, mended, aside)
    return mended


def _write(folder: Path, known: Record, aside: str = "") -> None:
    note = {_NOTE: known.note} if known.note else {}
    write_whole(folder / FILE, json.dumps(note | known.done, indent=1) + "\n", aside)
