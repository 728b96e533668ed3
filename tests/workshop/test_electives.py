"""Electives: found behind the lessons, held to the same form, with links that lead a folder up."""

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from course_utils.__main__ import main
from course_utils.classroom import progress
from course_utils.classroom.notebooks import beneath, lesson_paths, room, trunk
from course_utils.commands import progress as progress_command
from course_utils.commands import workbooks
from tests.workshop.test_lint import good
from workshop.notebooks.core_path import TO_THE_OTHERS, neighbours
from workshop.notebooks.lint import problems
from workshop.notebooks.repairs import repaired

MARK = "*Elective* · after: [02 b](../02_b.ipynb)"


@pytest.fixture
def path(tmp_path):
    """A repository with one numbered lesson and, not yet written, one elective."""
    folder = tmp_path / "notebooks"
    (folder / "electives").mkdir(parents=True)
    page = new_notebook(cells=[new_markdown_cell("# B\n\n*Core path*\n\n## Why, and how")])
    nbformat.write(page, folder / "02_b.ipynb")
    (tmp_path / "README.md").write_text("# Course\n\n## Electives\n")
    (tmp_path / "GLOSSARY.md").write_text('| <a id="sum"></a>sum | 和 | ... |\n')
    (folder / "guide.md").write_text("# Guide\n\n## Sums\n")
    return folder / "electives" / "one.ipynb"


def elective(mark=MARK):
    notebook = good()
    core = "*Core path* · next: [02 b](02_b.ipynb)"
    for cell in notebook.cells:
        cell.source = cell.source.replace(core, mark).replace("(../GLOSSARY", "(../../GLOSSARY")
        cell.source = cell.source.replace("(02_b.ipynb#", "(../02_b.ipynb#")
    last = notebook.cells[-1]
    last.source = last.source.replace("next: [02 b](02_b.ipynb)", TO_THE_OTHERS)
    return notebook


def test_they_come_behind_the_lessons_and_have_a_room_and_a_place(path):
    nbformat.write(elective(), path)
    folder = path.parents[1]
    assert [p.name for p in lesson_paths(folder=folder)] == ["02_b.ipynb", "one.ipynb"]
    assert lesson_paths(["one"], folder) == [path]
    assert trunk(path) == trunk(folder / "02_b.ipynb") == folder
    assert beneath(path).as_posix() == "electives/one.ipynb"
    assert room(path) == "course_utils.lessons.one"
    assert neighbours(folder / "02_b.ipynb") == {}


def test_a_good_elective_has_no_problem_and_needs_no_repair(path):
    notebook = elective()
    nbformat.write(notebook, path)
    assert problems(notebook, path) == []
    assert repaired(notebook, path) == notebook


@pytest.mark.parametrize(
    "mark", ["*Core path*", "*Elective*", "*Elective* · next: [02 b](../02_b.ipynb)"]
)
def test_it_says_that_it_is_one_and_after_which_lesson(path, mark):
    assert "comes after a lesson" in str([p.what for p in problems(elective(mark), path)])


def test_a_lesson_is_none(path):
    found = problems(elective(), path.parents[1] / "03_c.ipynb")
    assert "it is not marked as on the core path or beside it" in [p.what for p in found]


def test_copies_lie_in_a_folder_of_their_own_and_count(path, monkeypatch, capsys):
    nbformat.write(elective(), path)
    folder, mine = path.parents[1], path.parents[2] / "my_lessons"
    for command in (workbooks, progress_command):
        monkeypatch.setattr(command, "lesson_paths", lambda: lesson_paths(folder=folder))
    assert main(["workbooks", "--folder", str(mine)]) == 0
    copy = mine / "electives" / "one.ipynb"
    assert copy.exists()
    assert "electives/one.ipynb" in (mine / workbooks.ISSUED).read_text()
    copy.write_text(copy.read_text().replace("Do it.", "Do it, she said."))
    assert main(["workbooks", "--folder", str(mine)]) == 0
    assert "she said" in copy.read_text()
    assert "1 with your changes, left alone" in capsys.readouterr().out
    monkeypatch.chdir(copy.parent)
    progress.record("add", "passed", progress._here())
    assert main(["progress", "--folder", str(mine)]) == 0
    said = capsys.readouterr().out
    assert "electives/one  ● ○ ○" in said
    assert "  elective\n" in said
    assert "in my_lessons/electives/one.ipynb" in said
