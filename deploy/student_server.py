"""What a student's server does before it starts, as that student: lessons, limits, then Jupyter.

Run by the hub; whatever follows goes to jupyterhub-singleuser.  Nothing that the student changed
is written to (`course_utils/commands/workbooks.py`).
"""

import os
import resource
import sys
from pathlib import Path

COURSE = Path(__file__).resolve().parents[1]
# What the lessons link to.
LINKED = ("README.md", "GLOSSARY.md", "REFERENCES.md", "notebooks", "course_utils", "data")


def main(arguments: list[str]) -> None:
    """Replaces this process by the server."""
    home = Path.home()
    os.umask(0o077)
    limit_memory(os.environ.get("MEM_LIMIT", ""))
    sys.path.insert(0, str(COURSE))
    for complaint in [link_the_course(home), bring_the_lessons(home)]:
        if complaint:
            print(f"student_server: {complaint}", file=sys.stderr, flush=True)
    os.execv(sys.executable, [sys.executable, "-m", "jupyterhub.singleuser", *arguments])


def limit_memory(most: str) -> None:
    """Bytes of data that this process, and each that it starts, may hold.

    The kernel then says MemoryError where the machine would have stopped a neighbour's.
    """
    if most.isdecimal():
        resource.setrlimit(resource.RLIMIT_DATA, (int(most), int(most)))


def link_the_course(home: Path) -> str:
    """Beside my_lessons/, what its links lead to; a complaint, or ""."""
    try:
        for name in LINKED:
            if not os.path.lexists(home / name):
                (home / name).symlink_to(COURSE / name)
    except OSError as error:
        return f"no links to the course in this home: {error}"
    return ""


def bring_the_lessons(home: Path) -> str:
    """`make lab`'s first step, into my_lessons/; a complaint, or ""."""
    from course_utils.commands import workbooks

    try:
        workbooks.main(["--folder", str(home / "my_lessons")])
    except (OSError, ValueError) as error:  # the server starts all the same: there is work in it
        return f"my_lessons/ was not brought up to date: {error}"
    return ""


if __name__ == "__main__":
    main(sys.argv[1:])
