"""The site, built once for all tests that look at it: the next one finds it, if nothing changed.

Its lessons are the stored ones; each question stands in them as a scene.
"""

import hashlib
import json
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import nbformat
from filelock import FileLock

from course_utils.classroom.kit import ask
from course_utils.classroom.notebooks import (
    beneath,
    lesson_paths,
    read_lesson,
    room,
    write_lesson,
)
from course_utils.measuring.recorded import recorded_bench
from workshop.notebooks.repairs import outputs
from workshop.site import build as site

BUILD = site.ROOT / "build"
OUT, MADE_OF = BUILD / "tested-site", BUILD / "tested-site.json"
READ = ("course_utils/**/*", "site/**/*", "notebooks/**/*", "data/bench/*", "*.md", "data/*.md")


def built_site() -> Path:
    """The folder of the site.

    Raises:
        RuntimeError: it cannot be built; every test that asks is told so, and tries no more.
    """
    if fault := _fault():
        raise RuntimeError(fault)
    return OUT


@cache
def _fault() -> str:
    BUILD.mkdir(exist_ok=True)
    with FileLock(BUILD / "tested-site.lock"):
        state = json.dumps(what_it_is_made_of())
        if not MADE_OF.exists() or MADE_OF.read_text() != state:
            MADE_OF.unlink(missing_ok=True)
            try:
                lessons = lessons_with_scenes(BUILD / "tested-lessons")
                site.build(OUT, recorded_bench(), folder=lessons)
            except RuntimeError as error:
                return str(error)
            MADE_OF.write_text(state)
    return ""


def lessons_with_scenes(folder: Path) -> Path:
    """Copies of the lessons; where a question is asked stands what `make notebooks` stores."""
    folder.mkdir(exist_ok=True)
    for path in lesson_paths():
        lesson = read_lesson(path)
        for cell in lesson.cells:
            if asked := re.fullmatch(r"ask\(quiz\.(\w+)\)", cell.source.strip()):
                question = getattr(import_module(f"{room(path)}.quiz"), asked[1])
                data, _ = ask(question)._repr_mimebundle_()
                cell.outputs = [nbformat.v4.new_output("display_data", data)]
                cell.outputs = outputs(cell)
        copy = folder / beneath(path)
        copy.parent.mkdir(exist_ok=True)
        write_lesson(copy, lesson)
    return folder


def what_it_is_made_of() -> dict[str, str]:
    """A digest of every file that the site is made of."""
    files = {path for pattern in READ for path in site.ROOT.glob(pattern) if path.is_file()}
    read = sorted(path for path in files if "__pycache__" not in path.parts)
    return {
        path.relative_to(site.ROOT).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in read
    }
