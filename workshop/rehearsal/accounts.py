"""Unix accounts for a rehearsal's students, and a Python that they can run."""

import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

ROOT = Path(__file__).parents[2]


@contextmanager
def accounts(number: int) -> Iterator[list[str]]:
    """Create accounts with homes on this machine; remove them afterwards.  Root only."""
    run = token_hex(3)
    names = [f"class-{run}-{place:02}" for place in range(number)]
    try:
        for name in names:
            command = ["useradd", "--create-home", "--shell", "/bin/bash", name]
            subprocess.run(command, check=True, capture_output=True)
            Path(pwd.getpwnam(name).pw_dir).chmod(0o700)
        yield names
    finally:
        for name in names:
            subprocess.run(["userdel", "--remove", "--force", name], capture_output=True)


def readable_by_all(folder: Path) -> dict[str, str]:
    """Return the settings of a hub whose students can run this Python and read this course.

    Parts in folders that other accounts may not enter are linked file by file (or copied, from
    another file system) below `folder`.
    """
    python, course = Path(sys.executable), ROOT
    if not (_reachable(python.resolve()) and _reachable(Path(sys.prefix))):
        python = _environment(folder / "python", python.resolve())
    if not _reachable(ROOT):
        course = folder / "course"
        for name in ("course_utils", "notebooks", "data", "deploy"):
            _linked(ROOT / name, course / name, "node_modules")
        for text in ROOT.glob("*.md"):
            _link(text, course / text.name)
    return {
        "CLASS_PYTHON": str(python),
        "CLASS_COURSE": str(course),
        "LD_LIBRARY_PATH": f"{folder}/python/base/lib:{os.environ.get('LD_LIBRARY_PATH', '')}",
    }


def _reachable(path: Path) -> bool:
    """Return whether everybody may enter it and the folders above it."""
    return all(above.stat().st_mode & 0o001 for above in (path, *path.parents))


def _environment(new: Path, python: Path) -> Path:
    """Create an environment like this one below `new`; return its Python."""
    _linked(Path(sys.base_prefix) / "lib", new / "base/lib", "site-packages", "test")
    (new / "base/bin").mkdir()
    (new / "bin").mkdir()
    _link(python, new / "base/bin/python3")
    (new / "bin/python3").symlink_to(new / "base/bin/python3")
    for name in ("lib", "share", "etc"):
        source = Path(sys.prefix) / name
        if _reachable(source):
            (new / name).symlink_to(source)
        else:
            _linked(source, new / name)
    (new / "pyvenv.cfg").write_text(f"home = {new}/base/bin\n")
    return new / "bin/python3"


def _linked(source: Path, target: Path, *left_out: str) -> None:
    ignore = shutil.ignore_patterns(*left_out)
    shutil.copytree(source, target, copy_function=_link, ignore=ignore, symlinks=True)


def _link(source: object, target: object) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)
