"""Each solution is written once, as `solution` of its exercise, and the notebook shows it.

The folded solution is the stub down to its docstring, followed by the body of the function
`solution` in the room's `checks.py`, which is parsed, not imported.  Exercises of another form
have a separate folded solution.
"""

import ast
from pathlib import Path

from nbformat import NotebookNode

from course_utils.classroom import notebooks as lessons
from course_utils.classroom.notebooks import FENCED, room, tag_names, trunk


def folded_solutions(notebook: NotebookNode, path: Path) -> dict[int, str]:
    """Return {index: expected source} of each cell that shows a `solution`."""
    bodies, sources = _bodies(path), {}
    stubs = {x.name: notebook.cells[x.at].source for x in lessons.exercises(notebook)}
    for at, cell in enumerate(notebook.cells):
        block = FENCED.search(cell.source)
        for name in tag_names(cell, "solution-"):
            if block and name in bodies and (head := _head(stubs.get(name, ""))):
                code = "\n".join([*head, *bodies[name], ""])
                start, end = block.span(1)
                sources[at] = cell.source[:start] + code + cell.source[end:]
    return sources


def _bodies(path: Path) -> dict[str, list[str]]:
    """Return {exercise: lines of its `solution`, without signature and docstring}."""
    checks = trunk(path).parent.joinpath(*room(path).split("."), "checks.py")
    if not checks.exists():
        return {}
    source = checks.read_text("utf-8")
    lines, body = source.splitlines(), ast.parse(source).body
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    bodies = {}
    for call in (node.value for node in body if isinstance(node, ast.Assign)):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "Exercise":
            fields = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
            if function := functions.get(fields.get("solution", "")):
                name = ast.literal_eval(call.args[0])
                bodies[name] = lines[_below(function) : function.end_lineno]
    return bodies


def _head(stub: str) -> list[str]:
    """Return the lines of a function down to its docstring; none for another stub."""
    try:
        body = ast.parse(stub).body
    except SyntaxError:
        return []
    if len(body) != 1 or not isinstance(body[0], ast.FunctionDef):
        return []
    return stub.splitlines()[: _below(body[0])]


def _below(function: ast.FunctionDef) -> int:
    """Return the index of the line after its docstring, or else of its first statement."""
    first = function.body[0]
    return first.lineno - 1 if ast.get_docstring(function) is None else first.end_lineno
