"""What a student has done, kept in one small file beside their lessons.

The file is made with the student's own copies of the lessons
(`commands/workbooks.py`); where it is missing, as in `notebooks/`, nothing is
recorded.  What was once passed stays passed.
"""

import json
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
    if not (folder / FILE).exists():
        return
    from filelock import FileLock  # two lessons may be open at once

    from course_utils.classroom.lessons import write_whole

    try:
        with FileLock(folder / f".{FILE}.lock", timeout=5):
            known = recorded(folder)
            if known.get(exercise) not in (PASSED, status):
                text = json.dumps(known | {exercise: status}, indent=1)
                write_whole(folder / FILE, text + "\n")
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
