"""The page of all scenes: each once, under the heading of the lesson where it stands.

Notebooks in, Markdown out.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from nbformat import NotebookNode

from course_utils.authoring.notebooks import beneath
from course_utils.classroom.scene import MIME, scene_div

QUIZ = "quiz"
_HEADING = re.compile(r"^#{1,3} (.+)$", re.MULTILINE)


def gallery(lessons: Mapping[Path, NotebookNode]) -> str:
    """All scenes in the order of the lessons, then their questions, folded.

    A scene that several lessons show with other data is shown each time.
    """
    found = [(path, *place) for path, lesson in lessons.items() for place in _places(lesson)]
    scenes = [_scene(*place) for place in found if place[2]["scene"] != QUIZ]
    folded = []
    for path in lessons:
        asked = [scene_div(s) for where, _, s in found if where == path and s["scene"] == QUIZ]
        if asked:
            questions = "\n".join(asked)
            folded.append(
                f"<details><summary>{name(path)}: {len(asked)} questions</summary>\n"
                f"{questions}\n</details>"
            )
    if folded:
        scenes.append("\n\n".join(["## The questions", *folded]))
    return "\n\n".join(scenes) or "No lesson stores a scene yet: run `make notebooks`."


def name(path: Path) -> str:
    """00_start_here.ipynb -> 00 start here"""
    return path.stem.replace("_", " ")


def _scene(path: Path, heading: str, stored: Mapping[str, object]) -> str:
    return (
        f"## {heading}\n\n{scene_div(stored)}\n\n"
        f"{{.source}}\nFrom [{name(path)}](notebooks/{beneath(path).as_posix()})."
    )


def _places(lesson: NotebookNode) -> Iterator[tuple[str, Mapping[str, object]]]:
    """(the heading above it, what is stored of it) for each scene."""
    heading = ""
    for cell in lesson.cells:
        if cell.cell_type == "markdown":
            heading = [heading, *_HEADING.findall(cell.source)][-1]
        for output in cell.get("outputs", []):
            if stored := output.get("data", {}).get(MIME):
                yield heading, stored
