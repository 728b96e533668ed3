"""The lint of lessons: a good lesson passes, and each single fault is found.

What can be repaired is repaired, and nothing else of the notebook is touched.
"""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from workshop.__main__ import main
from workshop.commands import lint as command
from workshop.notebooks.lint import problems
from workshop.notebooks.parts import FIX
from workshop.notebooks.repairs import COMPARED, METADATA, WIDGET_VIEW, repaired

OPENING = "# Add\n\n*Core path* · next: [02 b](02_b.ipynb)\n\n**Prerequisites:** none"
CLOSING = "## Summary\n* One."
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
        new_code_cell("ask('why')", metadata=tagged("quiz", "quiz-why")),
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
    """Return the good lesson's path, in a repository with one other lesson and a page."""
    folder, room = tmp_path / "notebooks", tmp_path / "course_utils" / "lessons" / "a"
    folder.mkdir()
    for name in ("02_b.ipynb", "guide.md"):
        (folder / name).touch()
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


ERROR = output("error", ename="ValueError", evalue="no", traceback=["no"])
AT_HOME = output("stream", name="stdout", text="in /home/me/course\n")
VIEW = output("display_data", data={WIDGET_VIEW: {"model_id": "1"}, "text/plain": "VBox()"})

# one fault -> the beginning of the only problem found, and its cell
BROKEN = {
    "no parameters": (put(2, "seed = 0", "print(1)"), "no cell sets parameters", None),
    "no solution": (put(10, "```python", "```"), "add has no folded solution", 10),
    "another solution": (put(10, "a + b", "b + a"), "the folded solution differs", 10),
    "other question": (put(4, "why", "when"), "`quiz-why` does not ask it", 4),
    "not run": (lambda n: n.cells[5].update(execution_count=None), "the counts of its", None),
    "traceback": (ERROR, "a traceback is stored, ValueError", 5),
    "path in output": (AT_HOME, "a path of somebody's machine, '/home/me", 5),
    "widget view": (VIEW, "a live widget is stored", 5),
    "cell metadata": (lambda n: n.cells[3].metadata.update(collapsed=True), "metadata besides", 3),
    "no id": (lambda n: n.cells[3].pop("id"), "no unique id", 3),
    "not on the path": (put(0, "*Core path* · ", ""), "it is not marked as core", 0),
    "dead link": (put(3, "02_b", "03_c"), "the link 03_c.ipynb#Why,-and-how leads", 3),
    "broken in a copy": (put(3, "02_b.ipynb#Why,-and-how", "guide.md"), "the link guide.md", 3),
}


@pytest.mark.parametrize("case", BROKEN)
def test_each_thing_done_wrong_is_found_alone_and_repaired_where_it_can_be(case, path):
    change, what, cell = BROKEN[case]
    notebook = good()
    change(notebook)
    before = nbformat.from_dict(notebook)
    (problem,) = problems(notebook, path)
    assert (problem.what[: len(what)], problem.cell) == (what, cell)
    after = repaired(notebook, path)
    assert notebook == before  # pure
    assert problems(after, path) == ([] if problem.to_do == FIX else [problem])
    assert repaired(after, path) == after
    assert problem.to_do == FIX or after == before


def test_the_command_reports_what_is_wrong_and_repairs_on_demand(path, monkeypatch, capsys):
    monkeypatch.setattr(command, "lesson_paths", lambda names=None: [path])
    notebook = good()
    notebook.cells[3].pop("id")
    path.write_text(json.dumps(notebook))
    before = path.read_bytes()
    assert main(["lint", "01"]) == 1
    assert "01_a:\n  cells[3]: no unique id: run `make fix`" in capsys.readouterr().out
    assert path.read_bytes() == before  # looked at, not touched
    assert main(["lint", "--fix"]) == 0
    assert "01_a: repaired" in capsys.readouterr().out
    assert main(["lint"]) == 0
