"""A lesson of a second for the tests of sweeps, and the ways to run it over a grid."""

import csv
import json
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import psutil
from nbformat.v4 import new_code_cell, new_notebook

from course_utils.__main__ import main

PARAMETERS = 'x = 1  # to be squared\nword = "a"\nshare = 0.5'
# Each run leaves a line in `ran`.  1 waits for the file `go`, 21 and 22 for one another, 13
# fails while there is a file `broken`, and so dies the kernel of 99.
CODE = """\
import os, signal, time
from pathlib import Path
with open("ran", "a") as ran:
    print(x, file=ran)
while x == 1 and not Path("go").exists():
    time.sleep(0.02)
while x in (21, 22) and str(43 - x) not in Path("ran").read_text().split():
    time.sleep(0.02)
if x == 13 and Path("broken").exists():
    raise ValueError("thirteen")
if x == 99 and Path("broken").exists():
    os.kill(os.getpid(), signal.SIGKILL)
square = x * x"""
RESULTS = {"square": "square", "said": "f'={word}'"}


def write_lesson(folder, code=CODE):
    cells = [
        new_code_cell(PARAMETERS, metadata={"tags": ["parameters"]}),
        new_code_cell(code),
    ]
    nbformat.write(new_notebook(cells=cells), folder / "lesson.ipynb")


def write_grid(folder, results=RESULTS, **parameters):
    path = folder / "grid.json"
    grid = {"lesson": str(folder / "lesson.ipynb"), "parameters": parameters, "results": results}
    path.write_text(json.dumps(grid))
    return path


def arguments(folder, *options):
    return ["sweep", str(folder / "grid.json"), "--out", str(folder / "out"), *options]


def sweep(folder, *options):
    return main(arguments(folder, *options))


def started(folder, *options):
    """In a process group of its own, as from a terminal."""
    return subprocess.Popen(
        [sys.executable, "-m", "course_utils", *arguments(folder, *options)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def table(folder):
    with (folder / "out" / "table.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def finished(folder):
    return sorted((folder / "out" / "points").glob("[!.]*"))


def ran(folder):
    """The values of x, in order, once for each time it was run."""
    path = folder / "ran"
    return sorted(map(int, path.read_text().split())) if path.exists() else []


def until(true, process):
    """Wait for it, while the process lives."""
    while not true():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)


def descendants(process):
    return psutil.Process(process.pid).children(recursive=True)


def all_gone(processes):
    return psutil.wait_procs(processes, timeout=30)[1] == []


def paths(folder) -> dict[Path, tuple[int, bytes]]:
    """What would change if a point were written again."""
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in finished(folder)}
