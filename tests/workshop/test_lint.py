"""The lint of lessons: a good lesson passes, and each single fault is found.

What can be repaired is repaired, and nothing else of the notebook is touched.
"""

import nbformat
import pytest
from nbformat.v4 import new_output

from course_utils.classroom.notebooks import lesson_paths, read_lesson, tags
from workshop.notebooks.lint import problems
from workshop.notebooks.parts import FIX
from workshop.notebooks.repairs import WIDGET_VIEW, repaired

(PATH,) = lesson_paths(["02"])


def edit(tag, old, new):
    """A change of the first cell with this tag; the first of all without a tag."""

    def change(notebook):
        cell = next(c for c in notebook.cells if not tag or tag in tags(c))
        assert old in cell.source
        cell.source = cell.source.replace(old, new)

    return change


def output(kind, **content):
    return lambda notebook: notebook.cells[2].outputs.append(new_output(kind, **content))


BROKEN = {  # the beginning of the only problem: what was done
    "no cell sets parameters": edit("parameters", "=", "=="),
    "the folded solution differs": edit("solution", "return", "return  0 +"),
    "`quiz-": edit("quiz", "ask(", "print("),
    "the counts of its cells": lambda n: n.cells[2].update(execution_count=None),
    "a traceback is stored, ValueError": output("error", ename="ValueError", evalue=""),
    "a path of somebody's machine": output("stream", name="stdout", text="in /home/me/course\n"),
    "a live widget is stored": output("display_data", data={WIDGET_VIEW: {}, "text/plain": "V"}),
    "metadata besides tags": lambda n: n.cells[0].metadata.update(collapsed=True),
    "no unique id": lambda n: n.cells[0].pop("id"),
    "it is not marked as core path": edit("", "*Core path*", "Core path"),
    "the link 9": edit("", "](0", "](9"),
    "the link how_fast.md breaks": edit("", "](01_character_simulator.ipynb", "](how_fast.md"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_each_fault_is_found_alone_and_repaired_where_it_can_be(what):
    notebook = read_lesson(PATH)
    assert problems(notebook, PATH) == []
    BROKEN[what](notebook)
    before = nbformat.from_dict(notebook)
    faults = problems(notebook, PATH)
    assert {problem.what[: len(what)] for problem in faults} == {what}
    after = repaired(notebook, PATH)
    assert notebook == before  # pure
    left = [problem for problem in faults if problem.to_do != FIX]
    assert problems(after, PATH) == left
    assert repaired(after, PATH) == after
    assert not left or after == before
