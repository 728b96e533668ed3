"""The students' copies: handed out, brought up to date, and never overwritten."""

import json
import os
import subprocess
from threading import Barrier, Thread

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_utils.__main__ import main
from course_utils.classroom import notebooks as lessons
from course_utils.classroom import progress
from course_utils.classroom.notebooks import MOVED, NOTEBOOKS, where
from course_utils.commands import workbooks
from workshop import __main__ as authors


def lesson(*sources):
    """The text of a notebook with these cells."""
    cells = [new_code_cell(source, id=f"cell-{at}") for at, source in enumerate(sources)]
    return nbformat.writes(new_notebook(cells=cells)) + "\n"


@pytest.fixture
def originals(tmp_path, monkeypatch):
    """A course of two lessons, notebooks/; the copies go to my_lessons/ beside it."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    for name in ("01_a", "02_b"):
        (folder / f"{name}.ipynb").write_text(lesson("1 + 1"))
    real = lessons.lesson_paths
    monkeypatch.setattr(workbooks, "lesson_paths", lambda: real(folder=folder))
    return folder


@pytest.fixture
def copies(originals):
    """Handed out once."""
    folder = originals.parent / "my_lessons"
    assert main(["workbooks", "--folder", str(folder)]) == 0
    return folder


def hand_out(copies, capsys):
    capsys.readouterr()
    assert main(["workbooks", "--folder", str(copies)]) == 0
    return capsys.readouterr()


def files(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_the_copies_show_no_answers_and_the_originals_keep_theirs(originals):
    shown = nbformat.reads(lesson("1 + 1"), as_version=4)
    shown.cells[0].outputs.append(new_output("stream", name="stdout", text="2"))
    shown.cells[0].execution_count = 1
    (originals / "01_a.ipynb").write_text(nbformat.writes(shown))
    folder = originals.parent / "my_lessons"
    assert main(["workbooks", "--folder", str(folder)]) == 0
    copied, original = (nbformat.read(f / "01_a.ipynb", 4).cells[0] for f in (folder, originals))
    assert (copied.outputs, copied.execution_count) == ([], None)
    assert original.outputs[0].text == "2"


def test_the_first_time_everything_is_copied_and_the_record_begins(originals, copies):
    assert (copies / "01_a.ipynb").read_text() == (originals / "01_a.ipynb").read_text()
    seen = [name for name in sorted(files(copies)) if not name.startswith(".")]
    assert seen == ["01_a.ipynb", "02_b.ipynb", progress.FILE]
    assert progress.recorded(copies) == {}


def test_a_second_time_changes_nothing(originals, copies, capsys):
    progress.record("add", "passed", copies)
    before = files(copies)
    assert hand_out(copies, capsys).out == "my_lessons: 2 as handed out\n"
    assert files(copies) == before


def test_an_untouched_copy_follows_the_lesson(originals, copies, capsys):
    (originals / "01_a.ipynb").write_text(lesson("2 + 2"))
    assert hand_out(copies, capsys).out == "my_lessons: 1 brought up to date, 1 as handed out\n"
    assert files(copies)["01_a.ipynb"] == lesson("2 + 2")
    (originals / "01_a.ipynb").write_text(lesson("1 + 1"))  # and back
    hand_out(copies, capsys)
    assert files(copies)["01_a.ipynb"] == files(originals)["01_a.ipynb"]


def test_a_copy_that_was_only_run_is_untouched(originals, copies, capsys):
    run = nbformat.read(copies / "01_a.ipynb", as_version=4)
    run.cells[0].outputs.append(new_output("stream", name="stdout", text="2"))
    run.cells[0].execution_count = 7
    run.cells.append(new_code_cell(""))  # Jupyter adds one under the last
    run.metadata["language_info"] = {"name": "python"}
    nbformat.write(run, copies / "01_a.ipynb")
    before = files(copies)
    hand_out(copies, capsys)
    assert files(copies) == before  # the outputs are the student's
    (originals / "01_a.ipynb").write_text(lesson("2 + 2"))
    hand_out(copies, capsys)
    assert files(copies)["01_a.ipynb"] == files(originals)["01_a.ipynb"]


def test_the_students_work_is_left(originals, copies, capsys):
    (copies / "01_a.ipynb").write_text(lesson("1 + 1", "mine"))
    before = files(copies)
    assert "1 with your changes, left alone" in hand_out(copies, capsys).out
    assert files(copies) == before


def test_a_note_in_markdown_is_work_too(originals, copies, capsys):
    notebook = nbformat.read(copies / "01_a.ipynb", as_version=4)
    notebook.cells.insert(0, new_markdown_cell("ask about this"))
    nbformat.write(notebook, copies / "01_a.ipynb")
    (originals / "01_a.ipynb").write_text(lesson("2 + 2"))
    hand_out(copies, capsys)
    assert "ask about this" in files(copies)["01_a.ipynb"]


def test_where_both_changed_the_new_lesson_is_put_beside_and_said_once(originals, copies, capsys):
    mine = lesson("mine")
    (copies / "01_a.ipynb").write_text(mine)
    (originals / "01_a.ipynb").write_text(lesson("2 + 2"))
    said = hand_out(copies, capsys)
    assert "1 with your changes, the new version beside" in said.out
    assert "01_a.ipynb: there is a new version. Yours was left alone; 01_a.new.ipynb is" in said.err
    assert files(copies)["01_a.ipynb"] == mine
    assert files(copies)["01_a.new.ipynb"] == files(originals)["01_a.ipynb"]
    (copies / "01_a.new.ipynb").unlink()  # the student has seen it
    assert hand_out(copies, capsys).err == ""
    assert "01_a.new.ipynb" not in files(copies)


def test_what_lies_beside_is_overwritten_only_if_untouched(originals, copies, capsys):
    (copies / "01_a.ipynb").write_text(lesson("mine"))
    for source in ("2 + 2", "3 + 3"):
        (originals / "01_a.ipynb").write_text(lesson(source))
        hand_out(copies, capsys)
        assert files(copies)["01_a.new.ipynb"] == files(originals)["01_a.ipynb"]
    (copies / "01_a.new.ipynb").write_text(lesson("mine, too"))
    (originals / "01_a.ipynb").write_text(lesson("4 + 4"))
    assert "01_a.new2.ipynb is the new one" in hand_out(copies, capsys).err
    assert files(copies)["01_a.new.ipynb"] == lesson("mine, too")
    assert files(copies)["01_a.new2.ipynb"] == files(originals)["01_a.ipynb"]


def test_who_took_the_new_version_is_up_to_date_again(originals, copies, capsys):
    (copies / "01_a.ipynb").write_text(lesson("mine"))
    (originals / "01_a.ipynb").write_text(lesson("2 + 2"))
    hand_out(copies, capsys)
    (copies / "01_a.new.ipynb").replace(copies / "01_a.ipynb")
    assert hand_out(copies, capsys).out == "my_lessons: 2 as handed out\n"


def one_cell(**parts):
    """A notebook whose only cell has these parts."""
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": ""} | parts
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]})


DAMAGED = [
    "",
    "<<<<<<< HEAD\n",
    "[]",
    '{"nbformat": 4, "cells": [{}]}',
    '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": null}',
    '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [null]}',
    "[" * 100_000,
    one_cell(source=None),
    one_cell(source=3),
    one_cell(source=[None]),
    one_cell(metadata=None),
    one_cell(metadata={"tags": None}),
    one_cell(cell_type=None),
    one_cell(outputs=None),
    one_cell(outputs=[{}]),
    one_cell(metadata={"deep": json.loads("[" * 900 + "]" * 900)}),
]
LEFT_ALONE = "my_lessons/01_a.ipynb cannot be read as a notebook and was left alone"


@pytest.mark.parametrize("text", DAMAGED, ids=range(len(DAMAGED)))
def test_an_unreadable_copy_is_left_alone_and_said(originals, copies, capsys, text):
    (copies / "01_a.ipynb").write_text(text)
    said = hand_out(copies, capsys)
    assert LEFT_ALONE in said.err
    assert "1 as handed out" in said.out
    for name in ("01_a", "02_b"):
        (originals / f"{name}.ipynb").write_text(lesson("2 + 2"))
    hand_out(copies, capsys)
    assert files(copies)["01_a.ipynb"] == text
    for name in ("01_a.new", "02_b"):
        assert files(copies)[f"{name}.ipynb"] == lesson("2 + 2")


def no_text(path):
    path.write_bytes(b'{"cells": "\xff\xfe"}')


def a_folder(path):
    path.mkdir()


def not_to_be_opened(path):
    path.symlink_to(path)


@pytest.mark.parametrize("instead", [no_text, a_folder, not_to_be_opened])
def test_what_is_no_file_of_text_is_left_alone_in_either_folder(originals, copies, capsys, instead):
    (originals / "02_b.ipynb").write_text(lesson("2 + 2"))
    (copies / "01_a.ipynb").unlink()
    instead(copies / "01_a.ipynb")
    assert LEFT_ALONE in hand_out(copies, capsys).err
    assert (copies / "02_b.ipynb").read_text() == lesson("2 + 2")
    (originals / "02_b.ipynb").unlink()
    instead(originals / "02_b.ipynb")
    assert "notebooks/02_b.ipynb" in hand_out(copies, capsys).err
    assert (copies / "02_b.ipynb").read_text() == lesson("2 + 2")


def test_many_at_once_hand_out_everything_once(originals, capsys):
    for number in range(10, 40):
        (originals / f"{number}_x.ipynb").write_text(lesson(f"{number}"))
    folder, statuses = originals.parent / "my_lessons", []
    everybody_is_here = Barrier(6)

    def hand_out():
        everybody_is_here.wait()
        statuses.append(main(["workbooks", "--folder", str(folder)]))

    threads = [Thread(target=hand_out) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [0] * 6
    said = capsys.readouterr()
    assert said.err == ""
    assert sorted(said.out.splitlines()) == (
        ["my_lessons: 32 as handed out"] * 5 + ["my_lessons: 32 newly copied"]
    )
    assert not [name for name in files(folder) if name.endswith(".part")]


def test_what_a_killed_one_left_behind_is_taken_away(copies, capsys):
    for name in (".01_a.ipynb.0a1b2c3d.part", ".issued.json.0a1b2c3d.part"):
        (copies / name).write_text("half")
    (copies / "mine.part").write_text("the student's")
    assert hand_out(copies, capsys).out == "my_lessons: 2 as handed out\n"
    assert [name for name in files(copies) if name.endswith(".part")] == ["mine.part"]


def test_a_damaged_record_is_said_and_one_that_cannot_be_used_too(copies, capsys):
    (copies / progress.FILE).write_text("[")
    assert "my_lessons/progress.json was damaged" in hand_out(copies, capsys).err
    (copies / progress.FILE).unlink()
    (copies / f".{progress.FILE}.lock").unlink()
    (copies / f".{progress.FILE}.lock").mkdir()
    assert "my_lessons/progress.json: Is a directory" in hand_out(copies, capsys).err


@pytest.mark.parametrize("text", ["", "[", "[]", '{"01_a.ipynb": 3}', "\x00"])
def test_a_damaged_memory_overwrites_no_work(originals, copies, capsys, text):
    (copies / "01_a.ipynb").write_text(lesson("mine"))
    mine = files(copies)["01_a.ipynb"]
    (copies / ".issued.json").write_text(text)
    said = hand_out(copies, capsys).err
    assert "my_lessons/.issued.json was damaged and is begun anew" in said
    assert files(copies)["01_a.ipynb"] == mine
    assert json.loads(files(copies)[".issued.json"])["02_b.ipynb"]
    assert hand_out(copies, capsys).err == ""


def test_a_damaged_original_is_said_and_the_others_go_on(originals, copies, capsys):
    (originals / "01_a.ipynb").write_text("<<<<<<< HEAD\n")
    (originals / "02_b.ipynb").write_text(lesson("2 + 2"))
    before = files(copies)["01_a.ipynb"]
    assert "notebooks/01_a.ipynb is damaged" in hand_out(copies, capsys).err
    assert files(copies)["01_a.ipynb"] == before
    assert files(copies)["02_b.ipynb"] == files(originals)["02_b.ipynb"]


OLD = ("03_acceptance_rule", "04_speedup_theory")
TODAY = {"03_acceptance_rule", "04_exact_proof", "05_verification_rules", "06_speedup_theory"}


@pytest.fixture
def renumbered(originals, copies, capsys):
    """Two old lessons were handed out; then one got another number and one became three."""
    for name in OLD:
        (originals / f"{name}.ipynb").write_text(lesson("old", name))
    hand_out(copies, capsys)
    (originals / "04_speedup_theory.ipynb").unlink()
    for name in TODAY:
        (originals / f"{name}.ipynb").write_text(lesson("new", name))
    return copies


def notebooks(folder):
    return {name.removesuffix(".ipynb") for name in files(folder) if name[0].isdigit()} - {
        "01_a",
        "02_b",
    }


def test_an_untouched_copy_goes_where_its_lesson_went(originals, renumbered, capsys):
    said = hand_out(renumbered, capsys)
    assert notebooks(renumbered) == TODAY
    for name in TODAY:
        assert files(renumbered)[f"{name}.ipynb"] == files(originals)[f"{name}.ipynb"]
    assert said.err.splitlines() == [
        "  04_speedup_theory.ipynb is 06_speedup_theory.ipynb now. Yours had no changes and was "
        "taken away."
    ]
    assert hand_out(renumbered, capsys).err == ""


def test_work_under_an_old_number_stays_and_is_pointed_at(originals, renumbered, capsys):
    mine = {f"{name}.ipynb": lesson("mine", name) for name in OLD}
    mine["04_speedup_theory.new.ipynb"] = lesson("mine, too")
    mine["04_speedup_theory-Copy1.ipynb"] = lesson("old", "04_speedup_theory")
    for name, text in mine.items():
        (renumbered / name).write_text(text)
    said = hand_out(renumbered, capsys).err
    assert mine.items() <= files(renumbered).items()
    assert notebooks(renumbered) == {
        *TODAY, "03_acceptance_rule.new",
        *(name.removesuffix(".ipynb") for name in mine),
    }  # fmt: skip
    for name in ("04_speedup_theory.ipynb", "04_speedup_theory.new.ipynb"):
        assert f"{name} is 06_speedup_theory.ipynb now. Yours has changes and was left" in said
    assert "Copy1" not in said
    assert "03_acceptance_rule.new.ipynb is the new one. A part of what you have is in " in said
    assert "04_exact_proof.ipynb and 05_verification_rules.ipynb now." in said


def test_no_copy_goes_before_its_lesson_lies_there(originals, renumbered, capsys):
    (originals / "06_speedup_theory.ipynb").write_text("<<<<<<< HEAD\n")
    said = hand_out(renumbered, capsys).err
    assert "06_speedup_theory.ipynb is damaged" in said
    assert files(renumbered)["04_speedup_theory.ipynb"] == lesson("old", "04_speedup_theory")
    assert "taken away" not in said


def test_where_nobody_knows_what_was_handed_out_no_copy_goes(renumbered, capsys):
    (renumbered / ".issued.json").unlink()
    hand_out(renumbered, capsys)
    assert files(renumbered)["04_speedup_theory.ipynb"] == lesson("old", "04_speedup_theory")


def test_lessons_that_moved_are_found_by_their_old_names(capsys):
    for old, (today, *_) in MOVED.items():
        assert (NOTEBOOKS / f"{today}.ipynb").exists(), today
        if old != today:
            assert main(["course", old]) == 2
            assert f"no lesson begins with '{old}'; {old} is {today} now" in capsys.readouterr().err
    assert authors.main(["lint", "11_q"]) == 2
    assert "11_qwen3_speculative_decoder is 13_qwen3_spec" in capsys.readouterr().err
    assert where("99") == where("") == ""


def test_an_old_copy_that_is_run_is_told_what_to_do():
    first = "from course_utils.classroom.checks.lesson_04 import check_best_gamma"
    with pytest.raises(ImportError, match="run `make lab` again") as raised:
        exec(first)
    assert not isinstance(raised.value, ModuleNotFoundError)
    for old, today in MOVED.items():
        numbers = [name[:2] for name in today]
        became = ", ".join(numbers[:-1]) + " and " * (len(numbers) > 1) + numbers[-1]
        assert f"{old[:2]} became {became}" in str(raised.value)


def test_the_originals_are_no_copies(capsys):
    assert main(["workbooks", "--folder", str(NOTEBOOKS)]) == 2
    assert "holds the originals" in capsys.readouterr().err


def make(*arguments):
    """What `make` would run."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    command = ["make", "--dry-run", *arguments]
    return subprocess.check_output(command, cwd=NOTEBOOKS.parent, env=environment, text=True)


def test_make_names_the_folder_of_the_copies_and_never_cleans_it():
    assert "lab --folder my_lessons" in make("lab")
    assert "lab --folder notebooks" in make("lab", "FOLDER=notebooks")
    assert "my_lessons" not in make("clean")
    assert "my_lessons/" in (NOTEBOOKS.parent / ".gitignore").read_text().split()


def test_copies_of_lessons_that_are_gone_are_left_and_named_in_one_sentence(
    originals, copies, capsys
):
    """With changes and without; a lesson whose copy the student deleted is not named."""
    electives = originals / "electives"
    electives.mkdir()
    for name in ("kept", "lost", "mine", "deleted"):
        (electives / f"{name}.ipynb").write_text(lesson(name))
    hand_out(copies, capsys)
    (copies / "electives" / "mine.ipynb").write_text(lesson("my work"))
    (copies / "electives" / "deleted.ipynb").unlink()
    (copies / "electives" / "own.ipynb").write_text(lesson("never handed out"))
    for name in ("lost", "mine", "deleted"):
        (electives / f"{name}.ipynb").unlink()
    before = files(copies / "electives")
    for _ in range(2):  # on every call, not once
        said = hand_out(copies, capsys).err
        assert said.count("No longer part of the course") == 1
        assert "course: electives/lost.ipynb, electives/mine.ipynb. Your copies were left" in said
        assert files(copies / "electives") == before


def test_the_electives_that_issue_40_deleted_are_named_for_who_has_them(tmp_path, capsys):
    """In the real course, by what was handed out before."""
    folder = tmp_path / "my_lessons"
    assert main(["workbooks", "--folder", str(folder)]) == 0
    capsys.readouterr()
    copy = folder / "electives" / "silent_heads.ipynb"
    copy.write_text(lesson("my oracle"))
    issued = json.loads((folder / workbooks.ISSUED).read_text())
    issued["electives/silent_heads.ipynb"] = ["0123456789abcdef"]
    (folder / workbooks.ISSUED).write_text(json.dumps(issued))
    assert main(["workbooks", "--folder", str(folder)]) == 0
    assert "No longer part of the course: electives/silent_heads.ipynb." in capsys.readouterr().err
    assert copy.read_text() == lesson("my oracle")
