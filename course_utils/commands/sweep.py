"""Run a lesson over a grid of parameters: a notebook for each point, and one table.

GRID.json names the values to try, and what to put in the table:

    {"lesson": "13",
     "parameters": {"gamma": [2, 4], "temperature": [0, 0.7]},
     "results": {"drafted": "summarise(speculative).drafted"}}

A result is any expression over the lesson's own names, computed by the kernel of that
point: who may write the grid may run code.  Points are written as they finish, and the
same call runs what is missing; points that failed are tried again.  A point belongs to
its lesson as it is: with another lesson, other parameters or other code of the course
it is another point.  What is not looked at: data/ with the weights, and the versions of
libraries.

What a lesson measures by the clock is only true for --jobs 1 on an idle machine.

The folder: points/NAME.ipynb is a finished point, which it is once its notebook has this name;
failed/NAME.ipynb the run so far of one that failed; table.csv is made from these: deleted, it
is made again.  Whatever is killed, and whenever, no notebook is there by half.
"""

import argparse
import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import nbformat
from tqdm.auto import tqdm

from course_utils.authoring.grids import Grid, Point, as_text, points, read_grid
from course_utils.authoring.results import results, with_results
from course_utils.classroom.files import alone, write_whole
from course_utils.classroom.notebooks import NOTEBOOKS, lesson_paths, read_lesson
from course_utils.classroom.table import text_table
from course_utils.commands import sweep_workers
from course_utils.commands.parser import Parser
from course_utils.commands.sweep_workers import Done, Task, code_digest
from course_utils.models.cores import cores_given

MOST_JOBS = 1024
OUTPUT = NOTEBOOKS.parent / "build" / "sweeps"
FINISHED, FAILED, MISSING = "finished", "failed", "missing"
PLACES = {FINISHED: "points", FAILED: "failed"}
TABLE = "table.csv"
_PATIENCE = 1  # seconds: another sweep keeps the folder for hours


@dataclass(frozen=True)
class Record:
    """What a notebook of the folder says of its point."""

    point: str
    parameters: Mapping[str, object]
    seconds: float
    failure: str  # empty if it is finished
    results: Mapping[str, object]
    path: Path

    @property
    def state(self) -> str:
        return FAILED if self.failure else FINISHED


@dataclass
class Sweep:
    """The points of a grid, and what has become of them."""

    lesson: Path
    points: Sequence[Point]
    out: Path
    known: dict[str, Record]

    @property
    def missing(self) -> list[Point]:
        return [point for point in self.points if not self._is(point, FINISHED)]

    @property
    def failed(self) -> list[Point]:
        return [point for point in self.points if self._is(point, FAILED)]

    def rows(self) -> list[dict[str, object]]:
        return rows(self.points, self.known)

    def _is(self, point: Point, state: str) -> bool:
        record = self.known.get(point.name)
        return record is not None and record.state == state


def main(arguments: list[str]) -> int:
    """0 if every point is finished, 1 if some failed."""
    options = _parser().parse_args(arguments)
    _check(options)
    grid = read_grid(_text(options.grid))
    lesson = _lesson(grid.lesson)
    notebook, code = read_lesson(lesson), code_digest()
    asked = points(grid, notebook, lesson.stem, code)
    notebook = nbformat.writes(with_results(notebook, grid.results))
    out = options.out or OUTPUT / options.grid.stem
    with held(out):
        sweep = Sweep(lesson, asked, out, records(out))
        _tell_the_state(sweep)
        tasks = [
            Task(
                point=point.name, lesson=lesson.stem, notebook=notebook, given=point.given,
                folder=None if lesson.parent == NOTEBOOKS else str(lesson.parent),
                threads=_threads(options), code=code,
            )
            for point in sweep.missing
        ]  # fmt: skip
        try:
            if tasks:
                _keep_all(sweep, _done(options, tasks), len(tasks))
        finally:
            write_table(out, sweep.rows())
            finished = len(asked) - len(sweep.missing)
            print(f"{finished} of {len(asked)} points are finished, in {out}", file=sys.stderr)
    print(as_text_table(sweep.rows(), grid))
    return 1 if sweep.failed else 0


def _keep_all(sweep: Sweep, arriving: Iterable[Done], count: int) -> None:
    """Write each point as it comes, and the table with it."""
    of = {point.name: point for point in sweep.points}
    with tqdm(total=count, unit="point") as bar:
        for done in arriving:
            point = of[done.point]
            name = f"{sweep.lesson.stem}-{point.name}"
            record = sweep.known[point.name] = keep(sweep.out, name, point, done)
            write_table(sweep.out, sweep.rows())
            if done.failure:
                bar.write(
                    f"failed at {as_text(point.given)}\n{done.failure.text}\n"
                    f"The run so far is in {record.path}\n",
                    file=sys.stderr,
                )
            bar.update()


@contextmanager
def held(out: Path) -> Iterator[None]:
    """The folder, made if it is not there, for one sweep alone.

    Raises:
        OSError: another sweep has it, its table is another one's, or it cannot be written to.
    """
    with suppress(FileNotFoundError):
        if not (out / TABLE).read_bytes().startswith(b"point,"):
            raise FileExistsError(f"{out / TABLE} is no table of a sweep: name another --out")
    for place in PLACES.values():
        (out / place).mkdir(parents=True, exist_ok=True)
    taken = f"another sweep runs in {out}: wait for it, or name another folder with --out"
    with alone(out / TABLE, _PATIENCE, taken):
        for place in PLACES.values():
            for left in (out / place).glob(".*.part"):
                left.unlink(missing_ok=True)  # its writer was killed
        yield


def keep(out: Path, name: str, point: Point, done: Done) -> Record:
    """Write what came back of a point to its place.

    Args:
        name: of the notebook, without .ipynb.
    """
    failure = done.failure.brief if done.failure else ""
    text = done.notebook or nbformat.writes(nbformat.v4.new_notebook())
    notebook = nbformat.reads(text, nbformat.NO_CONVERT)
    for path in ("input_path", "output_path"):  # of a worker's passing folder
        notebook.metadata.get("papermill", {}).pop(path, None)
    notebook.metadata["sweep"] = {
        "point": point.name,
        "parameters": dict(point.parameters),
        "seconds": done.seconds,
        "failure": failure,
    }
    path = out / PLACES[FAILED if failure else FINISHED] / f"{name}.ipynb"
    write_whole(path, nbformat.writes(notebook) + "\n")
    if not failure:
        (out / PLACES[FAILED] / path.name).unlink(missing_ok=True)
    return _record(path)


def records(out: Path) -> dict[str, Record]:
    """By point; a finished one before one that failed.  What is damaged is told and passed over."""
    found = {}
    for state in (FAILED, FINISHED):
        for path in sorted((out / PLACES[state]).glob("*.ipynb")):
            try:
                record = _record(path)
            except (ValueError, LookupError, TypeError, AttributeError):
                print(f"{path} is damaged: no run of this sweep", file=sys.stderr)
                continue
            if record.state == state:
                found[record.point] = record
    return found


def stale(asked: Sequence[Point], known: Iterable[Record]) -> list[Record]:
    """Finished runs of the same parameters, but of a lesson, results or code that were others."""
    names, told = {p.name for p in asked}, {_told(p.parameters) for p in asked}
    return [
        record
        for record in known
        if record.state == FINISHED
        and record.point not in names
        and _told(record.parameters) in told
    ]


def rows(asked: Sequence[Point], known: Mapping[str, Record]) -> list[dict[str, object]]:
    """A record a point, in the order of the grid; every row has the same keys."""
    shown = [known.get(point.name) for point in asked]
    names = list(dict.fromkeys(name for record in shown if record for name in record.results))
    return [
        {
            "point": point.name,
            **point.parameters,
            "state": record.state if record else MISSING,
            "seconds": round(record.seconds, 1) if record else None,
            **{name: record.results.get(name) if record else None for name in names},
            "failure": record.failure if record else None,
            "notebook": f"{record.path.parent.name}/{record.path.name}" if record else None,
        }
        for point, record in zip(asked, shown, strict=True)
    ]


def write_table(out: Path, table: Sequence[Mapping[str, object]]) -> None:
    """As CSV: a list as JSON, None as nothing."""
    file = io.StringIO()
    writer = csv.DictWriter(file, list(table[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in table)
    write_whole(out / TABLE, file.getvalue())


def _cell(value: object) -> object:
    """A text that a spreadsheet would take for a formula gets an apostrophe in front."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{value}"
    return value


def _record(path: Path) -> Record:
    notebook = read_lesson(path)
    said = notebook.metadata["sweep"]
    return Record(
        said["point"], said["parameters"], float(said["seconds"]), said["failure"],
        results(notebook), path,
    )  # fmt: skip


def _told(parameters: Mapping[str, object]) -> str:
    return json.dumps(parameters, sort_keys=True)


def as_text_table(rows: Sequence[Mapping[str, object]], grid: Grid) -> str:
    """What was varied, the state and the results; the rest is in the file."""
    varied = [name for name, values in grid.values.items() if len(values) > 1]
    names = [*(varied or grid.values), "state", "seconds", *grid.results]
    lines = [[_short(row.get(name)) for name in names] for row in rows]
    return text_table([names, *lines])


def _short(value: object) -> str:
    if value is None:
        return ""
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    plain = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return plain if len(plain) <= 24 else f"{plain[:23]}…"


def _tell_the_state(sweep: Sweep) -> None:
    left, old = len(sweep.missing), stale(sweep.points, sweep.known.values())
    count = len(sweep.points)
    print(
        f"{sweep.lesson.stem}: {count - left} of {count} points finished, {left} to run",
        file=sys.stderr,
    )
    if old:
        print(
            f"{len(old)} finished before with another lesson, other results or other code of the "
            f"course: not used, left in {old[0].path.parent}",
            file=sys.stderr,
        )


def _lesson(name: str) -> Path:
    if name.endswith(".ipynb"):
        return Path(name).resolve()
    found = lesson_paths([name])
    if len(found) > 1:
        raise ValueError(f"{len(found)} lessons begin with {name!r}; a sweep is of one")
    return found[0]


def _text(path: Path) -> str:
    if path.exists() and not path.is_file():
        raise OSError(f"{path} is a folder or a device: give a file with a grid in JSON")
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text: give a grid in JSON") from None


def _done(options: argparse.Namespace, tasks: Sequence[Task]) -> Iterator[Done]:
    if options.cluster:
        return sweep_workers.on_dask(tasks, options.cluster)
    return sweep_workers.on_this_machine(tasks, min(options.jobs or 1, len(tasks)))


def _threads(options: argparse.Namespace) -> int:
    """For one kernel.  On a cluster a worker runs a point for each of its threads."""
    share = 1 if options.cluster else max(1, cores_given() // (options.jobs or 1))
    return options.threads or share


def _check(options: argparse.Namespace) -> None:
    for name in ("jobs", "threads"):
        value = getattr(options, name)
        if value is not None and not 1 <= value <= MOST_JOBS:
            raise ValueError(f"{name} is {value}; give at least 1 and at most {MOST_JOBS}")
    if options.cluster is None:
        return
    if options.jobs is not None:
        raise ValueError("--jobs is for this machine; a cluster runs a point a worker's thread")
    if not options.cluster.startswith(("tcp://", "tls://")):
        raise ValueError(
            f"--cluster is {options.cluster!r}; give the address of a Dask scheduler, as "
            "tcp://127.0.0.1:8786"
        )


def _parser() -> argparse.ArgumentParser:
    parser = Parser("sweep", __doc__)
    parser.add_argument("grid", type=Path, metavar="GRID.json")
    parser.add_argument("--out", type=Path, metavar="DIR", help="default build/sweeps/GRID")
    parser.add_argument("--jobs", type=int, metavar="N", help="points at once; default 1")
    parser.add_argument(
        "--cluster", metavar="ADDRESS",
        help="run the points on the workers of this Dask scheduler, as tcp://127.0.0.1:8786",
    )  # fmt: skip
    parser.add_argument(
        "--threads", type=int, metavar="N",
        help="of each point's kernel; default its share of the cores, on a cluster 1",
    )  # fmt: skip
    return parser
