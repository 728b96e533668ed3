"""Rules for exercises and quiz questions."""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from nbformat import NotebookNode

from course_utils.classroom import parts as lesson_parts
from course_utils.classroom.feedback import NOT_ATTEMPTED
from course_utils.classroom.notebooks import named
from workshop.notebooks import parts
from workshop.notebooks.parts import RUN, Problem


def read_later(stub: str, later: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """(index, name) of each cell that reads what the stub binds, and does not bind it itself.

    Args:
        later: (index, source) of the code cells that follow, in order.

    >>> read_later("def f(x): ...", [(7, "g(1)"), (8, "f(2)")])
    [(8, 'f')]
    """
    found, open_names = [], bound(stub)
    for at, source in later:
        open_names -= bound(source)  # from here on it is the lesson's own
        found += [(at, name) for name in sorted(open_names & _read(source))]
    return found


def bound(source: str) -> set[str]:
    """Names of the functions, classes, imports and variables that a cell makes."""
    names = set()
    for node in _statements(source):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif not isinstance(node, ast.Expr):
            names |= _names(node, ast.Store)
    return names


def _read(source: str) -> set[str]:
    return set().union(*(_names(node, ast.Load) for node in _statements(source)))


def _names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, context)}


def _statements(source: str) -> list[ast.stmt]:
    try:
        return ast.parse(source).body
    except SyntaxError:  # IPython's own, such as %time
        return []


CHECK = re.compile(r"^checks\.check_\w+\(", re.MULTILINE)
# Calls that cope with whatever a student wrote: one keeps it if it passes, one draws what it did.
COPES = re.compile(r"^(?:keep|\w+\.at_work)\(")
FOLDED_HINT = "<details><summary>Hint "
SOLUTION = re.compile(r"<details><summary>Solution.*```python\n.+```", re.DOTALL)


def exercises_are_complete(notebook: NotebookNode) -> Iterator[Problem]:
    """Stub, check, hints, solution: one cell each, one after another."""
    for exercise in lesson_parts.exercises(notebook):
        stub, check, hints, solution = _four(notebook, exercise.at)
        if "..." not in stub.source:
            yield Problem(f"the stub of {exercise.name} leaves no `...`", "leave one", exercise.at)
        if not CHECK.search(check.source):
            what = f"{exercise.name} is not checked right after its stub"
            yield Problem(
                what, f"call `checks.check_{exercise.name}({exercise.name})`", exercise.at + 1
            )
        if hints.source.count(FOLDED_HINT) != 2:
            what = f"{exercise.name} has not two folded hints behind its check"
            yield Problem(what, f"write two `{FOLDED_HINT}1</summary>`", exercise.at + 2)
        if exercise.name not in named(solution, "solution-") or not SOLUTION.search(
            solution.source
        ):
            what = f"{exercise.name} has no folded solution behind its hints"
            to_do = f"tag a cell `solution-{exercise.name}`; fold a ```python block in it"
            yield Problem(what, to_do, exercise.at + 3)


def answers_are_not_given_away(notebook: NotebookNode) -> Iterator[Problem]:
    for exercise in lesson_parts.exercises(notebook):
        check = _four(notebook, exercise.at)[1]
        said = str([output.get("data", {}) for output in check.get("outputs", [])])
        if CHECK.search(check.source) and NOT_ATTEMPTED not in said:
            what = f"the stored answer to {exercise.name} is not {NOT_ATTEMPTED!r}"
            yield Problem(what, f"restore the stub, {RUN}", exercise.at + 1)


def a_wrong_answer_breaks_nothing(notebook: NotebookNode) -> Iterator[Problem]:
    """The lesson goes on with the verified implementation, or with one that passed its check."""
    for exercise in lesson_parts.exercises(notebook):
        stub = notebook.cells[exercise.at].source
        later = [(at, c.source) for at, c in parts.code_cells(notebook) if at > exercise.at + 1]
        for at, name in read_later(stub, later):
            source = notebook.cells[at].source
            if COPES.match(source) or re.search(rf"\byours\(\s*[\w.]+,\s*{name}[,)]", source):
                continue
            if f'({name}).status == "passed"' in source:
                continue
            to_do = "use the verified implementation, or give the stub a name of its own"
            yield Problem(f"reads `{name}`, the student's answer to {exercise.name}", to_do, at)


def questions_are_asked(notebook: NotebookNode) -> Iterator[Problem]:
    for question in lesson_parts.questions(notebook):
        call = f"ask(quiz.{question.name.upper()})"
        if call not in notebook.cells[question.at].source:
            yield Problem(f"`quiz-{question.name}` does not ask it", f"call `{call}`", question.at)


def names_are_unique(notebook: NotebookNode, others: Iterable[NotebookNode]) -> Iterator[Problem]:
    """Over the whole course, exercises and questions together: the record has one list."""
    taken = Counter(name for other in (notebook, *others) for name in task_names(other))
    tasks = (*lesson_parts.exercises(notebook), *lesson_parts.questions(notebook))
    for name, at in {task.name: task.at for task in tasks}.items():
        if taken[name] > 1:
            what = f"the course has {taken[name]} exercises or questions named {name}"
            yield Problem(what, "take another name, in tags, check and record", at)


def task_names(notebook: NotebookNode) -> list[str]:
    """Of all exercises, then of all questions."""
    return [
        task.name for task in (*lesson_parts.exercises(notebook), *lesson_parts.questions(notebook))
    ]


def _four(notebook: NotebookNode, at: int) -> list[NotebookNode]:
    """The cells at, at + 1, ... at + 3; empty ones where the lesson is over."""
    missing = NotebookNode(cell_type="raw", source="", metadata=NotebookNode())
    return [*notebook.cells[at : at + 4], missing, missing, missing][:4]


TASKS = (
    exercises_are_complete,
    answers_are_not_given_away,
    a_wrong_answer_breaks_nothing,
    questions_are_asked,
)
