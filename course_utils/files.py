"""Files and folders that are complete or absent, even if their writer is killed."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOLCK, ENOSYS, EOPNOTSUPP, ETIMEDOUT
from glob import escape
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

WAIT_SECONDS = 20  # for another writer


def write_whole(path: Path, text: str, aside: str = "") -> None:
    """Write `text` as `whole` does; first copy the old file to the name `aside`, if there is one.

    Raises:
        FileExistsError: `aside` exists already; nothing is overwritten.
    """
    with whole(path) as new:
        with new.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())  # else a power cut may leave an empty file under the new name
        if aside:
            with path.with_name(aside).open("xb") as copy:
                copy.write(path.read_bytes())


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Yield a name for a new file or folder, and move that to `path` at the end: neither a reader
    nor an interrupt can see half of it.

    Raises:
        OSError: the disk is full, or a folder would replace one that is not empty.
    """
    new = path.with_name(_hidden(path, f".{token_hex(4)}.part"))  # each writer has its own name
    try:
        yield new
        os.replace(new, path)
    except BaseException as error:
        _remove(new)
        if isinstance(error, OSError):  # a full disk has no name
            error.filename = error.filename or str(path)
        raise


def remove_unfinished(folder: Path, name: str = "*") -> None:
    """Remove what killed writers left of the files and folders that match the pattern `name`."""
    for left in folder.glob(f".{name}.*.part"):
        _remove(left)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def append(file: BinaryIO, data: bytes) -> None:
    """Append all of `data` or nothing to a file that is open without a buffer.

    Raises:
        OSError: the disk is full; a part that was written is removed again.
    """
    end = file.seek(0, os.SEEK_END)
    try:
        while data:
            data = data[file.write(data) :]
    except OSError as error:
        file.truncate(end)
        why = f"{file.name} can no longer be written to: {error.strerror}. It holds what was "
        raise OSError(why + "written before") from error


def check_new(path: str | Path) -> None:
    """Check before a long run that a new file can be written to `path`; create nothing.

    Raises:
        OSError: the file exists already, or its folder is missing or not writable.
    """
    if os.path.lexists(path):
        raise FileExistsError(
            f"{path} exists and will not be overwritten: name another file, or remove this one"
        )
    folder = Path(path).parent
    if not folder.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: there is no folder {folder}; create it")
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"{path} cannot be written: the folder {folder} is read-only")


def free_name(path: Path) -> str:
    """Return a free name for a damaged file: progress.damaged.json, progress.damaged2.json, ..."""
    names = (f"{path.stem}.damaged{number or ''}{path.suffix}" for number in (0, *range(2, 10**6)))
    return next(name for name in names if not os.path.lexists(path.with_name(name)))


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Lock `path` against all others that lock it with this function, where locks are available.

    Some network file systems have none; going on without costs less than stopping.

    Raises:
        OSError: another process held the lock for `WAIT_SECONDS`, or the folder is read-only.
    """
    from filelock import FileLock, Timeout  # here: a toy lesson should start without it

    lock = FileLock(path.with_name(_hidden(path, ".lock")), fallback_to_soft=False)
    try:
        lock.acquire(timeout=WAIT_SECONDS)
    except Timeout:
        why = f"another program has held it for {WAIT_SECONDS} seconds"
        raise TimeoutError(ETIMEDOUT, why, str(path)) from None
    except OSError as error:
        if error.errno not in (ENOLCK, ENOSYS, EOPNOTSUPP):
            raise
    try:
        remove_unfinished(path.parent, escape(path.name.lstrip(".")))
        yield
    finally:
        lock.release()


def _hidden(path: Path, end: str) -> str:
    """progress.json, .lock -> .progress.json.lock"""
    return f".{path.name.lstrip('.')}{end}"
