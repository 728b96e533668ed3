"""A sweep over a small lesson: nothing finished is lost or run twice, whatever is killed."""

import os
import signal
import time
from pathlib import Path

import nbformat
import pytest

from course_utils.__main__ import main
from course_utils.authoring.grids import Point, points, read_grid
from course_utils.classroom import files
from course_utils.classroom.notebooks import parameters, read_lesson
from course_utils.commands import sweep as sweep_command
from course_utils.commands import sweep_workers
from course_utils.commands.course import Failure
from course_utils.commands.sweep import held, keep, records
from course_utils.commands.sweep_workers import (
    Done,
    Task,
    code_digest,
    on_this_machine,
    run_point,
)
from tests.commands.sweeps import (
    CODE,
    all_gone,
    descendants,
    finished,
    paths,
    ran,
    started,
    sweep,
    table,
    until,
    write_grid,
    write_lesson,
)  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "4")  # and whatever a sweep sets is taken back
    for name in ("MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_WAIT_POLICY"):
        monkeypatch.setenv(name, "")
    write_lesson(tmp_path)
    return tmp_path


def test_a_point_is_run_once_and_again_where_its_lesson_was_edited(folder, capsys):
    write_grid(folder, x=[2, 3], word="+b")
    assert sweep(folder) == 0
    out, err = capsys.readouterr()
    assert [line.split()[:2] + line.split()[3:] for line in out.splitlines()] == [
        ["x", "state", "square", "said"],
        ["2", "finished", "4", "=+b"], ["3", "finished", "9", "=+b"],
    ]  # fmt: skip
    assert "lesson: 0 of 2 points finished, 2 to run" in err
    rows = table(folder)
    assert [(r["x"], r["square"], r["share"], r["state"]) for r in rows] == [
        ("2", "4", "0.5", "finished"), ("3", "9", "0.5", "finished"),
    ]  # fmt: skip
    assert {(r["word"], r["said"]) for r in rows} == {("'+b", "'=+b")}  # no formula
    assert [folder / "out" / r["notebook"] for r in rows] == [
        p for r in rows for p in finished(folder) if r["point"] in p.name
    ]
    for path in finished(folder):
        nbformat.validate(nbformat.read(path, 4))
        assert "sweep-" not in path.read_text()  # of the worker's passing folder nothing is left
    before = paths(folder)
    (folder / "out" / "table.csv").unlink()
    assert sweep(folder) == 0
    assert "2 of 2 points finished, 0 to run" in capsys.readouterr().err
    assert (paths(folder), table(folder), ran(folder)) == (before, rows, [2, 3])
    write_lesson(folder, CODE.replace("x * x", "x ** 3"))
    write_grid(folder, x=[3], word="+b")
    assert sweep(folder) == 0
    err = capsys.readouterr().err
    assert "1 finished before with another lesson, other results or other code" in err
    assert [r["square"] for r in table(folder)] == ["27"]
    assert before.items() <= paths(folder).items()
    write_lesson(folder)  # as it was
    write_grid(folder, x=[3, 2], word="+b")
    assert sweep(folder) == 0
    assert "2 of 2 points finished, 0 to run" in capsys.readouterr().err
    assert [r["square"] for r in table(folder)] == ["9", "4"]


def test_a_failed_point_is_reported_stops_nothing_and_is_tried_again(folder, capsys):
    write_grid(folder, {"square": "square", "odd": "1 / (x - 4)"}, x=[13, 99, 4, 2])
    (folder / "broken").touch()
    assert sweep(folder, "--jobs", "2") == 1
    err = capsys.readouterr().err
    assert "failed at x=13\nlesson.ipynb failed in its code cell [3]" in err
    assert "ValueError: thirteen" in err
    assert "failed at x=99\nlesson.ipynb was not finished: its kernel died, most likely" in err
    assert "failed at x=4\nlesson.ipynb failed in its code cell [4]" in err
    assert "1 of 4 points are finished" in err
    rows = table(folder)
    assert [r["state"] for r in rows] == ["failed", "failed", "failed", "finished"]
    assert rows[0]["failure"] == "code cell [3], ValueError: thirteen"
    assert (rows[1]["failure"], rows[2]["square"]) == ("the kernel died", "")
    assert "the result odd could not be computed: ZeroDivisionError: " in rows[2]["failure"]
    for row in rows[:3]:
        assert f"The run so far is in {folder / 'out' / row['notebook']}" in err
        assert "print(x, file=ran)" in (folder / "out" / row["notebook"]).read_text()
    before = paths(folder)
    (folder / "broken").unlink()
    assert sweep(folder) == 1
    assert "1 of 4 points finished, 3 to run" in capsys.readouterr().err
    assert ran(folder) == [2, 4, 4, 13, 13, 99, 99]
    assert before.items() <= paths(folder).items()
    assert len(list((folder / "out" / "failed").iterdir())) == 1
    assert [r["state"] for r in table(folder)] == ["finished", "finished", "failed", "finished"]


def test_kill_9_half_way_loses_no_finished_point(folder):
    write_grid(folder, x=[1, 5, 6])
    command = started(folder, "--jobs", "2")
    until(lambda: 1 in ran(folder) and len(finished(folder)) == 2, command)
    below = descendants(command)
    os.kill(command.pid, signal.SIGKILL)
    command.communicate()
    before = paths(folder)
    (folder / "go").touch()  # or whoever is left would wait for ever
    assert all_gone(below)
    assert finished(folder) == list(before)  # nobody is left who writes
    assert sweep(folder) == 0
    assert ran(folder) == [1, 1, 5, 6]
    assert before.items() <= paths(folder).items()
    assert [r["square"] for r in table(folder)] == ["1", "25", "36"]


def test_ctrl_c_keeps_what_is_finished_and_leaves_nobody_behind(folder):
    write_grid(folder, x=[5, 1, 1_000])
    command = started(folder, "--jobs", "2")
    until(lambda: len(finished(folder)) == 2, command)
    below = descendants(command)
    os.killpg(command.pid, signal.SIGINT)  # as a terminal does
    _, err = command.communicate()
    assert command.returncode == 130
    assert err.endswith("\nstopped\n")
    assert "2 of 3 points are finished" in err
    assert "Traceback" not in err
    assert "encryption" not in err  # which ipykernel misses where it is not told of any
    assert all_gone(below)
    assert [r["state"] for r in table(folder)] == ["finished", "missing", "finished"]


class Deadly:
    """Kills whoever unpacks it."""

    def __reduce__(self):
        return exec, ("import os; os._exit(9)",)


def test_a_worker_that_is_killed_is_said():
    with pytest.raises(ChildProcessError, match=r"a worker was killed, .*; the same call goes on"):
        list(on_this_machine([Deadly(), Deadly()], jobs=2))


# --- pieces, without a kernel ----------------------------------------------------------

POINT = Point("abc", {"x": 2}, {"x": 2, "word": "a"})


def done(failure=None):
    return Done("abc", nbformat.writes(nbformat.v4.new_notebook()), 1.25, failure)


@pytest.mark.parametrize("moment", ["before the rename", "after the rename"])
def test_a_point_is_finished_when_its_notebook_has_its_name(tmp_path, monkeypatch, moment):
    replace = os.replace

    def killed(new, path):
        if moment == "after the rename":
            replace(new, path)
        os._exit(9)

    with held(tmp_path):
        pass
    monkeypatch.setattr(files.os, "replace", killed)
    if (child := os.fork()) == 0:
        keep(tmp_path, "abc", POINT, done())
        os._exit(1)  # nothing was renamed
    assert os.waitpid(child, 0)[1] == 9 << 8
    assert len(list((tmp_path / "points").iterdir())) == 1  # .part, or the whole
    with held(tmp_path):
        assert list(records(tmp_path)) == ["abc"] * (moment == "after the rename")
        assert list((tmp_path / "points").glob(".*")) == []


def test_one_that_failed_before_and_is_finished_now_is_finished(tmp_path):
    with held(tmp_path):
        assert keep(tmp_path, "abc", POINT, done(Failure("long", "short"))).state == "failed"
        assert records(tmp_path)["abc"].failure == "short"
        failed = (tmp_path / "failed" / "abc.ipynb").read_bytes()
        keep(tmp_path, "abc", POINT, done())
        assert not (tmp_path / "failed" / "abc.ipynb").exists()
        (tmp_path / "failed" / "abc.ipynb").write_bytes(failed)  # killed in between
        assert records(tmp_path)["abc"].state == "finished"


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}',
             '{"nbformat": 4, "nbformat_minor": 5, "metadata": {"sweep": 3}, "cells": []}']
)  # fmt: skip
def test_a_damaged_notebook_is_told_and_its_point_run_again(tmp_path, capsys, text):
    with held(tmp_path):
        (tmp_path / "points" / "abc.ipynb").write_text(text)
        assert records(tmp_path) == {}
        assert "abc.ipynb is damaged: no run of this sweep" in capsys.readouterr().err
        keep(tmp_path, "abc", POINT, done())
        assert records(tmp_path)["abc"].seconds == 1.25


def test_two_sweeps_do_not_share_a_folder(folder, capsys):
    write_grid(folder, x=2)
    with held(folder / "out"):
        start = time.monotonic()
        assert sweep(folder) == 2
        assert time.monotonic() - start < 15
    err = capsys.readouterr().err
    assert f"another sweep runs in {folder / 'out'}: wait for it, or name another" in err
    assert ran(folder) == []


def test_a_table_that_is_no_sweeps_is_left_alone(folder, capsys):
    write_grid(folder, x=2)
    (folder / "out").mkdir()
    (folder / "out" / "table.csv").write_text("name,mark\n")
    assert sweep(folder) == 2
    said = f"error: {folder / 'out' / 'table.csv'} is no table of a sweep: name another --out\n"
    assert capsys.readouterr().err == said
    assert (folder / "out" / "table.csv").read_text() == "name,mark\n"
    assert ran(folder) == []


def test_what_others_are_writing_below_the_folder_is_left_alone(tmp_path):
    (tmp_path / "other").mkdir()
    part = tmp_path / "other" / ".progress.json.0a1b2c3d.part"
    part.touch()
    with held(tmp_path):
        assert part.exists()


def test_an_error_of_the_work_is_not_taken_for_another_sweep(tmp_path):
    with pytest.raises(TimeoutError, match="the work"), held(tmp_path):
        raise TimeoutError("the work")


def test_a_worker_with_other_code_runs_nothing(tmp_path):
    task = Task("abc", "lesson", "", {}, str(tmp_path), 1, "other")
    assert run_point(task).failure.brief == "this worker has another version of the course"


def test_whatever_breaks_a_point_is_its_failure(tmp_path):
    task = Task("abc", "lesson", "no notebook", {}, str(tmp_path), 1, code_digest())
    failure = run_point(task).failure
    assert failure.brief.startswith("NotJSONError: ")
    record = keep_failure(tmp_path, failure)
    assert (record.state, record.results) == ("failed", {})


def keep_failure(out, failure):
    with held(out):
        return keep(out, "abc", POINT, Done("abc", "", 0.1, failure))


def test_the_code_that_counts_is_what_a_lesson_can_import(tmp_path, monkeypatch):
    for name in ("decoding/loop.py", "commands/sweep.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("x = 1")
    monkeypatch.setattr(sweep_workers, "PACKAGE", tmp_path)
    before = code_digest()
    (tmp_path / "commands" / "sweep.py").write_text("x = 2")
    assert code_digest() == before
    (tmp_path / "decoding" / "loop.py").write_text("x = 2")
    assert code_digest() != before


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--jobs", "0"], "jobs is 0; give at least 1"),
        (["--jobs", "-2"], "jobs is -2; give at least 1"),
        (["--jobs", "many"], "argument --jobs: invalid int value: 'many'"),
        (["--jobs", "9" * 30], "at most 1024"),
        (["--threads", "0"], "threads is 0; give at least 1"),
        (["--cluster", "127.0.0.1:8786"], "give the address of a Dask scheduler, as tcp://"),
        (["--cluster", "http://127.0.0.1:8786"], "give the address of a Dask scheduler, as tcp://"),
        (["--cluster", ""], "give the address of a Dask scheduler, as tcp://"),
        (["--cluster", "tcp://127.0.0.1:1", "--jobs", "2"], "--jobs is for this machine"),
        (["--out", "{}/grid.json"], "grid.json"),
        (["--out", "/proc/nowhere/x"], "/proc/nowhere"),
        (["--out", "{}/" + "x" * 300], "File name too long"),
    ],
)
def test_a_bad_call_is_one_line_and_runs_nothing(folder, capsys, options, says):
    write_grid(folder, x=2)
    assert sweep(folder, *(option.format(folder) for option in options)) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1
    assert ran(folder) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b'{"parameters": {"y": [1]}, "lesson": "LESSON"}',
         "lesson has no parameter 'y'; it has x=1, word='a', share=0.5"),
        (b'{"parameters": {"x": ["1"]}, "lesson": "LESSON"}', "x is '1'; lesson wants a whole"),
        (b"{}", "the grid is empty"),
        (b"gamma: [1, 2]", "the grid is no JSON"),
        (b"\xff\xfe\x00", "is no text"),
        (b'{"parameters": {"x": 1}, "lesson": "0"}', " lessons begin with '0'; a sweep is of one"),
        (b'{"parameters": {"x": 1}, "lesson": "99"}', "no lesson begins with '99'"),
        (b'{"parameters": {"x": 1}, "lesson": "no.ipynb"}', "No such file"),
        (b'{"parameters": {"x": 1}, "lesson": "grid.json.ipynb"}', "No such file"),
    ],
)  # fmt: skip
def test_a_bad_grid_is_one_line_and_runs_nothing(folder, capsys, text, says):
    path = folder / "grid.json"
    path.write_bytes(text.replace(b"LESSON", str(folder / "lesson.ipynb").encode()))
    assert sweep(folder) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1
    assert not (folder / "out").exists()


@pytest.mark.parametrize("path", ["/dev/zero", ".", "pipe", "nowhere.json"])
def test_a_grid_that_is_no_file_is_not_waited_for(tmp_path, monkeypatch, capsys, path):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    assert main(["sweep", path]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_table_has_a_line_a_point_also_while_nothing_is_done(tmp_path):
    rows = sweep_command.rows([POINT], {})
    assert rows[0]["state"] == "missing"
    sweep_command.write_table(tmp_path, rows)
    said = (tmp_path / "table.csv").read_text()
    assert said == "point,x,word,state,seconds,failure,notebook\nabc,2,a,missing,,,\n"


GRIDS = sorted((Path(__file__).parents[2] / "data" / "grids").glob("*.json"))


@pytest.mark.parametrize("path", GRIDS, ids=[path.stem for path in GRIDS])
def test_what_the_repository_has_are_grids(path, monkeypatch):
    monkeypatch.chdir(path.parents[2])
    grid = read_grid(path.read_text("utf-8"))
    lesson = sweep_command._lesson(grid.lesson)
    assert len(points(grid, read_lesson(lesson), lesson.stem, "")) > 1


def test_there_is_a_notebook_made_for_sweeps():
    """With each parameter that a sweep of decoders wants."""
    page = read_lesson(Path(__file__).parents[2] / "notebooks" / "experiment.ipynb")
    assert {"pair", "gamma", "temperature", "drafter", "prompts"} <= parameters(page).keys()
