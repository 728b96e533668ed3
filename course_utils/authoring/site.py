"""The site: what `make site` reads, where it puts it, and the program that writes the pages."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbformat import NotebookNode

from course_utils.authoring import site_reference
from course_utils.authoring.notebooks import (
    NOTEBOOKS,
    beneath,
    is_elective,
    lesson_paths,
    read_lesson,
)
from course_utils.authoring.site_pages import as_read, gallery, linked, run_button, run_commands
from course_utils.authoring.site_start import chosen, figures, filled, lesson_names, lessons_list

ROOT = NOTEBOOKS.parent
SITE = ROOT / "site"
PAGES = (
    "README.md",
    "GLOSSARY.md",
    "REFERENCES.md",
    "CONTRIBUTING.md",
    "data/README.md",
    "stage/README.md",
    "deploy/README.md",
)
_TALK = '<a href="{}">The same as a talk</a>, one scene a screen, for a projector.'
FILES = (
    "LICENSE",
    "data/PYTHON-LICENSE.txt",
    ".github/workflows/site.yml",
    "data/pictures/*",
    "data/bench/*",
)


def build(
    out: Path,
    bench: Mapping[str, object],
    address: str | None = None,
    talk: str | None = None,
    folder: Path = NOTEBOOKS,
) -> None:
    """Write the site to `out`.

    Args:
        out: a folder that is new, empty, or an earlier site, which is replaced.
        bench: the recorded results, for the start page.
        address: of the course's repository, for the commands of the buttons.
        talk: the talk as one file, which the caller writes to `out`; the scenes' page links it.
        folder: of the lessons.

    Raises:
        ValueError: `out` holds something else.
        RuntimeError: a page has a fault, or a link of it leads nowhere; with what Sphinx said.
        FileNotFoundError: no lessons, or Sphinx is not installed.
    """
    _emptied(out)
    with TemporaryDirectory() as work:
        pages = Path(work) / "pages"
        lessons = {path: read_lesson(path) for path in lesson_paths(folder=folder)}
        collect(pages, lessons, _said(lessons, bench, address, talk))
        options = ["-W", "--keep-going", "-q", "-j", "auto", "-d", str(Path(work) / "doctrees")]
        command = [sys.executable, "-m", "sphinx", *options, "-c", str(SITE), str(pages), str(out)]
        found = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        ran = subprocess.run(
            command, env=os.environ | {"PYTHONPATH": found}, capture_output=True, text=True
        )
    if "No module named sphinx" in ran.stderr:
        raise FileNotFoundError(
            'Sphinx is not installed: pip install -c constraints.txt -e ".[site]"'
        )
    if ran.returncode:
        raise RuntimeError(f"the site was not built:\n{(ran.stderr or ran.stdout)[-4000:]}")


def collect(pages: Path, lessons: Mapping[Path, NotebookNode], said: Mapping[str, str]) -> None:
    """Write what Sphinx reads, laid out as in the repository, so that links stay as they are.

    Args:
        said: what stands for the names in braces on the site's own pages.
    """
    moved = {"notebooks/present.ipynb": "scenes.md"}
    moved["data/bench/"] = (
        max((ROOT / "data/bench").glob("run-*.json")).relative_to(ROOT).as_posix()
    )
    for path, lesson in lessons.items():
        notebook = as_read(lesson, said["run"])
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = linked(cell.source, moved)
        _put(pages / "notebooks" / beneath(path), nbformat.writes(notebook))
    for path in [*(ROOT / page for page in PAGES), *NOTEBOOKS.glob("*.md")]:
        _put(pages / path.relative_to(ROOT), linked(path.read_text("utf-8"), moved))
    for path in SITE.glob("*.md"):
        _put(pages / path.name, filled(path.read_text("utf-8"), said))
    for page, text in site_reference.pages().items():
        _put(pages / site_reference.FOLDER / page, text)
    for path in (path for pattern in FILES for path in ROOT.glob(pattern)):
        _copied(path, pages / path.relative_to(ROOT))


def _said(
    lessons: Mapping[Path, NotebookNode],
    bench: Mapping[str, object],
    address: str | None,
    talk: str | None,
) -> dict[str, str]:
    stored = list(lessons.values())
    readme = (ROOT / "README.md").read_text("utf-8")
    called = lesson_names(readme)

    def contents(paths: Iterable[Path]) -> str:
        pages = (f"notebooks/{beneath(path).with_suffix('').as_posix()}" for path in paths)
        return "\n".join(f"{called.get(page, page)} <{page}>" for page in pages)

    return figures(stored, bench) | {
        "round": chosen(stored, ("round", "quiz")),
        "memory": chosen(stored, ("memory",)),
        "distributions": chosen(stored, ("distributions",)),
        "scenes": gallery(lessons),
        "talk": _TALK.format(talk) if talk else "",
        "run": run_button(run_commands(address)),
        "lessons": lessons_list(readme),
        "contents": contents(path for path in lessons if not is_elective(path)),
        "electives": contents(path for path in lessons if is_elective(path)),
    }


def _emptied(out: Path) -> None:
    if out.exists() and any(out.iterdir()):
        if not (out / ".buildinfo").exists():
            raise ValueError(f"{out} is not empty, and no site: choose another folder")
        shutil.rmtree(out)


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _copied(path: Path, there: Path) -> None:
    there.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, there)
