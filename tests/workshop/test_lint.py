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
from workshop.notebooks.core_path import AFTERWARDS
from workshop.notebooks.links import links, slug
from workshop.notebooks.lint import RULES, RULES_OF_PLACE, as_text, problems, summary
from workshop.notebooks.parts import FIX
from workshop.notebooks.repairs import COMPARED, METADATA, WIDGET_VIEW, repaired

OPENING = """# Add and subtract

*Core path* · next: [02 b](02_b.ipynb)

**Prerequisites:** none"""
CLOSING = """## Summary
* One.

next: [02 b](02_b.ipynb)"""
CHECKS = '''from math import dist

COUNTS = 1, 2

def total(a: int, b: int) -> int:
    """Of both.

    Whole numbers.
    """
    return a + b


def without_a_word(a, b):
    # a comment

    return b + a


check_add = Exercise("add", cases=[COUNTS], right=RIGHT)
'''
HINTS = "\n".join(f"<details><summary>Hint {n}</summary>\n\nCount.\n</details>" for n in (1, 2))


def exercise(number, name):
    said = new_output("execute_result", {"text/plain": f"○ {name}: not attempted."})
    stub = f'def {name}(a, b):\n    """1, 2 -> 3"""\n    '
    fence = f"```python\n{stub}return a + b\n```"
    solution = f"<details><summary>Solution</summary>\n\n{fence}\n</details>"
    return [
        new_markdown_cell(f"### Exercise {number}: {name.title()}\n\nDo it."),
        new_code_cell(f"{stub}...", metadata=tagged(f"exercise-{name}")),
        new_code_cell(f"checks.check_{name}({name})", outputs=[said], metadata=tagged(COMPARED)),
        new_markdown_cell(HINTS),
        new_markdown_cell(solution, metadata=tagged(f"solution-{name}")),
    ]


def tagged(*tags):
    return {"tags": list(tags)}


def quiz(name):
    return new_code_cell(f"ask(quiz.{name.upper()})", metadata=tagged("quiz", f"quiz-{name}"))


def good():
    """The smallest lesson without a problem; `at` below finds its cells."""
    cells = [
        new_markdown_cell(OPENING),
        new_code_cell("import math\nfrom fractions import Fraction"),
        new_code_cell("seed = 0  # of all", metadata=tagged("parameters")),
        new_markdown_cell(
            "## Sums\n\nSee [the next](02_b.ipynb#Why,-and-how) and [here](#sums).\n"
            "A [**sum**](../GLOSSARY.md#sum) is 2, a count is plain."
        ),
        quiz("why_add"),
        new_code_cell("print(1 + 1)", outputs=[new_output("stream", name="stdout", text="2\n")]),
        *exercise(1, "add"),
        *exercise(2, "take"),
        *exercise(3, "both"),
        quiz("why_take"),
        new_markdown_cell(CLOSING),
    ]
    for count, cell in enumerate((c for c in cells if c.cell_type == "code"), 1):
        cell.execution_count = count
    metadata = METADATA | {"course": {"seconds_to_run": 20}}
    return nbformat.from_dict(new_notebook(cells=cells, metadata=metadata))


@pytest.fixture
def path(tmp_path):
    """Where the good lesson lies: in a repository with one other lesson and a page."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    (folder / "02_b.ipynb").write_text(
        nbformat.writes(
            new_notebook(cells=[new_markdown_cell("# B\n\n*Core path*\n\n## Why, and how")])
        )
    )
    table = "| lesson | path | read (min) |\n|---|---|---|\n"
    table += "| [01 a](notebooks/01_a.ipynb) | core path | 5 |\n"
    (folder / "guide.md").write_text("# Guide\n")
    (tmp_path / "README.md").write_text(f"# Course\n\n## What to do next\n\n{table}")
    (tmp_path / "GLOSSARY.md").write_text(
        '| <a id="sum"></a>sum | 和 | ... |\n| <a id="big-sum"></a>big sum | 大和 | ... |\n'
    )
    write_checks(folder, "total")
    return folder / "01_a.ipynb"


def write_checks(folder, right):
    """The check of `add`, of two that could be its solution, and no other."""
    room = folder.parent / "course_utils" / "lessons" / "a"
    room.mkdir(parents=True, exist_ok=True)
    (room / "checks.py").write_text(CHECKS.replace("RIGHT", right))


def test_a_good_lesson_has_no_problem(path):
    assert problems(good(), path) == []


def set_source(at, source):
    def change(notebook):
        notebook.cells[at].source = source

    return change


def replace(at, old, new):
    def change(notebook):
        assert old in notebook.cells[at].source
        notebook.cells[at].source = notebook.cells[at].source.replace(old, new)

    return change


def add_output(at, output):
    return lambda notebook: notebook.cells[at].outputs.append(output)


LONG = "x = [\n" + "    1,\n" * 19 + "]"
SCENE = new_output("display_data", {MIME: {"scene": "quiz"}, "text/plain": "[scene] quiz"})
VIEW = new_output("display_data", {WIDGET_VIEW: {"model_id": "1"}, "text/plain": "VBox()"})
BAR = new_output("display_data", {"text/plain": "decoding:   0%|          | 0/18"})
STDERR = new_output("stream", name="stderr", text="UserWarning: no")
ERROR = new_output("error", ename="ValueError", evalue="no", traceback=["no"])
AT_HOME = new_output("stream", name="stdout", text="in /home/me/course\n")
PICTURE = new_output("display_data", {"image/png": "A/tmp/" * 100_000})

# one thing done wrong -> the beginning of the one problem that is found, and its cell
BROKEN = {
    "title": (replace(0, "# Add and subtract\n", ""), "no title", 0),
    "imports do more": (set_source(1, "import math\nx = 1"), "the first code cell does more", 1),
    "imports are magic": (set_source(1, "%matplotlib inline"), "the first code cell does more", 1),
    "long imports": (set_source(1, "import math\n" * 21), "21 lines; a slide holds 20", 1),
    "no parameters": (set_source(2, "print(1)"), "the second code cell sets no", 2),
    "computed parameters": (set_source(2, "seed = 1 + f(2)"), "the second code cell sets no", 2),
    "long cell": (set_source(5, LONG), "21 lines; a slide holds 20", 5),
    "wide cell": (set_source(5, f"x = {'1' * 77}"), "81 columns", 5),
    "wide Chinese": (set_source(5, f"x = '{'人' * 38}'"), "82 columns", 5),
    "no stub": (replace(7, " ...", "\n    return a + b"), "the stub of add leaves no `...`", 7),
    "no check": (replace(8, "checks.check_add(add)", "print(2)"), "add is not checked", 8),
    "one hint": (replace(9, "Hint 2", "Note"), "add has not two folded hints", 9),
    "open hint": (replace(9, "<details><summary>Hint 1</summary>", "Hint 1"), "add has not two", 9),
    "no solution": (replace(10, "```python", "```"), "add has no folded solution", 10),
    "its solution": (
        lambda n: n.cells[10].metadata.update(tagged("solution-other")),
        "add has no folded solution",
        10,
    ),
    "given away": (
        lambda n: n.cells[8].outputs[0].data.update({"text/plain": "✓ add: passed."}),
        "the stored answer to add is not 'not attempted'",
        8,
    ),
    "student's answer used": (
        set_source(21, "print(add(1, 2))\nask(quiz.WHY_TAKE)"),
        "reads `add`",
        21,
    ),
    "other question": (set_source(4, "ask(quiz.WHY)"), "`quiz-why_add` does not ask it", 4),
    "same name": (
        lambda n: (
            n.cells[21].metadata.update(tagged("quiz-take")),
            n.cells[21].update(source="ask(quiz.TAKE)"),
        ),
        "the course has 2 exercises or questions named take",
        21,
    ),
    "count": (lambda n: n.cells[5].update(execution_count=9), "the count is [9]", 5),
    "not run": (lambda n: n.cells[5].update(execution_count=None), "the count is [None]", 5),
    "stderr": (add_output(5, STDERR), "a complaint is stored, 'UserWarning", 5),
    "traceback": (add_output(5, ERROR), "a traceback is stored, ValueError", 5),
    "path in output": (add_output(5, AT_HOME), "a path of somebody's machine, '/home/me", 5),
    "path in prose": (replace(3, "## Sums", "## Sums\n\nIn /Users/me"), "a path of somebody's", 3),
    "widget state": (lambda n: n.metadata.update(widgets={}), "the state of widgets", None),
    "widget view": (add_output(5, VIEW), "a live widget is stored", 5),
    "scene without a picture": (add_output(5, SCENE), "a scene without a picture", 5),
    "progress bar": (add_output(5, BAR), "a live widget is stored", 5),
    "metadata": (lambda n: n.metadata.kernelspec.update(name="mine"), "the notebook's meta", None),
    "cell metadata": (lambda n: n.cells[3].metadata.update(collapsed=True), "metadata besides", 3),
    "folded code": (
        lambda n: n.cells[5].metadata.update(jupyter={"source_hidden": True}),
        "metadata besides",
        5,
    ),
    "empty cell": (lambda n: n.cells.insert(4, new_markdown_cell(" ")), "an empty cell", 4),
    "trailing blank": (replace(3, "Sums", "Sums "), "trailing blanks", 3),
    "no id": (lambda n: n.cells[3].pop("id"), "no id of its own", 3),
    "same id": (lambda n: n.cells[3].update(id=n.cells[1].id), "no id of its own", 3),
    "large": (add_output(5, PICTURE), "60", None),
    "code shown unwatched": (
        replace(5, "print(1 + 1)", "from course_utils.x import Source\n\nSource(math.sqrt)"),
        "it shows code, and nbval would not see",
        5,
    ),
    "one output compared": (
        lambda n: (
            n.cells[1].metadata.update(tagged(COMPARED)),  # it has none
            n.cells[8].metadata.pop("tags"),
            n.cells[13].metadata.pop("tags"),
        ),
        "nbval compares 1 of its outputs; a lesson has at least 2",
        None,
    ),
    "a pair in many threads": (
        replace(5, "print(1 + 1)", "models = load_pair(pair)\ntorch.set_num_threads(1)"),
        "it loads a pair for as many threads as",
        5,
    ),
    "another solution": (
        replace(10, "a + b", "b + a"),
        "the folded solution is not `solution`",
        10,
    ),
    "no way on": (replace(-1, "\n\nnext: [02 b](02_b.ipynb)", ""), "it does not end with the", 22),
    "another way on": (replace(-1, "next: [02 b]", "previous: [02 b]"), "it does not end with", 22),
    "dead link": (replace(3, "02_b", "03_c"), "the link 03_c.ipynb#Why,-and-how leads", 3),
    "dead anchor": (replace(3, "Why,", "Where,"), "02_b.ipynb has no heading", 3),
    "dead anchor here": (replace(3, "#sums", "#sum"), "01_a.ipynb has no heading #sum", 3),
    "not on the path": (replace(0, "*Core path* · ", ""), "it is not marked as on the core", 0),
    "links elsewhere": (
        replace(0, "next: [02 b]", "previous: [02 b]"),
        "its links are not those",
        0,
    ),
    "broken in a copy": (replace(3, "02_b.ipynb#Why,-and-how", "guide.md"), "the link guide.md", 3),
}


# A repair of these changes the words of a cell.
REWRITTEN = {
    *("empty cell", "trailing blank", "links elsewhere", "no way on", "another way on"),
    "another solution",
}


@pytest.mark.parametrize("case", BROKEN)
def test_each_thing_done_wrong_is_found_alone_and_repaired_where_it_can_be(case, path):
    change, what, cell = BROKEN[case]
    notebook = good()
    change(notebook)
    before = nbformat.from_dict(notebook)
    found = problems(notebook, path)
    assert [problem.cell for problem in found] == [cell], as_text("", found)
    assert found[0].what.startswith(what), str(found[0])
    assert found[0].to_do
    left = [problem for problem in found if problem.to_do != FIX]
    after = repaired(notebook, path)
    assert notebook == before  # pure
    assert problems(after, path) == left
    assert repaired(after, path) == after
    if left == found:
        assert after == before
    if case not in REWRITTEN:
        assert [c.source for c in after.cells] == [c.source for c in before.cells]


def test_every_rule_was_broken_by_one_of_them(path):
    silent = {*RULES, *RULES_OF_PLACE}
    for change, _, _ in BROKEN.values():
        notebook = good()
        change(notebook)
        silent -= {rule for rule in RULES if any(True for _ in rule(notebook))}
        silent -= {rule for rule in RULES_OF_PLACE if any(True for _ in rule(notebook, path))}
    assert not silent


def test_the_solution_of_a_check_is_copied_under_the_stub(path):
    write_checks(path.parent, "without_a_word")
    shown = good().cells[10].source
    assert [p.cell for p in problems(good(), path)] == [10]
    after = repaired(good(), path).cells[10].source
    assert after == shown.replace("return a + b", "return b + a")


def test_no_notebook_makes_a_rule_raise(path):
    assert problems(nbformat.from_dict(new_notebook()), path)
    for at in range(len(good().cells)):
        shorter, emptied, foreign = good(), good(), good()
        del shorter.cells[at:]
        emptied.cells[at].source = ""
        foreign.cells[at].source = "def f(:"
        for notebook in (shorter, emptied, foreign):
            assert isinstance(problems(notebook, path), list)
            summary("01_a", repaired(notebook, path), [])


def test_a_name_of_another_lesson_is_a_problem(path):
    (problem,) = problems(good(), path, [new_notebook(cells=[quiz("add")])])
    assert problem.what == "the course has 2 exercises or questions named add"


@pytest.mark.parametrize(
    ("cell", "count"),
    [
        ('if checks.check_add(add).status == "passed":\n    print(add(1, 2))', 0),
        ("plus = yours(checks.check_add, add)\nprint(plus(1, 2))", 0),
        ("plus = yours(\n    checks.check_add, add, sum\n)", 0),
        ("plus = yours(checks.check_add, other)\nprint(add(1, 2))", 1),
        ("print(add(1, 2))", 1),
    ],
)
def test_an_answer_that_passed_its_check_may_be_used(path, cell, count):
    notebook = good()
    notebook.cells[21].source = f"{cell}\nask(quiz.WHY_TAKE)"
    assert len(problems(notebook, path)) == count


def test_links_in_code_are_none_and_both_forms_of_an_anchor_are_one():
    text = '[a](b.md "t") `[c](d)` ![e](../f.png) <a href="g.md">\n```\n[h](i)\n```\n[j](mailto:k)'
    assert links(text) == ["b.md", "../f.png", "g.md"]
    assert slug("Why,-and-how") == slug("Why, and how") == "why-and-how"


@pytest.fixture
def course(path, monkeypatch):
    """The good lesson as the whole course."""
    real = lessons.lesson_paths
    monkeypatch.setattr(command, "lesson_paths", lambda names=None: real(names, path.parent))
    (path.parent / "02_b.ipynb").rename(path.parent.parent / "b.ipynb")
    notebook = good()
    notebook.cells[3].source = "## Sums"
    notebook.cells[0].source = OPENING.replace(" · next: [02 b](02_b.ipynb)", "")
    notebook.cells[-1].source = CLOSING.replace("next: [02 b](02_b.ipynb)", AFTERWARDS)
    lessons.write_lesson(path, notebook)
    return path


def test_the_command_says_what_is_wrong_and_repairs_on_demand(course, capsys):
    assert main(["lint"]) == 0
    assert "problem" not in capsys.readouterr().out.splitlines()[-1]
    raw = json.loads(course.read_text())
    del raw["cells"][3]["id"]
    raw["cells"][5]["metadata"]["scrolled"] = True
    course.write_text(json.dumps(raw))
    assert main(["lint", "01"]) == 1
    assert "01_a: 2 problems" in capsys.readouterr().out
    assert json.loads(course.read_text()) == raw  # looked at, not touched
    assert main(["lint", "--fix"]) == 0
    assert "01_a: repaired" in capsys.readouterr().out
    stored = course.stat().st_mtime_ns
    assert main(["lint", "--fix"]) == 0
    assert course.stat().st_mtime_ns == stored  # nothing to repair, nothing written
    assert [p.name for p in course.parent.glob("*.part")] == []


def test_a_damaged_lesson_is_an_error_and_is_left_alone(course, capsys):
    for text in ("<<<<<<< HEAD", "[]", '{"nbformat": 4, "cells": [1]}', '{"nbformat": 3}'):
        course.write_text(text)
        assert main(["lint", "--fix"]) == 2
        assert "01_a.ipynb is damaged" in capsys.readouterr().err
        assert course.read_text() == text
