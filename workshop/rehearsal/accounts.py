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
    """Return the settings of a hub whose students can run this Python and read this course."""
    base = _reachable(Path(sys.base_prefix), folder / "base", "test", "site-packages")
    prefix = _reachable(Path(sys.prefix), folder / "prefix")
    course = _reachable(ROOT, folder / "course", ".git", ".venv", "build", "node_modules")
    python = folder / "python"
    (python / "bin").mkdir(parents=True)
    (python / "bin/python3").symlink_to(base / "bin/python3")
    (python / "pyvenv.cfg").write_text(f"home = {base}/bin\n")
    for name in ("lib", "share", "etc"):
        (python / name).symlink_to(prefix / name)
    return {
        "CLASS_PYTHON": str(python / "bin/python3"),
        "CLASS_COURSE": str(course),
        "LD_LIBRARY_PATH": f"{base}/lib:{os.environ.get('LD_LIBRARY_PATH', '')}",
    }


def _reachable(source: Path, copy: Path, *left_out: str) -> Path:
    """Return the folder if all accounts may enter it, else a copy, linked file by file."""
    if all(above.stat().st_mode & 0o001 for above in (source, *source.parents)):
        return source
    ignore = shutil.ignore_patterns(*left_out)
    shutil.copytree(source, copy, copy_function=_link, ignore=ignore, symlinks=True)
    return copy


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)
