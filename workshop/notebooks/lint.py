"""The form of a lesson: ids, outputs, tags, links, and folded solutions.

A rule takes a notebook and its path, and yields a `Problem` for each violation.  No rule judges
sentences.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from nbformat import NotebookNode

from course_utils.classroom import notebooks as lessons
from course_utils.classroom.notebooks import ELECTIVE, MARK, parameters, tag_names, tags
from course_utils.classroom.scene import MIME
from workshop.notebooks import parts, repairs
from workshop.notebooks.links import links_lead_somewhere
from workshop.notebooks.parts import FIX, RUN, Problem

LEAST_COMPARED = 2
MACHINE_PATH = re.compile(r"/root/|/home/|/Users/|/work/|/tmp/|[A-Z]:\\Users|site-packages")
CHECK = re.compile(r"^checks\.check_\w+\(", re.MULTILINE)
FOLDED_HINT = "<details><summary>Hint "
SOLUTION = re.compile(r"<details><summary>Solution.*```python\n.+```", re.DOTALL)


def in_proper_form(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    """Yield everything that `make fix` would change."""
    right = repairs.repaired(notebook, path)
    if notebook.metadata != right.metadata:
        yield Problem("the notebook's metadata are not exactly kernel and seconds", FIX)
    for at, (cell, better) in enumerate(zip(notebook.cells, right.cells, strict=True)):
        if cell.get("id") != better.id:
            yield Problem("no unique id", FIX, at)
        if cell.metadata != better.metadata:
            yield Problem("metadata besides tags, or code shown and not compared", FIX, at)
        if cell.get("outputs") != better.get("outputs"):
            yield Problem("a live widget is stored, which is not visible", FIX, at)
        if cell.source != better.source:
            what = "the folded solution differs from `solution` in checks.py (change it there)"
            yield Problem(what, FIX, at)


def on_the_path(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    mark = MARK.search(lessons.opening(notebook))
    if lessons.is_elective(path):
        if not (mark and mark[1] == ELECTIVE and "after: [" in mark[2]):
            to_do = f"write under the title: *{ELECTIVE}* · after: [03 name](../03_name.ipynb)"
            yield Problem("it is not marked as an elective that comes after a lesson", to_do, 0)
    elif not mark or mark[1] == ELECTIVE:
        to_do = "write under the title, after an empty line: *Core path*, or *Deep dive*"
        yield Problem("it is not marked as core path or deep dive", to_do, 0)


def parameters_are_set(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    try:
        fine = parameters(notebook)
    except (ValueError, SyntaxError, AttributeError):
        fine = False
    if not fine:
        to_do = "tag a cell `parameters` and assign plain values, one per line"
        yield Problem("no cell sets parameters", to_do)


def exercises_are_complete(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    """Yield exercises without stub, check, hints and solution, one cell each, in this order."""
    missing = NotebookNode(cell_type="raw", source="", metadata=NotebookNode())
    for exercise in lessons.exercises(notebook):
        name, at = exercise.name, exercise.at
        stub, check, hints, solution = [*notebook.cells[at : at + 4], *[missing] * 3][:4]
        if "..." not in stub.source:
            yield Problem(f"the stub of {name} leaves no `...`", "leave one", at)
        if not CHECK.search(check.source):
            to_do = f"call `checks.check_{name}({name})`"
            yield Problem(f"{name} is not checked right after its stub", to_do, at + 1)
        elif "not attempted" not in str([o.get("data", {}) for o in check.get("outputs", [])]):
            what = f"the stored answer to {name} is not 'not attempted'"
            yield Problem(what, f"restore the stub, {RUN}", at + 1)
        if hints.source.count(FOLDED_HINT) != 2:
            what = f"{name} does not have two folded hints after its check"
            yield Problem(what, f"write two `{FOLDED_HINT}1</summary>`", at + 2)
        if name not in tag_names(solution, "solution-") or not SOLUTION.search(solution.source):
            what = f"{name} has no folded solution after its hints"
            to_do = f"tag a cell `solution-{name}`; fold a ```python block in it"
            yield Problem(what, to_do, at + 3)


def questions_are_asked(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    for question in lessons.questions(notebook):
        call = rf"\bask\(.*\b{question.name}\b"
        if not re.search(call, notebook.cells[question.at].source, re.IGNORECASE):
            what = f"`quiz-{question.name}` does not ask it"
            yield Problem(what, f"call `ask` with {question.name}", question.at)


def outputs_are_of_a_fresh_run(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    """Yield counts out of order, errors, warnings, and scenes without a picture."""
    code = parts.code_cells(notebook)
    if [cell.get("execution_count") for _, cell in code] != [*range(1, len(code) + 1)]:
        yield Problem("the counts of its cells are not those of a fresh run", RUN)
    for at, output in ((at, output) for at, cell in code for output in cell.outputs):
        kinds = set(output.get("data", {}))
        if output.output_type == "error":
            yield Problem(f"a traceback is stored, {output.ename}", f"fix it, {RUN}", at)
        if output.get("name") == "stderr":
            what = f"a warning is stored, {output.text.strip()[:40]!r}"
            yield Problem(what, f"remove its cause, {RUN}", at)
        if MIME in kinds and not kinds & {"image/png", "text/html"}:
            yield Problem("a scene without a picture for GitHub and paper", RUN, at)


def no_machine_paths(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    for at, cell in enumerate(notebook.cells):
        texts = [cell.source]
        for output in cell.get("outputs", []):
            data = output.get("data", {}).items()
            texts += [str(value) for kind, value in data if not kind.startswith("image/")]
            texts.append(output.get("text", ""))
        for text in texts:
            if match := MACHINE_PATH.search(text):
                what = f"a path of somebody's machine, {text[match.start() :][:30]!r}"
                yield Problem(what, "show a name without its folder", at)


def outputs_are_compared(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    known = [cell for _, cell in parts.code_cells(notebook) if repairs.COMPARED in tags(cell)]
    if (count := sum(bool(cell.outputs) for cell in known)) < LEAST_COMPARED:
        what = f"nbval compares {count} of its outputs; a lesson needs at least {LEAST_COMPARED}"
        to_do = f"tag cells {repairs.COMPARED!r} whose outputs are the same on any machine"
        yield Problem(what, to_do)


RULES = (
    in_proper_form, on_the_path, parameters_are_set, exercises_are_complete, questions_are_asked,
    outputs_are_of_a_fresh_run, no_machine_paths, outputs_are_compared, links_lead_somewhere,
)  # fmt: skip


def problems(
    notebook: NotebookNode, path: Path, others: Iterable[NotebookNode] = ()
) -> list[Problem]:
    """Return all problems of one lesson.

    Args:
        path: its path, from which links are followed.
        others: the other lessons; names of exercises and questions are unique in the course.
    """
    complaints = [problem for rule in RULES for problem in rule(notebook, path)]
    counts = Counter(name for other in (notebook, *others) for name, _ in _tasks(other))
    for name, at in dict(_tasks(notebook)).items():
        if counts[name] > 1:
            what = f"the course has {counts[name]} exercises or questions named {name}"
            complaints.append(Problem(what, "take another name, in tags, check and record", at))
    return complaints


def _tasks(notebook: NotebookNode) -> list[tuple[str, int]]:
    """Return (name, index) of each exercise and question."""
    tasks = (*lessons.exercises(notebook), *lessons.questions(notebook))
    return [(task.name, task.at) for task in tasks]
