"""Files that are whole or not there at all, whoever writes them and whenever that one dies."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ETIMEDOUT
from glob import escape
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

WAIT_SECONDS = 20  # for another writer


def write_whole(path: Path, text: str, aside: str = "") -> None:
    """As `whole`; the old file is copied to the name `aside`, if that is given.

    Raises:
        FileExistsError: something has that name already; nothing is written over.
    """
    with whole(path) as new:
        with new.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())  # or a power cut may leave the new name without its text
        if aside:
            with path.with_name(aside).open("xb") as copy:
                copy.write(path.read_bytes())


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A name to write to, moved to `path` in the end: no reader finds half a file, nor does
    an error or an interrupt leave one."""
    new = path.with_name(_hidden(path, f".{token_hex(4)}.part"))  # two writers, two names
    try:
        yield new
        os.replace(new, path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def append(file: BinaryIO, data: bytes) -> None:
    """All of `data` or nothing, at the end of a file that is open without a buffer.

    Raises:
        OSError: a nearly full disk takes a part, which is taken back, and complains of the rest.
    """
    end = file.seek(0, os.SEEK_END)
    try:
        while data:
            data = data[file.write(data) :]
    except OSError as error:
        file.truncate(end)
        why = f"{file.name} cannot be written to any more: {error.strerror}. It holds what was "
        raise OSError(why + "written before") from error


def check_new(path: str | Path) -> None:
    """Can a new file be written to `path`?  Asked before a long run; nothing is created.

    Raises:
        OSError: something is there already, or its folder is missing or not writable.
    """
    if os.path.lexists(path):
        raise FileExistsError(
            f"{path} exists and is not overwritten: name another file or remove it"
        )
    folder = Path(path).parent
    if not folder.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"{path} cannot be written: the folder {folder} is read-only")


def free_name(path: Path) -> str:
    """For a damaged file: progress.damaged.json, progress.damaged2.json, ..."""
    names = (f"{path.stem}.damaged{number or ''}{path.suffix}" for number in (0, *range(2, 10**6)))
    return next(name for name in names if not os.path.lexists(path.with_name(name)))


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Nobody else who asks for `path` in this way has it meanwhile.

    Raises:
        OSError: another one kept it for `WAIT_SECONDS`, or the folder cannot be written to.
    """
    from filelock import FileLock, Timeout  # on use: a toy lesson has little else to import

    lock = FileLock(path.with_name(_hidden(path, ".lock")))
    try:
        lock.acquire(timeout=WAIT_SECONDS)
    except Timeout:
        why = f"another program has kept it for {WAIT_SECONDS} seconds"
        raise TimeoutError(ETIMEDOUT, why, str(path)) from None
    try:
        for left in path.parent.glob(f"{escape(_hidden(path, ''))}.*.part"):
            left.unlink(missing_ok=True)  # its writer was killed
        yield
    finally:
        lock.release()


def _hidden(path: Path, end: str) -> str:
    """progress.json, .lock -> .progress.json.lock"""
    return f".{path.name.lstrip('.')}{end}"
