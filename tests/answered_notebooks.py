"""A plugin beside nbval, `-p tests.answered_notebooks`: one execution of a lesson tests everything.

nbval runs the lesson as a student opens it and compares its tagged outputs.  Each figure that it
draws needs a title and named axes.  In the same kernel, after the last cell, each exercise then
gets a wrong answer, which must be called wrong, and its folded solution, which must pass.
"""

import ast
import inspect

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from nbval import plugin as nbval

from course_utils.classroom.notebooks import FENCED, exercises, tag_names
from workshop.notebooks.parts import code_cells


def check_figures():
    """Make matplotlib refuse a figure without a title, or with an unlabelled axis of numbers."""
    from matplotlib.figure import Figure

    save = Figure.savefig

    def checked(figure, *args, **kwargs):
        assert figure.get_suptitle(), "a figure needs a title"
        labelled = False  # panels may share the y label of the left one
        for axes in figure.axes:
            for axis in (axes.xaxis, axes.yaxis):
                ticks = [t.get_text() for t in axis.get_ticklabels() if t.get_visible()]
                numbers = any(ticks) and not any(t.strip("−0123456789. ") for t in ticks)
                label = bool(axis.get_label_text())
                labelled |= label and axis is axes.yaxis
                shared = labelled and axis is axes.yaxis
                assert label or shared or not numbers, f"an axis without a name: {ticks}"
        save(figure, *args, **kwargs)

    Figure.savefig = checked


WATCHED = f"exec({inspect.getsource(check_figures) + 'check_figures()'!r}, {{}})\n"
JUDGED = "_feedback = {}\nassert _feedback.status == {!r}, _feedback"


def wrong(stub):
    """Fill the stub with nonsense: results of functions and methods, values of names."""
    tree = ast.parse(stub)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body = ast.parse("return 'nonsense'").body
        elif isinstance(node, ast.Assign):
            node.value = ast.Constant("nonsense")
    return ast.unparse(tree)


def answered(notebook):
    """Return the notebook with checked figures and, at its end, two answers per exercise."""
    solutions = {
        name: FENCED.search(cell.source)[1].rstrip()
        for cell in notebook.cells
        for name in tag_names(cell, "solution-")
    }
    for exercise in exercises(notebook):
        check = notebook.cells[exercise.at + 1].source.strip()
        for answer, status in (
            (wrong(notebook.cells[exercise.at].source), "wrong"),
            (solutions[exercise.name], "passed"),
        ):
            notebook.cells += [new_code_cell(answer), new_code_cell(JUDGED.format(check, status))]
    for _, cell in code_cells(notebook)[:1]:
        cell.source = WATCHED + cell.source
    return notebook


class AnsweredFormat:
    """A replacement for nbformat in nbval, with the one function that it uses."""

    from_dict = staticmethod(nbformat.from_dict)

    @staticmethod
    def read(path, as_version):
        return answered(nbformat.read(path, as_version=as_version))


def pytest_configure(config):
    patch = pytest.MonkeyPatch()
    patch.setattr(nbval, "nbformat", AnsweredFormat)
    config.add_cleanup(patch.undo)
