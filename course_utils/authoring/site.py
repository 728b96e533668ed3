"""The site: what `make site` reads, where it puts it, and the program that writes the pages."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_utils.authoring import site_reference
from course_utils.authoring.notebooks import NOTEBOOKS, lesson_paths, read_lesson
from course_utils.authoring.site_pages import as_read, linked, run_button, run_commands
from course_utils.authoring.site_scenes import gallery, name
from course_utils.authoring.site_start import chosen, figures, filled, lessons_list
from course_utils.measuring.recorded import recorded_bench

ROOT = NOTEBOOKS.parent
SITE = ROOT / "site"
PAGES = ("README.md", "GLOSSARY.md", "REFERENCES.md", "CONTRIBUTING.md", "data/README.md")
FILES = ("LICENSE", "data/pictures/*", "data/bench/*")


def build(
    out: Path, work: Path, address: str | None = None, folder: Path = NOTEBOOKS
) -> str:
    """Write the site to `out`; what Sphinx said.

    Args:
        work: a folder for what is made on the way; a second build reads it, and is quicker.
        address: of the course's repository, for the commands of the buttons.

    Raises:
        RuntimeError: a page has a fault, or a link of it leads nowhere; with what Sphinx said.
        FileNotFoundError: no lessons, or Sphinx is not installed.
    """
    pages = work / "pages"
    written = set(collect(pages, address, folder))
    for path in pages.rglob("*"):
        if path.is_file() and path not in written:
            path.unlink()  # of an earlier build
    options = ["-W", "--keep-going", "-q", "-j", "auto", "-d", str(work / "doctrees")]
    command = [sys.executable, "-m", "sphinx", *options, "-c", str(SITE), str(pages), str(out)]
    found = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    ran = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": found}, capture_output=True, text=True
    )
    if "No module named sphinx" in ran.stderr:
        raise FileNotFoundError('Sphinx is not installed: pip install -c constraints.txt -e ".[site]"')
    if ran.returncode:
        raise RuntimeError(f"the site was not built:\n{ran.stderr or ran.stdout}")
    return ran.stdout + ran.stderr


def collect(pages: Path, address: str | None = None, folder: Path = NOTEBOOKS) -> Iterator[Path]:
    """Write what Sphinx reads, laid out as in the repository, so that links stay as they are.

    A file that is already so is left alone: Sphinx reads it again only if it is newer.
    """
    moved = {"notebooks/present.ipynb": "scenes.md"}
    moved["data/bench/"] = max((ROOT / "data/bench").glob("*.json")).relative_to(ROOT).as_posix()
    lessons = {path: read_lesson(path) for path in lesson_paths(folder=folder)}
    for path, lesson in lessons.items():
        notebook = as_read(lesson, run_commands(address))
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = linked(cell.source, moved)
        yield _put(pages / "notebooks" / path.name, nbformat.writes(notebook))
    for path in [*(ROOT / page for page in PAGES), *NOTEBOOKS.glob("*.md")]:
        yield _put(pages / path.relative_to(ROOT), linked(path.read_text("utf-8"), moved))
    said = _said(lessons, address)
    for path in SITE.glob("*.md"):
        yield _put(pages / path.name, filled(path.read_text("utf-8"), said))
    for name_, text in site_reference.pages().items():
        yield _put(pages / site_reference.FOLDER / name_, text)
    for path in (path for pattern in FILES for path in ROOT.glob(pattern)):
        yield _copied(path, pages / path.relative_to(ROOT))


def _said(lessons: Mapping[Path, NotebookNode], address: str | None) -> dict[str, str]:
    """What stands for the names in braces on the site's own pages."""
    stored = list(lessons.values())
    return figures(stored, recorded_bench()) | {
        "round": chosen(stored, ("round", "quiz")),
        "memory": chosen(stored, ("memory",)),
        "distributions": chosen(stored, ("distributions",)),
        "scenes": gallery(lessons),
        "deck": "",
        "run": run_button(run_commands(address)),
        "lessons": lessons_list((ROOT / "README.md").read_text("utf-8")),
        "contents": "\n".join(f"{name(path)} <notebooks/{path.stem}>" for path in lessons),
    }


def _put(path: Path, text: str) -> Path:
    if not path.exists() or path.read_text("utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return path


def _copied(path: Path, there: Path) -> Path:
    if not there.exists() or there.read_bytes() != path.read_bytes():
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, there)
    return there
