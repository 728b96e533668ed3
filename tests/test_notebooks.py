"""Every lesson: its anatomy as committed, and a papermill run with the solutions filled in.

The run as a student opens it is nbval's, in `make test`.
"""

import json
import re

import nbformat
import pytest

from course_utils.classroom.lessons import NOTEBOOKS, lesson_paths, parameters, solved, tags
from course_utils.commands import course, notebooks

LESSONS = lesson_paths()
pytestmark = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
MACHINE_PATH = re.compile(r"(/root/|/home/|/Users/|/work/|/tmp/|site-packages)")


def read(path):
    return nbformat.read(path, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def tagged(notebook, prefix):
    return [tag for cell in notebook.cells for tag in tags(cell) if tag.startswith(prefix)]


def check_outputs(notebook):
    """What each `check_...` call answered."""
    return [
        "".join(output.data.get("text/plain", "") for output in cell.outputs)
        for cell in code_cells(notebook)
        if re.search(r"^check_\w+\(", cell.source, re.MULTILINE)
    ]


def test_outputs_are_from_a_fresh_run_in_order_without_complaints(path):
    counts = [cell.execution_count for cell in code_cells(read(path))]
    assert counts == list(range(1, len(counts) + 1))
    for cell in code_cells(read(path)):
        for output in cell.outputs:
            assert output.output_type != "error"
            assert output.get("name") != "stderr"


def test_nothing_of_the_machine_is_committed(path):
    text = path.read_text("utf-8")
    assert not MACHINE_PATH.search(text)
    assert "widgets" not in json.loads(text)["metadata"]
    assert json.loads(text)["metadata"] == notebooks.METADATA
    assert path.stat().st_size < 500_000


def test_the_lesson_has_its_anatomy(path):
    notebook = read(path)
    cells = notebook.cells
    assert cells[0].source.startswith("# ")
    for part in ("After this lesson you can", "**Prerequisites:**", "**Time:**", "**Hardware:**"):
        assert part in cells[0].source
    imports, defaults = code_cells(notebook)[:2]
    assert "import" in imports.source
    assert "parameters" in tags(defaults)
    assert parameters(notebook)
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert "\n## Further reading" in text
    summary = re.search(r"## Summary\n(.*?)\n## Further reading", text, re.DOTALL)[1]
    assert len(re.findall(r"^\* ", summary, re.MULTILINE)) == 3
    for cell in code_cells(notebook)[1:]:  # a list of imports may be longer than a slide
        assert len(cell.source.splitlines()) <= 20, cell.source


def test_every_exercise_has_a_stub_hints_a_solution_and_a_check(path):
    notebook = read(path)
    exercises = [t.removeprefix("exercise-") for t in tagged(notebook, "exercise-")]
    solutions = [t.removeprefix("solution-") for t in tagged(notebook, "solution-")]
    assert len(exercises) >= 2
    assert exercises == solutions
    text = "\n".join(cell.source for cell in notebook.cells)
    assert text.count("### Exercise ") == len(exercises)
    assert text.count("*Difficulty: ") == len(exercises)
    assert text.count("<summary>Hint ") == 2 * len(exercises)
    answers = check_outputs(notebook)
    assert len(answers) == len(exercises)
    assert all("not attempted" in answer for answer in answers)


def test_links_within_the_repository_resolve(path):
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r"\]\(([^)#]+)", cell.source):
                if "://" not in target:
                    assert (NOTEBOOKS / target).exists(), target


def test_papermill_runs_the_solved_lesson_and_every_check_passes(path, tmp_path):
    notebook = solved(read(path))
    # papermill's own copy lies elsewhere; links and data are found through the package
    (tmp_path / "in").mkdir()
    nbformat.write(notebook, tmp_path / "in" / path.name)
    failure = course.run(tmp_path / "in" / path.name, tmp_path / path.name, {})
    assert failure is None, failure
    answers = check_outputs(read(tmp_path / path.name))
    assert answers
    for answer in answers:
        assert "passed" in answer
