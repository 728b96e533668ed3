"""One point of a sweep, where it is run: in this process or on a worker, perhaps far away.

A worker is sent the notebook and sends it back executed; it writes nothing that lasts, so
no folder need be shared.  It needs the course, in the version of the one who asks.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from course_utils.authoring.notebooks import NOTEBOOKS
from course_utils.commands.course import Failure, execute
from course_utils.decoding.clock import now

PACKAGE = Path(__file__).parents[1]
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


@dataclass(frozen=True)
class Task:
    """All that a worker is told."""

    point: str
    lesson: str  # its name
    notebook: str  # as JSON
    given: Mapping[str, object]
    folder: str | None  # where the lesson lies; None: where the worker has the lessons
    threads: int  # for the kernel
    code: str  # `code_digest` of the one who asks


@dataclass(frozen=True)
class Done:
    """What comes back."""

    point: str
    notebook: str  # as JSON, executed as far as it went; empty if it was not begun
    seconds: float
    failure: Failure | None


def run_point(task: Task) -> Done:
    """Whatever goes wrong is a `Failure`: the other points go on."""
    start = now()
    try:
        notebook, failure = _executed(task)
    except Exception as error:
        notebook, failure = "", _not_begun(f"{type(error).__name__}: {error}")
    return Done(task.point, notebook, now() - start, failure)


def code_digest() -> str:
    """Of all that a lesson can import from this package; no lesson imports a command."""
    digest = sha256()
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("quiz.md")]):
        name = path.relative_to(PACKAGE)
        if name.parts[0] != "commands":
            digest.update(f"{name.as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _executed(task: Task) -> tuple[str, Failure | None]:
    if code_digest() != task.code:
        return "", _not_begun("this worker has another version of the course")
    _share(task.threads)
    with TemporaryDirectory(prefix="sweep-") as folder:
        lesson, output = Path(folder, f"{task.lesson}.ipynb"), Path(folder, "out.ipynb")
        lesson.write_text(task.notebook, "utf-8")
        failure = execute(lesson, output, dict(task.given), Path(task.folder or NOTEBOOKS))
        return output.read_text("utf-8"), failure


def _not_begun(why: str) -> Failure:
    return Failure(why, why)


def _share(threads: int) -> None:
    """For every kernel that this process starts from here on."""
    os.environ.update(dict.fromkeys(_THREADS, str(threads)), OMP_WAIT_POLICY="PASSIVE")
