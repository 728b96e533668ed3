"""What a student has done, kept in one small file beside their lessons.

The file is made with the student's own copies of the lessons
(`commands/workbooks.py`); where it is missing, as in `notebooks/`, nothing is
recorded.  What was once passed stays passed.
"""

import json
import os
from pathlib import Path

FILE = "progress.json"
PASSED = "passed"


def begin(folder: Path) -> None:
    """Start recording in `folder`, unless something is recorded there already."""
    if not (folder / FILE).exists():
        (folder / FILE).write_text("{}\n", "utf-8")


def record(exercise: str, status: str, folder: Path = Path()) -> None:
    """Note how an attempt went, the best of all attempts; never raises.

    A lesson must go on where the folder cannot be written or the file is damaged.
    """
    try:
        known = recorded(folder)
        if not (folder / FILE).exists() or known.get(exercise) in (PASSED, status):
            return
        # written whole, then moved: a kernel that dies half-way loses nothing
        new = folder / f"{FILE}.new"
        new.write_text(json.dumps(known | {exercise: status}, indent=1) + "\n", "utf-8")
        os.replace(new, folder / FILE)
    except (OSError, ValueError):
        return


def recorded(folder: Path) -> dict[str, str]:
    """{exercise or question: "passed" or "wrong"}; empty where nothing is recorded.

    Raises:
        ValueError: the file is damaged.
    """
    if not (folder / FILE).exists():
        return {}
    known = json.loads((folder / FILE).read_text("utf-8"))
    if not isinstance(known, dict):
        raise ValueError(f"{folder / FILE} is damaged: delete it to start again")
    return known
