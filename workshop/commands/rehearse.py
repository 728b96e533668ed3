"""Rehearse a class (rehearse --students 20 --out data/class/class-1.json).

A class on a real hub, on this machine alone; nothing listens elsewhere.  As root it makes an
account for each student and removes it afterwards; as anybody else all homes belong to one
account, and nothing is said about who may read whose.

Exit status: 0; 1, a student met a failure.
"""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from course_utils.commands.program import Parser
from course_utils.files import check_new, write_whole

if TYPE_CHECKING:
    from workshop.rehearsal.hub import Hub


def main(arguments: list[str]) -> int:
    parser = Parser("rehearse", __doc__, "workshop")
    parser.add_argument("--students", type=int, default=20, metavar="N")
    parser.add_argument("--lesson", default="01", help="which all of them run at once")
    parser.add_argument("--hard", default="07", help="which the first five run at once")
    parser.add_argument("--out", type=Path, help="where the figures go; default: the screen")
    options = parser.parse_args(arguments)
    from workshop.rehearsal.session import Session
    from workshop.rehearsal.student import Student

    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        check_new(options.out)
    with opened(options.students) as hub:
        session = Session(hub, [Student(hub.address, name) for name in hub.students])
        session.log_in()
        session.run(options.lesson, session.students)
        session.run(options.hard, session.students[:5])
        session.kill()
        if session.report["failures"]:
            sys.stderr.write(hub.last_words(2000))
    text = json.dumps(session.report, indent=1) + "\n"
    print(text, end="")  # first: whatever becomes of the file, the figures are not lost
    if options.out:
        check_new(options.out)  # it was, but that is minutes ago
        write_whole(options.out, text)
    return 1 if session.report["failures"] else 0


@contextmanager
def opened(number: int, **settings: str) -> Iterator["Hub"]:
    """A hub for so many students, each with an account of this machine if root makes them."""
    from workshop.rehearsal.accounts import accounts, readable_by_all
    from workshop.rehearsal.hub import Hub

    folder = Path(mkdtemp(prefix="class-"))
    folder.chmod(0o755)  # the students' Python may lie below it
    own = os.getuid() == 0
    names = [f"student-{place:02}" for place in range(number)]
    try:
        with (
            accounts(number) if own else nullcontext(names) as students,
            Hub(
                folder / "hub", students, (readable_by_all(folder) if own else {}) | settings
            ) as hub,
        ):
            yield hub
    finally:
        shutil.rmtree(folder, ignore_errors=True)
