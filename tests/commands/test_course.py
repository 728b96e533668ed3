"""The commands that run notebooks, on small notebooks."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course_utils.__main__ import main
from course_utils.classroom import notebooks as lessons
from course_utils.commands import course
from course_utils.commands.present import PAGE
from workshop import __main__ as authors
from workshop.commands import notebooks
from workshop.commands.notebooks import asked_for

PARAMETER = new_code_cell("divisor = 2  # not 0", metadata={"tags": ["parameters"]})


def write(path, *sources):
    nbformat.write(new_notebook(cells=[PARAMETER, *map(new_code_cell, sources)]), path)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two lessons; the second fails if `divisor` is 0."""
    write(tmp_path / "01_a.ipynb", "1 + 1")
    write(tmp_path / "02_b.ipynb", "print(1 / divisor)")
    real = lessons.lesson_paths
    for command in (course, notebooks):
        monkeypatch.setattr(command, "lesson_paths", lambda names: real(names, tmp_path))
    monkeypatch.setattr(course, "OUTPUT", tmp_path / "build/course")
    return tmp_path


@pytest.mark.slow
def test_the_course_runs_every_lesson_and_prints_a_line_for_each(folder, capsys):
    assert main(["course"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in lines] == ["01_a", "02_b", "total"]
    assert main(["course", "01", "-p", "divisor=3"]) == 0  # replaces a run
    assert "divisor = 3" in (course.OUTPUT / "01_a.ipynb").read_text()


def test_an_unknown_parameter_is_refused_before_anything_runs(folder, capsys):
    assert main(["course", "-p", "divisr=3"]) == 2
    assert "divisor" in capsys.readouterr().err  # the known one
    assert not (folder / "build").exists()


@pytest.mark.parametrize(
    ("last", "named"),
    [
        ("print(1 / 0)", "ZeroDivisionError"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "kernel died"),
    ],
)
def test_a_failing_lesson_is_shown_and_left_unchanged(folder, capsys, last, named):
    write(folder / "02_b.ipynb", last)
    before = (folder / "02_b.ipynb").read_bytes()
    assert main(["course", "02"]) == 1
    err = capsys.readouterr().err
    assert named in err
    assert "Traceback" not in err
    assert (folder / "02_b.ipynb").read_bytes() == before


@pytest.mark.slow
def test_stored_outputs_are_clean_and_a_failing_lesson_is_left_alone(folder):
    write(folder / PAGE.name, "1 + 1")
    assert asked_for([])[-1] == folder / PAGE.name  # the talk's page beside the lessons
    assert authors.main(["notebooks"]) == 0
    stored = nbformat.read(folder / "02_b.ipynb", as_version=4)
    assert stored.cells[1].outputs[0].text == "0.5\n"
    assert nbformat.read(folder / PAGE.name, 4).cells[-1].outputs
    broken = (folder / "02_b.ipynb").read_text().replace("divisor = 2", "divisor = 0")
    (folder / "02_b.ipynb").write_text(broken)
    assert authors.main(["notebooks", "02"]) == 1
    assert (folder / "02_b.ipynb").read_text() == broken
