"""Find and read the lessons, their parameters, exercises and questions; nothing is run."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from course_utils.classroom.progress import ELECTIVES
from course_utils.files import write_whole

if TYPE_CHECKING:  # nbformat takes seconds to import
    from nbformat import NotebookNode

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
# The students' own copies: next to the lessons, so that ../README.md is the same file.
MY_LESSONS = NOTEBOOKS.parent / "my_lessons"
FENCED = re.compile(r"```python\n(.*?)```", re.DOTALL)  # the code of a folded solution
KINDS = CORE, DEEP, ELECTIVE = "Core path", "Deep dive", "Elective"
MARK = re.compile(rf"^\*({'|'.join(KINDS)})\*(.*)$", re.MULTILINE)
_HEADING = re.compile(r"^### ((Exercise \d+)(?:, checkpoint \d+)?: .+)$", re.MULTILINE)


def lesson_paths(names: list[str] | None = None, folder: Path = NOTEBOOKS) -> list[Path]:
    """Return the lessons in order, then the electives; with `names` (or prefixes) only those.

    Raises:
        FileNotFoundError: no lessons, or none that begins with a name.
    """
    paths = sorted(folder.glob("[0-9][0-9]_*.ipynb"))
    if not paths:
        raise FileNotFoundError(f"no lessons in {folder}: run this from a clone of the course")
    paths += sorted(folder.glob(f"{ELECTIVES}/*.ipynb"))
    for name in names or []:
        if not (name and any(path.name.startswith(name) for path in paths)):
            known = ", ".join(path.stem for path in paths)
            raise FileNotFoundError(f"no lesson begins with {name!r}; there are {known}")
    return [p for p in paths if not names or any(p.name.startswith(name) for name in names)]


def is_elective(path: Path) -> bool:
    return path.parent.name == ELECTIVES


def trunk(path: Path) -> Path:
    """The folder of the numbered lessons, also for an elective."""
    return path.parent.parent if is_elective(path) else path.parent


def beneath(path: Path) -> Path:
    """The path relative to `trunk`: 03_x.ipynb, or electives/x.ipynb"""
    return path.relative_to(trunk(path))


def room(path: Path) -> str:
    """The package of this lesson's own code: 03_acceptance_rule.ipynb -> ...acceptance_rule"""
    return f"course_utils.lessons.{re.sub(r'^[0-9]{2}_', '', path.stem)}"


def read_lesson(path: Path) -> "NotebookNode":
    """Return the notebook as it is on disk; nothing is converted or repaired.

    Raises:
        ValueError: the file is damaged, or not a notebook of format 4.
        OSError: it cannot be read.
    """
    import nbformat

    text = path.read_bytes()
    try:
        notebook = nbformat.reader.reads(text.decode())
        if notebook.nbformat == 4 and all(map(_complete, notebook.cells)):
            return notebook
    except Exception:  # raised by a file that is no notebook, or is nested too deeply
        pass
    raise ValueError(f"{path} is damaged, or not a notebook of format 4")


def write_lesson(path: Path, notebook: "NotebookNode") -> None:
    """Write a notebook in Jupyter's own format."""
    import nbformat

    write_whole(path, nbformat.writes(notebook) + "\n")


def parameters(notebook: "NotebookNode") -> dict[str, object]:
    """Return names and defaults from the cell tagged `parameters`; empty if there is none."""
    cells = [cell for cell in notebook.cells if "parameters" in tags(cell)]
    statements = [node for cell in cells for node in ast.parse(cell.source).body]
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in statements
        if isinstance(node, ast.Assign)
    }


def check_parameters(path: Path, values: dict[str, object]) -> None:
    """Refuse a misspelt parameter; papermill would only warn.

    Raises:
        ValueError: the lesson has no such parameter.
    """
    known = parameters(read_lesson(path))
    for name in values.keys() - known:
        listed = ", ".join(f"{k}={v!r}" for k, v in known.items()) or "none"
        raise ValueError(f"{path.stem} has no parameter {name!r}; it has {listed}")


def tags(cell: "NotebookNode") -> list[str]:
    return cell.metadata.get("tags", [])


def tag_names(cell: "NotebookNode", prefix: str) -> list[str]:
    """Return what follows `prefix` in the tags of a cell: ["exercise-x"], "exercise-" -> ["x"]."""
    return [tag.removeprefix(prefix) for tag in tags(cell) if tag.startswith(prefix)]


@dataclass(frozen=True)
class Task:
    """A stub with its check, or a quiz question."""

    name: str  # of the tag, exercise-NAME or quiz-NAME
    at: int  # index of its cell
    label: str = ""  # 'Exercise 3, checkpoint 1: Draft'; empty for a question
    number: str = ""  # 'Exercise 3', the same for all its checkpoints


def opening(notebook: "NotebookNode") -> str:
    """The source of the first cell; empty if it is not Markdown."""
    cells = notebook.cells
    return cells[0].source if cells and cells[0].cell_type == "markdown" else ""


def mark(notebook: "NotebookNode") -> str | None:
    """ "Core path", "Deep dive" or "Elective", as it is marked under the title."""
    match = MARK.search(opening(notebook))
    return match[1] if match else None


def exercises(notebook: "NotebookNode") -> list[Task]:
    """Return a task for each tag `exercise-NAME`, with the heading before its stub."""
    tasks, heading = [], None
    for at, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            heading = _HEADING.search(cell.source) or heading
        for name in tag_names(cell, "exercise-"):
            tasks.append(Task(name, at, *(heading.groups() if heading else ("", name))))
            heading = None
    return tasks


def questions(notebook: "NotebookNode") -> list[Task]:
    """Return a task for each tag `quiz-NAME`."""
    cells = enumerate(notebook.cells)
    return [Task(name, at) for at, cell in cells for name in tag_names(cell, "quiz-")]


def _complete(cell: "NotebookNode") -> bool:
    """Does the cell have every field that the course reads, with the right type?"""
    outputs = cell["outputs"] if cell["cell_type"] == "code" else []
    texts = [cell["cell_type"], cell["source"], *cell["metadata"].get("tags", [])]
    texts += [output["output_type"] for output in outputs]
    return all(isinstance(text, str) for text in texts)
