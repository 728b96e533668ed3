"""The students' copies: handed out, updated, and never overwritten."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_utils.__main__ import main
from course_utils.classroom import notebooks as lessons
from course_utils.classroom import progress
from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.commands import workbooks


def lesson(*sources, first=()):
    cells = [new_code_cell(source, id=f"cell-{at}") for at, source in enumerate(sources)]
    return nbformat.writes(new_notebook(cells=[*first, *cells])) + "\n"


def run(text):
    """Return a notebook as Jupyter saves it: outputs, counts, an empty cell at the end."""
    notebook = nbformat.reads(text, as_version=4)
    notebook.cells[0].outputs.append(new_output("stream", name="stdout", text="2"))
    notebook.cells[0].execution_count = 7
    notebook.cells.append(new_code_cell(""))
    return nbformat.writes(notebook)


OLD, TWO, THREE = lesson("1 + 1"), lesson("2 + 2"), lesson("3 + 3")
NO_WORK = {"untouched": OLD, "only run": run(OLD), "deleted": None}
WORK = {
    "changed": lesson("1 + 1", "mine"),
    "a note": lesson("1 + 1", first=[new_markdown_cell("ask about this")]),
}
DAMAGED = ["<<<<<<< HEAD\n", '{"nbformat": 4, "cells": [{}]}', b'{"cells": "\xff\xfe"}']
COPIES = NO_WORK | WORK | {f"damaged {i}": text for i, text in enumerate(DAMAGED)}


def put(path, text):
    """Write a file of this text or these bytes, or delete it."""
    path.unlink(missing_ok=True)
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def files(folder):
    """Return names and contents of all files that are not hidden."""
    return {p.name: p.read_bytes() for p in folder.glob("[!.]*") if p.is_file()}


@pytest.fixture
def originals(tmp_path, monkeypatch):
    (folder := tmp_path / "notebooks").mkdir()
    put(folder / "01_a.ipynb", OLD)
    put(folder / "02_b.ipynb", OLD)
    real = lessons.lesson_paths
    monkeypatch.setattr(workbooks, "lesson_paths", lambda: real(folder=folder))
    return folder


@pytest.fixture
def hand_out(originals, capsys):
    """Hand out again and return the output."""

    def again():
        assert main(["workbooks", "--folder", str(originals.parent / "my_lessons")]) == 0
        return capsys.readouterr()

    return again


@pytest.fixture
def copies(originals, hand_out):
    hand_out()
    return originals.parent / "my_lessons"


def test_copies_have_no_answers_a_record_begins_and_a_second_time_changes_nothing(
    originals, hand_out
):
    put(originals / "01_a.ipynb", run(OLD))
    before, mine = files(originals), originals.parent / "my_lessons"
    hand_out()
    assert (files(originals), sorted(files(mine))) == (before, [*before, progress.FILE])
    cell = nbformat.read(mine / "01_a.ipynb", 4).cells[0]
    assert (cell.outputs, cell.execution_count, progress.read(mine).done) == ([], None, {})
    progress.record("add", "passed", mine)
    before = files(mine)
    assert hand_out().err == ""
    assert files(mine) == before


@pytest.mark.parametrize("copy", COPIES)
def test_work_is_left_and_all_else_follows_the_lesson(originals, copies, hand_out, copy):
    mine, beside, two = (copies / f"{name}.ipynb" for name in ("01_a", "01_a.new", "01_a.new2"))
    put(mine, COPIES[copy])
    before, work = files(copies), copy not in NO_WORK
    assert ("01_a.ipynb" in hand_out().err) == copy.startswith("damaged")
    assert (mine.read_text() == OLD) if copy == "deleted" else (files(copies) == before)
    put(originals / "01_a.ipynb", TWO)
    assert ("01_a.new.ipynb" in hand_out().err) == work
    if not work:
        assert (mine.read_text(), beside.exists()) == (TWO, False)
        return
    assert files(copies) == before | {beside.name: TWO.encode()}
    assert ".new" not in hand_out().err  # reported once
    put(originals / "01_a.ipynb", THREE)
    hand_out()
    assert beside.read_text() == THREE  # nobody had changed it
    put(beside, lesson("mine, too"))
    put(originals / "01_a.ipynb", lesson("4 + 4"))
    assert "01_a.new2.ipynb" in hand_out().err
    assert (beside.read_text(), two.read_text()) == (lesson("mine, too"), lesson("4 + 4"))


@pytest.mark.parametrize("text", ["", '{"01_a.ipynb": 3}'])
def test_damaged_records_and_originals_cost_no_work(originals, copies, hand_out, text):
    put(copies / "01_a.ipynb", WORK["changed"])
    put(copies / ".issued.json", text)
    before = files(copies)
    assert ".issued.json" in hand_out().err
    assert before.items() <= files(copies).items()  # the lesson is placed beside it
    assert hand_out().err == ""
    put(originals / "01_a.ipynb", text)
    put(originals / "02_b.ipynb", TWO)
    assert "notebooks/01_a.ipynb" in hand_out().err
    assert (before | {"02_b.ipynb": TWO.encode()}).items() <= files(copies).items()


def test_the_originals_are_no_copies():
    assert main(["workbooks", "--folder", str(NOTEBOOKS)]) == 2
