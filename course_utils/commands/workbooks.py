"""Copy the lessons to my_lessons/, for students to work in, and update the copies.

The copies have no outputs, so that answers are not on the page before the question.
A copy that the student changed is never overwritten.  .issued.json records the versions
handed out, as hashes of the sources: outputs, folded cells and the empty cell that
Jupyter adds at the end do not count as changes.
"""

import json
import sys
from collections import Counter
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from course_utils.classroom import progress
from course_utils.classroom.notebooks import (
    MY_LESSONS,
    NOTEBOOKS,
    beneath,
    lesson_paths,
    read_lesson,
    write_lesson,
)
from course_utils.commands.program import Parser
from course_utils.files import alone, write_whole

if TYPE_CHECKING:
    from nbformat import NotebookNode

ISSUED = ".issued.json"
UNREADABLE = "unreadable"
COPY, UPDATE, SAME = "newly copied", "brought up to date", "as handed out"
LEAVE, BESIDE = "with your changes, left alone", "with your changes, the new version beside"

Issued = dict[str, list[str]]  # {a lesson, as `beneath`: hash of each version handed out}


def main(arguments: list[str]) -> int:
    parser = Parser("workbooks", __doc__)
    parser.add_argument("--folder", type=Path, default=MY_LESSONS, metavar="DIR")
    folder = parser.parse_args(arguments).folder
    if folder.resolve() == NOTEBOOKS.resolve():
        raise ValueError(f"{folder} contains the originals: name another folder for the copies")
    folder.mkdir(parents=True, exist_ok=True)
    with alone(folder / ISSUED):
        issued = read_issued(folder)
        outcomes = [hand_out(path, folder, issued) for path in lesson_paths()]
        notes = [note for _, note in outcomes]
        write_whole(folder / ISSUED, json.dumps(issued, indent=1) + "\n")
    kinds = Counter(kind for kind, _ in outcomes)
    print(f"{folder.name}: " + ", ".join(f"{number} {kind}" for kind, number in kinds.items()))
    try:
        notes.append(progress.begin(folder))
    except OSError as error:
        why = f"{folder.name}/{progress.FILE}: {error.strerror or error}"
        notes.append(f"{why}. So your progress is not recorded.")
    for note in filter(None, notes):
        print(f"  {note}", file=sys.stderr)
    return 0


def hand_out(path: Path, folder: Path, issued: Issued) -> tuple[str, str]:
    """Copy one lesson and record it in `issued`; return (action, a note for the student)."""
    try:
        notebook = without_outputs(read_lesson(path))
    except (ValueError, OSError) as error:
        return LEAVE, f"{error}; `git status` may say why. Your copy was left alone."
    copy, lesson, note = folder / beneath(path), version(notebook), ""
    known = issued.setdefault(beneath(path).as_posix(), [])
    kind = decide(lesson, version_of(copy), known)
    place, action = copy, kind
    if kind == BESIDE:
        ends = chain([".new"], (f".new{number}" for number in count(2)))
        places = (copy.with_name(f"{copy.stem}{end}.ipynb") for end in ends)
        actions = ((other, decide(lesson, version_of(other), known)) for other in places)
        place, action = next((other, x) for other, x in actions if x in (COPY, UPDATE, SAME))
        note = f"{path.name}: yours was left alone; the new version is {place.name}."
    if action in (COPY, UPDATE):
        place.parent.mkdir(exist_ok=True)
        write_lesson(place, notebook)
    if version_of(copy) == UNREADABLE:
        note += (
            f" {folder.name}/{beneath(path)} cannot be read as a notebook and was left alone. "
            "Rename it, and run `make lab` for a fresh copy."
        )
    if lesson not in known:
        known.append(lesson)
    return kind, note.strip()


def decide(lesson: str, current: str | None, known: list[str]) -> str:
    """Decide what to do with one copy, from the versions of lesson and copy.

    Args:
        current: the copy's version; None if there is none.
        known: the versions handed out; any other version is the student's work.
    """
    if current is None:
        return COPY
    if current == lesson:
        return SAME
    if current in known:
        return UPDATE
    return LEAVE if lesson in known else BESIDE


def without_outputs(notebook: "NotebookNode") -> "NotebookNode":
    """Return the notebook as before its first run."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def version(notebook: "NotebookNode") -> str:
    """Return a hash of the cells' sources, without empty ones."""
    cells = [(c.cell_type, c.source) for c in notebook.cells if c.source.strip()]
    return sha256(json.dumps(cells).encode()).hexdigest()[:16]


def version_of(path: Path) -> str | None:
    """Return `version` of a file; None if there is none, `UNREADABLE` if it cannot be read."""
    try:
        return version(read_lesson(path))
    except FileNotFoundError:
        return None
    except (ValueError, OSError):
        return UNREADABLE


def read_issued(folder: Path) -> Issued:
    """Return the versions handed out; none if the record is damaged, so that every copy that
    differs from its lesson counts as the student's work."""
    try:
        issued = json.loads((folder / ISSUED).read_text("utf-8"))
        return issued if all(isinstance(known, list) for known in issued.values()) else {}
    except (OSError, ValueError, AttributeError, RecursionError):
        return {}
