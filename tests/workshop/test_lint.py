"""The lint of lessons: a good lesson passes, and each thing done wrong is found, alone.

What can be repaired is repaired, and nothing else of the notebook is touched.
"""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_utils.classroom import notebooks as lessons
from course_utils.classroom.scene import MIME
from workshop.__main__ import main
from workshop.commands import lint as command
from workshop.notebooks.core_path import AFTERWARDS, TO_THE_OTHERS
from workshop.notebooks.links import links, slug
from workshop.notebooks.lint import problems
from workshop.notebooks.parts import FIX
from workshop.notebooks.repairs import COMPARED, METADATA, WIDGET_VIEW, repaired

OPENING = "# Add\n\n*Core path* · next: [02 b](02_b.ipynb)\n\n**Prerequisites:** none"
CLOSING = "## Summary\n* One.\n\nnext: [02 b](02_b.ipynb)"
CHECKS = '''
def total(a: int, b: int) -> int:
    """Add whole numbers."""
    return a + b


check_add = Exercise("add", cases=[(1, 2)], solution=total)
'''
HINTS = "\n".join(f"<details><summary>Hint {n}</summary>\n\nCount.\n</details>" for n in (1, 2))


def tagged(*tags):
    return {"tags": list(tags)}


def exercise(number, name):
    answer = new_output("execute_result", {"text/plain": f"○ {name}: not attempted."})
    stub = f'def {name}(a, b):\n    """1, 2 -> 3"""\n    '
    fence = f"```python\n{stub}return a + b\n```"
    solution = f"<details><summary>Solution</summary>\n\n{fence}\n</details>"
    return [
        new_markdown_cell(f"### Exercise {number}: {name.title()}\n\nDo it."),
        new_code_cell(f"{stub}...", metadata=tagged(f"exercise-{name}")),
        new_code_cell(f"checks.check_{name}({name})", outputs=[answer], metadata=tagged(COMPARED)),
        new_markdown_cell(HINTS),
        new_markdown_cell(solution, metadata=tagged(f"solution-{name}")),
    ]


def good():
    """The smallest lesson without a problem."""
    cells = [
        new_markdown_cell(OPENING),
        new_code_cell("import math"),
        new_code_cell("seed = 0  # of all", metadata=tagged("parameters")),
        new_markdown_cell("## Sums\n\nSee [it](02_b.ipynb#Why,-and-how) and [here](#sums)."),
        new_code_cell("ask(quiz.WHY)", metadata=tagged("quiz", "quiz-why")),
        new_code_cell("print(2)", outputs=[new_output("stream", name="stdout", text="2\n")]),
        *exercise(1, "add"),
        *exercise(2, "take"),
        new_markdown_cell(CLOSING),
    ]
    for count, cell in enumerate((c for c in cells if c.cell_type == "code"), 1):
        cell.execution_count = count
    metadata = METADATA | {"course": {"seconds_to_run": 20}}
    return nbformat.from_dict(new_notebook(cells=cells, metadata=metadata))


@pytest.fixture
def path(tmp_path):
    """Where the good lesson lies: in a repository with one other lesson and two pages."""
    folder, room = tmp_path / "notebooks", tmp_path / "course_utils" / "lessons" / "a"
    folder.mkdir()
    other = new_notebook(cells=[new_markdown_cell("# B\n\n*Core path*\n\n## Why, and how")])
    nbformat.write(other, folder / "02_b.ipynb")
    (folder / "guide.md").write_text("# Guide\n")
    row = "| [01 a](notebooks/01_a.ipynb) | core path | 5 |\n"
    (tmp_path / "README.md").write_text(f"# Course\n\n## What to do next\n\n## Electives\n{row}")
    room.mkdir(parents=True)
    (room / "checks.py").write_text(CHECKS)
    return folder / "01_a.ipynb"


def test_a_good_lesson_has_no_problem(path):
    assert problems(good(), path) == []


def put(at, old, new):
    def change(notebook):
        assert old in notebook.cells[at].source
        notebook.cells[at].source = notebook.cells[at].source.replace(old, new)

    return change


def output(kind, **content):
    return lambda notebook: notebook.cells[5].outputs.append(new_output(kind, **content))


STDERR = output("stream", name="stderr", text="UserWarning: no")
ERROR = output("error", ename="ValueError", evalue="no", traceback=["no"])
AT_HOME = output("stream", name="stdout", text="in /home/me/course\n")
SCENE = output("display_data", data={MIME: {"scene": "quiz"}, "text/plain": "[scene]"})
VIEW = output("display_data", data={WIDGET_VIEW: {"model_id": "1"}, "text/plain": "VBox()"})
HIDDEN = {"jupyter": {"source_hidden": True}}

# one thing done wrong -> the beginning of the one problem that is found, and its cell
BROKEN = {
    "no parameters": (put(2, "seed = 0", "print(1)"), "no cell sets parameters", None),
    "no stub": (put(7, "...", "return a + b"), "the stub of add leaves no `...`", 7),
    "no check": (put(8, "checks.check_add(add)", "print(2)"), "add is not checked", 8),
    "one hint": (put(9, "Hint 2", "Note"), "add has not two folded hints", 9),
    "no solution": (put(10, "```python", "```"), "add has no folded solution", 10),
    "another solution": (put(10, "a + b", "b + a"), "the folded solution is not `solution`", 10),
    "given away": (
        lambda n: n.cells[8].outputs[0].data.update({"text/plain": "✓ add: passed."}),
        "the stored answer to add is not 'not attempted'",
        8,
    ),
    "other question": (put(4, "WHY", "WHEN"), "`quiz-why` does not ask it", 4),
    "same name": (
        lambda n: n.cells[4].update(source="ask(quiz.TAKE)", metadata=tagged("quiz-take")),
        "the course has 2 exercises or questions named take",
        4,
    ),
    "not run": (lambda n: n.cells[5].update(execution_count=None), "the counts of its", None),
    "stderr": (STDERR, "a complaint is stored, 'UserWarning", 5),
    "traceback": (ERROR, "a traceback is stored, ValueError", 5),
    "path in output": (AT_HOME, "a path of somebody's machine, '/home/me", 5),
    "scene without a picture": (SCENE, "a scene without a picture", 5),
    "widget view": (VIEW, "a live widget is stored", 5),
    "widget state": (lambda n: n.metadata.update(widgets={}), "the notebook's metadata", None),
    "cell metadata": (lambda n: n.cells[3].metadata.update(collapsed=True), "metadata besides", 3),
    "folded code": (lambda n: n.cells[5].metadata.update(HIDDEN), "metadata besides tags", 5),
    "code shown": (put(5, "print(2)", "Source(math.sqrt)"), "metadata besides tags, or code", 5),
    "no id": (lambda n: n.cells[3].pop("id"), "no id of its own", 3),
    "one output compared": (
        lambda n: n.cells[8].metadata.pop("tags"),
        "nbval compares 1 of its outputs; a lesson has at least 2",
        None,
    ),
    "no way on": (put(-1, "\n\nnext: [02 b](02_b.ipynb)", ""), "not the links to the", 16),
    "links elsewhere": (put(0, "next: [02 b]", "previous: [02 b]"), "not the links to the", 0),
    "not on the path": (put(0, "*Core path* · ", ""), "it is not marked as on the core", 0),
    "dead link": (put(3, "02_b", "03_c"), "the link 03_c.ipynb#Why,-and-how leads", 3),
    "dead anchor": (put(3, "Why,", "Where,"), "02_b.ipynb has no heading", 3),
    "broken in a copy": (put(3, "02_b.ipynb#Why,-and-how", "guide.md"), "the link guide.md", 3),
}


@pytest.mark.parametrize("case", BROKEN)
def test_each_thing_done_wrong_is_found_alone_and_repaired_where_it_can_be(case, path):
    change, what, cell = BROKEN[case]
    notebook = good()
    change(notebook)
    before = nbformat.from_dict(notebook)
    (found,) = problems(notebook, path)
    assert (found.what[: len(what)], found.cell) == (what, cell)
    after = repaired(notebook, path)
    assert notebook == before  # pure
    assert problems(after, path) == ([] if found.to_do == FIX else [found])
    assert repaired(after, path) == after
    assert found.to_do == FIX or after == before


def test_no_notebook_makes_a_rule_raise(path):
    assert problems(nbformat.from_dict(new_notebook()), path)
    for at in range(len(good().cells)):
        shorter, foreign = good(), good()
        del shorter.cells[at:]
        foreign.cells[at].source = "def f(:"
        for notebook in (shorter, foreign):
            assert isinstance(problems(notebook, path), list)


def test_an_elective_comes_after_a_lesson_and_leads_to_the_others(path):
    notebook = good()
    for cell in notebook.cells:
        cell.source = cell.source.replace("(02_b.ipynb", "(../02_b.ipynb")
    notebook.cells[-1].source = CLOSING.replace("next: [02 b](02_b.ipynb)", TO_THE_OTHERS)
    place = path.parent / "electives" / "a.ipynb"
    place.parent.mkdir()
    (found,) = problems(notebook, place)
    assert found.what == "it is not marked as an elective that comes after a lesson"
    put(0, "*Core path* · next", "*Elective* · after")(notebook)
    assert problems(notebook, place) == []


def test_links_in_code_are_none_and_both_forms_of_an_anchor_are_one():
    text = '[a](b.md "t") `[c](d)` ![e](../f.png) <a href="g.md">\n```\n[h](i)\n```\n[j](mailto:k)'
    assert links(text) == ["b.md", "../f.png", "g.md"]
    assert slug("Why,-and-how") == slug("Why, and how") == "why-and-how"


@pytest.fixture
def course(path, monkeypatch):
    """The good lesson as the whole course."""
    real = lessons.lesson_paths
    monkeypatch.setattr(command, "lesson_paths", lambda names=None: real(names, path.parent))
    (path.parent / "02_b.ipynb").unlink()
    notebook = good()
    notebook.cells[3].source = "## Sums"
    notebook.cells[0].source = OPENING.replace(" · next: [02 b](02_b.ipynb)", "")
    notebook.cells[-1].source = CLOSING.replace("next: [02 b](02_b.ipynb)", AFTERWARDS)
    lessons.write_lesson(path, notebook)
    return path


def test_the_command_reports_what_is_wrong_and_repairs_on_demand(course, capsys):
    assert main(["lint"]) == 0
    raw = json.loads(course.read_text())
    del raw["cells"][3]["id"]
    raw["cells"][5]["metadata"]["scrolled"] = True
    course.write_text(json.dumps(raw))
    assert main(["lint", "01"]) == 1
    assert "01_a:\n  cells[3]: no id of its own: run `make fix`" in capsys.readouterr().out
    assert json.loads(course.read_text()) == raw  # looked at, not touched
    assert main(["lint", "--fix"]) == 0
    assert "01_a: repaired" in capsys.readouterr().out
    stored = course.stat().st_mtime_ns
    assert main(["lint", "--fix"]) == 0
    assert course.stat().st_mtime_ns == stored  # nothing to repair, nothing written


def test_a_damaged_lesson_is_an_error_and_is_left_alone(course, capsys):
    for text in ("<<<<<<< HEAD", "[]", '{"nbformat": 4, "cells": [1]}', '{"nbformat": 3}'):
        course.write_text(text)
        assert main(["lint", "--fix"]) == 2
        assert "01_a.ipynb is damaged" in capsys.readouterr().err
        assert course.read_text() == text
