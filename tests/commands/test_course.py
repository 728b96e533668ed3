"""The commands that run notebooks, on notebooks made for it."""

import os
import re
import signal
import subprocess
import sys
import time

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course_utils.__main__ import main
from course_utils.classroom import notebooks as lessons
from course_utils.commands import course
from course_utils.commands.present import PAGE
from course_utils.measuring.peak_memory import PeakMemory
from workshop import __main__ as authors
from workshop.commands import notebooks
from workshop.commands.notebooks import asked_for
from workshop.notebooks.repairs import METADATA


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two lessons; the second fails if `divisor` is 0.  Papermill would replace {gamma}."""
    parameter = new_code_cell("divisor = 2  # not 0", metadata={"tags": ["parameters"]})
    (place := tmp_path / "{gamma}").mkdir()
    for name, source in (("01_a", "1 + 1"), ("02_b", "print(1 / divisor)")):
        nbformat.write(
            new_notebook(cells=[parameter, new_code_cell(source)]), place / f"{name}.ipynb"
        )
    real = lessons.lesson_paths
    for command in (course, notebooks):
        monkeypatch.setattr(command, "lesson_paths", lambda names: real(names, place))
    return place


# written, so resident; held for longer than it takes to be seen
HOLD = "block = b'x' * 300_000_000\nimport time\ntime.sleep(0.5)\ndel block"


def test_the_course_prints_seconds_and_peak_memory_and_warns_of_too_much(
    folder, capsys, monkeypatch
):
    pair = new_code_cell("target = 'tiny'", metadata={"tags": ["parameters"]})
    nbformat.write(new_notebook(cells=[pair, new_code_cell(HOLD)]), folder / "02_b.ipynb")
    monkeypatch.setattr(course, "MAX_MEMORY", 2.6e8)
    out = folder / "build"
    assert main(["course", "--out", str(out)]) == 0
    captured = capsys.readouterr()
    lines = [line.split() for line in captured.out.splitlines()]
    assert [line[0] for line in lines] == ["01_a", "02_b", "total"]
    assert all((line[2], line[4]) == ("s", "MB") for line in lines)
    seconds, megabytes = ([float(line[i]) for line in lines] for i in (1, 3))
    assert seconds[2] == pytest.approx(seconds[0] + seconds[1], abs=0.11)
    assert 30 < megabytes[0] < 250  # a bare kernel
    assert 270 < megabytes[1] - megabytes[0] < 330
    assert megabytes[2] == megabytes[1]
    (warning,) = [line for line in captured.err.splitlines() if line.startswith("warning")]
    assert re.match(r"warning: 02_b held 0\.\d\d GB at once; on the trained pair a ", warning)
    assert sorted(p.name for p in out.iterdir()) == ["01_a.ipynb", "02_b.ipynb"]
    assert main(["course", "02", "-p", "target=larger", "--out", str(out)]) == 0  # replaces a run
    assert "warning" not in capsys.readouterr().err


def test_a_lesson_is_not_replaced_by_its_run(folder, capsys):
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert main(["course", "01", "--out", str(folder)]) == 2
    said = f"error: {folder / '01_a.ipynb'} is no run of this command: name another --out\n"
    assert capsys.readouterr().err == said
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_only_the_named_child_is_watched():
    def held(command):
        with PeakMemory(command) as peak:
            subprocess.run([sys.executable, "-c", f"'the watched one'\n{HOLD}"], check=True)
        return peak.bytes

    assert held("the watched one") > 300_000_000
    assert held("another one") == 0


def test_the_first_failure_stops_the_course_and_shows_the_cell(folder, capsys):
    arguments = ["course", "02", "-p", "divisor=0", "--out", str(folder / "build")]
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert "02_b.ipynb failed" in error
    assert "print(1 / divisor)" in error
    assert "ZeroDivisionError" in error


def test_an_unknown_parameter_is_refused_before_anything_runs(folder, capsys):
    assert main(["course", "01", "-p", "divisr=3", "--out", str(folder / "build")]) == 2
    assert "no parameter 'divisr'; it has divisor=2" in capsys.readouterr().err
    assert not (folder / "build").exists()


@pytest.mark.parametrize(
    ("parameter", "says"),
    [
        ("divisor", "NAME=VALUE"),
        ("divisor={[]:1}", "what you set divisor to is neither a number nor a text"),
        ("divisor=" + "-" * 10**5 + "1", "divisor to is neither a number nor a text"),
        ("divisor=two", "divisor is 'two'; 01_a wants a whole number, as 2"),
        ("divisor=[2]", "divisor is [2]; 01_a wants a whole number, as 2"),
    ],
    ids=["no value", "no value in Python", "too deep", "text", "list"],
)
def test_a_parameter_that_is_none_is_refused_in_a_sentence(folder, capsys, parameter, says):
    assert main(["course", "-p", parameter, "--out", str(folder / "build")]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
    assert not (folder / "build").exists()


def test_the_page_to_present_is_the_one_beside_the_lessons(folder):
    before = PAGE.read_bytes(), PAGE.stat().st_mtime_ns
    assert asked_for([]) == lessons.lesson_paths(folder=folder)
    page = folder / PAGE.name
    nbformat.write(new_notebook(cells=[new_code_cell("1 + 1")]), page)
    assert asked_for([]) == [*lessons.lesson_paths(folder=folder), page]
    assert asked_for(["present"]) == [page]
    assert authors.main(["notebooks", "present", "01"]) == 0
    for path in (page, folder / "01_a.ipynb"):
        assert nbformat.read(path, 4).cells[-1].outputs
    assert (PAGE.read_bytes(), PAGE.stat().st_mtime_ns) == before


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        (["course", "02", "--out", "{}/build"], "The run so far is in"),
        (["notebooks", "02"], "02_b.ipynb was left as it was."),
    ],
    ids=["course", "notebooks"],
)
def test_a_kernel_that_is_killed_is_said_with_the_likely_cause(folder, capsys, arguments, where):
    kill = "print('so far')\nimport os, signal\nos.kill(os.getpid(), signal.SIGKILL)"
    nbformat.write(new_notebook(cells=[new_code_cell(kill)]), folder / "02_b.ipynb")
    before = (folder / "02_b.ipynb").read_bytes()
    run = authors.main if arguments[0] == "notebooks" else main
    assert run([argument.format(folder) for argument in arguments]) == 1
    error = capsys.readouterr().err
    assert "02_b.ipynb was not finished: its kernel died, most likely because the memory" in error
    assert where in error
    assert "Traceback" not in error
    assert (folder / "02_b.ipynb").read_bytes() == before
    if arguments[0] == "course":
        assert "so far" in (folder / "build" / "02_b.ipynb").read_text()


ROOT = lessons.NOTEBOOKS.parent
SCRIPT = """
import sys
from pathlib import Path
from course_utils.__main__ import main
from workshop import __main__ as authors
from course_utils.classroom.notebooks import lesson_paths
from course_utils.commands import course
from workshop.commands import notebooks
for command in (course, notebooks):
    command.lesson_paths = lambda names: lesson_paths(names, Path.cwd())
run = authors.main if sys.argv[1] == "notebooks" else main
sys.exit(run(sys.argv[1:]))
"""
WAIT = "from pathlib import Path\nPath('begun').touch()\nimport time\ntime.sleep(600)"


@pytest.mark.parametrize("arguments", [["course", "02", "--out", "build"], ["notebooks", "02"]])
def test_ctrl_c_ends_with_a_line_and_nothing_half_written(folder, arguments):
    nbformat.write(new_notebook(cells=[new_code_cell(WAIT)]), folder / "02_b.ipynb")
    before = (folder / "02_b.ipynb").read_bytes()
    command = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *arguments],
        cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    while not (folder / "begun").exists():
        assert command.poll() is None, command.stderr.read()
        time.sleep(0.05)
    children = psutil.Process(command.pid).children(recursive=True)
    os.killpg(command.pid, signal.SIGINT)  # as a terminal does
    error = command.communicate()[1]
    assert command.returncode == 130
    assert error.endswith("\nstopped\n")
    assert "Traceback" not in error
    assert (folder / "02_b.ipynb").read_bytes() == before
    assert list(folder.rglob("*02_b*")) == [folder / "02_b.ipynb"]
    assert psutil.wait_procs(children, timeout=30)[1] == []  # no kernel is left


def test_stored_outputs_are_clean_and_a_failing_lesson_is_left_alone(folder, capsys):
    assert authors.main(["notebooks"]) == 0
    stored = nbformat.read(folder / "02_b.ipynb", as_version=4)
    assert stored.metadata.pop("course")["seconds_to_run"] in range(1, 60)
    assert stored.metadata == METADATA
    assert stored.cells[1].outputs[0].text == "0.5\n"
    assert stored.cells[0].metadata == {"tags": ["parameters"]}
    broken = (folder / "02_b.ipynb").read_text().replace("divisor = 2", "divisor = 0")
    (folder / "02_b.ipynb").write_text(broken)
    assert authors.main(["notebooks", "02"]) == 1
    assert "left as it was" in capsys.readouterr().err
    assert (folder / "02_b.ipynb").read_text() == broken
