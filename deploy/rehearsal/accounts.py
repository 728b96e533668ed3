"""Unix accounts for a rehearsal's students, and a Python that these accounts can run."""

import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex


@contextmanager
def accounts(number: int) -> Iterator[list[str]]:
    """The names of new accounts of this machine, each with a home; gone again afterwards.

    Raises:
        PermissionError: only root may make accounts.
        OSError: they could not be made.
    """
    if os.getuid() != 0:
        raise PermissionError("accounts are made by root only")
    run = token_hex(3)
    names = [f"class-{run}-{place:02}" for place in range(number)]
    made = []
    try:
        for name in names:
            made.append(name)
            _call("useradd", "--create-home", "--shell", "/bin/bash", name)
            home(name).chmod(0o700)
        yield names
    finally:
        for name in made:
            subprocess.run(["userdel", "--remove", "--force", name], capture_output=True)


def home(name: str) -> Path:
    return Path(pwd.getpwnam(name).pw_dir)


@contextmanager
def python_for_all(folder: Path) -> Iterator[Path]:
    """This Python, as every account of the machine can run it.

    Where it lies in a folder that others may not enter, its base is linked (or copied)
    below `folder`, and an environment made of links points there.
    """
    if reachable(Path(sys.executable).resolve()):
        yield Path(sys.executable)
        return
    base, here = Path(sys.base_prefix), folder / "python"
    here.mkdir(parents=True)
    left_out = shutil.ignore_patterns("site-packages", "test", "__pycache__", "pkgconfig")
    shutil.copytree(base / "lib", here / "base/lib", copy_function=_link, ignore=left_out)
    (here / "base/bin").mkdir()
    _link(Path(sys.executable).resolve(), here / "base/bin/python3")
    for name in ("lib", "share", "etc"):
        (here / name).symlink_to(Path(sys.prefix) / name)
    (here / "bin").mkdir()
    (here / "bin/python3").symlink_to(here / "base/bin/python3")
    (here / "pyvenv.cfg").write_text(f"home = {here}/base/bin\n")
    yield here / "bin/python3"


def reachable(path: Path) -> bool:
    """May everybody enter the folders above it?"""
    return all(above.stat().st_mode & 0o001 for above in path.parents)


def _link(source: object, target: object) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)


def _call(*command: str) -> None:
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise OSError(f"{command[0]}: {run.stderr.strip()}")
