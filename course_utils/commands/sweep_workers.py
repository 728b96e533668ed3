"""Who runs the points of a sweep: this machine's cores, or the workers of a Dask cluster.

A worker is sent the notebook and sends it back executed; it writes nothing that lasts, so
no folder need be shared.  It needs the course, in the version of the one who asks.
"""

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import sleep

from joblib import Parallel, delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError

from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.commands.course import Failure, execute
from course_utils.decoding.clock import now

PATIENCE = 10  # seconds for a scheduler to answer, and for a first worker
_AHEAD = 64  # points that are sent at least before the first is done
_LOOK = 0.5  # seconds between two looks at whether the parent lives
_INSTALL = "install it with `pip install -c constraints.txt -e '.[cluster]'`"
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


def on_this_machine(tasks: Sequence[Task], jobs: int) -> Iterator[Done]:
    """As they are done, in any order: `jobs` at once, each in a process of its own.

    Raises:
        ChildProcessError: one of these processes was killed.
    """
    running = Parallel(jobs, backend="loky", batch_size=1, return_as="generator_unordered")
    try:
        yield from running(delayed(_beside)(os.getpid(), task) for task in tasks)
    except TerminatedWorkerError:
        raise ChildProcessError(
            "a worker was killed, most likely because the memory of this machine was full: choose "
            "fewer --jobs; the same call goes on with what is missing"
        ) from None


def on_dask(tasks: Sequence[Task], address: str) -> Iterator[Done]:
    """As they are done, in any order: as many at once as the workers there have threads.

    By Dask's own client.  joblib's backend for Dask waits for ever for a point whose
    workers were killed; here it is a failure like others.

    Raises:
        ValueError: Dask is not installed.
        ConnectionError: no scheduler answers, it has no worker that can run a point, or it went
            away.
    """
    try:
        from distributed import CancelledError, Client, as_completed
    except ImportError:
        raise ValueError(f"--cluster needs Dask: {_INSTALL}") from None
    # what it says of a lost scheduler is a traceback; here it is an error of one line
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:  # what another server sends may be taken for anything
        why = error if isinstance(error, OSError) else "what answers there is something else"
        raise ConnectionError(
            f"no Dask scheduler answers at {address} ({why}): start one, as "
            "notebooks/command_line.md says, or leave --cluster out"
        ) from None
    with client:
        _check_workers(client, address)
        of, waiting = {}, iter(tasks)

        def send(count: int) -> list:
            futures = {client.submit(run_point, t, pure=False): t for t in islice(waiting, count)}
            of.update(futures)
            return list(futures)

        ahead = max(_AHEAD, 2 * sum(client.ncores().values()))
        done = as_completed(send(ahead), loop=client.loop)
        for future in done:
            task = of.pop(future)
            try:
                one = _lost(task, future) if future.status == "error" else future.result()
            except (CancelledError, OSError):  # nobody here cancels anything
                raise ConnectionError(
                    f"the scheduler at {address} went away: start it again; the same call then "
                    "goes on with what is missing"
                ) from None
            yield one
            done.update(send(1))


def _beside(asker: int, task: Task) -> Done:
    """`run_point` in a process that goes when the one who asked is gone."""
    if os.getpid() != asker:
        _follow(asker)
    return run_point(task)


@cache
def _follow(asker: int) -> None:
    """loky's workers outlive a kill -9 of their parent by minutes, and their kernels with them."""

    def watch() -> None:
        while os.getppid() == asker:
            sleep(_LOOK)
        os._exit(1)  # its kernels see that and go, too

    Thread(target=watch, daemon=True).start()


def _check_workers(client: object, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise ConnectionError(
            f"the scheduler at {address} has no worker: start some, as "
            "notebooks/command_line.md says"
        ) from None
    try:
        codes = client.run(code_digest)
    except ImportError as error:
        raise ConnectionError(
            f"a worker of {address} has no course ({error}): start the workers from the "
            "environment that the course is installed in"
        ) from None
    if others := [worker for worker, code in codes.items() if code != code_digest()]:
        raise ConnectionError(f"{others[0]} has another version of the course: update it there")


def _lost(task: Task, future: object) -> Done:
    error = future.exception()
    brief = f"no worker finished it: {type(error).__name__}"
    return Done(task.point, "", 0, Failure(f"{brief}: {error}", brief))
