"""The folder of a sweep: what is finished, what failed, and the table of both.

    points/NAME.ipynb   a finished point: it is finished once its notebook has this name
    failed/NAME.ipynb   the run so far of one that failed
    table.csv           made from these; deleted, it is made again

Whatever is killed, and whenever, no notebook is there by half.
"""

import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import nbformat

from course_utils.authoring.grids import Point
from course_utils.authoring.notebooks import read_lesson
from course_utils.authoring.results import results
from course_utils.classroom.files import alone, write_whole
from course_utils.commands.sweep_point import Done

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


def stale(points: Sequence[Point], known: Iterable[Record]) -> list[Record]:
    """Finished runs of the same parameters, but of a lesson, results or code that were others."""
    names, asked = {p.name for p in points}, {_told(p.parameters) for p in points}
    return [
        record
        for record in known
        if record.state == FINISHED
        and record.point not in names
        and _told(record.parameters) in asked
    ]


def rows(points: Sequence[Point], known: Mapping[str, Record]) -> list[dict[str, object]]:
    """A record a point, in the order of the grid; every row has the same keys."""
    shown = [known.get(point.name) for point in points]
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
        for point, record in zip(points, shown, strict=True)
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
