"""The homes of a class, read by who teaches it: nothing in them is written, or trusted.

A home belongs to a student, who may have put anything there.  No link is followed, nothing but
a plain file of the student's own is opened, and no more of it is read than a record can hold.
"""

import os
import stat
from contextlib import ExitStack
from errno import ELOOP, ENOTDIR
from pathlib import Path

from course_utils.authoring.notebooks import MY_LESSONS
from course_utils.classroom.progress import FILE, Record, parsed

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
    """What is recorded in a home; None where nothing is.

    Raises:
        ValueError: something else lies where the record should.
        OSError: it cannot be read.
    """
    with ExitStack() as open_now:
        try:
            here = _folder(home, None, open_now)
            lessons = _folder(MY_LESSONS.name, here, open_now)
            # a pipe would be waited for
            record = os.open(FILE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=lessons)
        except FileNotFoundError:
            return None
        open_now.callback(os.close, record)
        _check(os.fstat(record), os.fstat(here))
        with os.fdopen(os.dup(record), "rb") as file:
            data = file.read(MOST + 1)
    if len(data) > MOST:
        raise ValueError(f"{FILE} is larger than {MOST // 2**20} MB")
    return parsed(data, f"{MY_LESSONS.name}/{FILE}")


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


def _check(record: os.stat_result, home: os.stat_result) -> None:
    if not stat.S_ISREG(record.st_mode):
        raise ValueError(f"{FILE} is no plain file")
    if record.st_uid != home.st_uid:
        raise ValueError(f"{FILE} belongs to another account than the home")
