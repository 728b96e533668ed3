"""What one run of a lesson hands out: a last cell shows it, and a program reads it there.

The lesson itself is left as it is: `with_results` puts the cell under a copy of it, and
whatever it shows was computed by that run.
"""

import math
from collections.abc import Callable, Mapping

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_code_cell

from course_utils.classroom.notebooks import tags

MIME = "application/vnd.speculative-decoding.results+json"
TAG = "results"
_CELL = """\
from course_utils.authoring.results import Results

Results(
{lines}
)"""


class Results:
    """The last value of a cell: numbers, texts and lists of them, by name.

    Args:
        computed: computes one of them.

    Raises:
        TypeError: one of them is none of these.
        RuntimeError: one of them could not be computed; which, and why.
    """

    def __init__(self, **computed: Callable[[], object]):
        self._values = {}
        for name, compute in computed.items():
            try:
                value = compute()
            except Exception as error:
                why = f"{type(error).__name__}: {error}"
                raise RuntimeError(f"the result {name} could not be computed: {why}") from error
            self._values[name] = _plain(name, value)

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        return {MIME: self._values, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return "\n".join(f"{name} = {value!r}" for name, value in self._values.items())


def with_results(lesson: NotebookNode, expressions: Mapping[str, str]) -> NotebookNode:
    """A copy without outputs, and with one cell more where there is something to show."""
    copy = from_dict(lesson)
    for cell in copy.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    if expressions:
        lines = "\n".join(f"    {name}=lambda: {said}," for name, said in expressions.items())
        cell = new_code_cell(_CELL.format(lines=lines), metadata={"tags": [TAG]})
        copy.cells.append(cell if copy.nbformat_minor >= 5 else _without_id(cell))
    return copy


def results(notebook: NotebookNode) -> dict[str, object]:
    """What its last run showed; empty if that is nothing."""
    outputs = [out for cell in notebook.cells if TAG in tags(cell) for out in cell.outputs]
    found: dict[str, object] = {}
    for output in outputs:
        found |= output.get("data", {}).get(MIME, {})
    return found


def _plain(name: str, value: object) -> object:
    """As JSON has it.  A number of NumPy or torch becomes Python's, and nan the text nan."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, list | tuple):
        return [_plain(name, part) for part in value]
    raise TypeError(f"the result {name} is a {type(value).__name__}: give a number, text or list")


def _without_id(cell: NotebookNode) -> NotebookNode:
    return from_dict({key: value for key, value in cell.items() if key != "id"})
