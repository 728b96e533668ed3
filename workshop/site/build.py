"""The site: collect pages of lessons, texts and programs, and have Sphinx (MyST-NB) build them.

What is shown of a lesson is what it stores: scenes come to life in their places, nothing is
executed.  Pages lie as in the repository, so that links stay as they are.
"""

import os
import re
import shutil
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbformat import NotebookNode

from course_utils.classroom.notebooks import (
    NOTEBOOKS,
    beneath,
    is_elective,
    lesson_paths,
    read_lesson,
    tags,
)
from course_utils.classroom.scene import MIME, scene_div
from course_utils.commands.gallery import EXHIBITS
from workshop.notebooks.parts import folded

ROOT = NOTEBOOKS.parent
SITE = ROOT / "site"
TEXTS = ("[!C]*.md", "CONTRIBUTING.md", "[a-z]*/README.md", "notebooks/*.md")
FILES = ("LICENSE", "data/PYTHON-LICENSE.txt", ".github/workflows/site.yml", "data/pictures/*")
FILES += ("data/bench/*",)
QUIZ = "quiz"
ORPHAN = "---\norphan: true\n---\n"  # a page that only links lead to, not the menu
NO_PICTURE = (QUIZ, "live")  # scenes that are not shown beside the others
_PROGRAM = re.compile(r"\]\(((?:\.\./)*)(course_utils/[\w/]+)\.py(?:#\w+)?\)")
_PROGRAM_PAGE = re.compile(r"\]\((?:\.\./)*(course_utils/[\w/]+)\.md\)")
_HREF = re.compile(r'(href="[\w./]+)\.(?:md|ipynb)(?=["#])')
_NAME = re.compile(r"\{\{ *(\w+) *\}\}")


def build(
    out: Path, address: str | None = None, talk: str | None = None, folder: Path = NOTEBOOKS
) -> None:
    """Write the site to `out`.

    Args:
        out: a folder that is new, empty, or an earlier site, which is replaced.
        address: where the site will lie, for its canonical links.
        talk: the talk as one file, which the caller writes to `out`; the scenes' page links it.
        folder: of the lessons.

    Raises:
        ValueError: `out` holds something else.
        RuntimeError: a page has a fault, or a link of it leads nowhere; with what Sphinx printed.
        FileNotFoundError: no lessons, or Sphinx is not installed.
    """
    if out.exists() and any(out.iterdir()):
        if not (out / ".buildinfo").exists():
            raise ValueError(f"{out} is not empty, and no site: choose another folder")
        shutil.rmtree(out)
    with TemporaryDirectory() as work:
        pages = Path(work) / "pages"
        collect(pages, {path: read_lesson(path) for path in lesson_paths(folder=folder)}, talk)
        options = ["-W", "--keep-going", "-q", "-j", "auto", "-d", str(Path(work) / "doctrees")]
        options += ["-D", f"html_baseurl={address.rstrip('/')}/"] if address else []
        command = [sys.executable, "-m", "sphinx", *options, "-c", str(SITE), str(pages), str(out)]
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        ran = subprocess.run(
            command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
        )
    if "No module named sphinx" in ran.stderr:
        raise FileNotFoundError(
            'Sphinx is not installed: pip install -c constraints.txt -e ".[site]"'
        )
    if ran.returncode:
        raise RuntimeError(f"the site was not built:\n{(ran.stderr or ran.stdout)[-4000:]}")


def collect(pages: Path, lessons: Mapping[Path, NotebookNode], talk: str | None) -> None:
    """Write what Sphinx reads."""
    for path, lesson in lessons.items():
        _put(pages / "notebooks" / beneath(path), nbformat.writes(as_read(lesson)))
    menu = (SITE / "index.md").read_text("utf-8")
    for path in (path for pattern in TEXTS for path in ROOT.glob(pattern)):
        name = path.relative_to(ROOT)
        outside = "" if f"<{name.with_suffix('')}>" in menu else ORPHAN
        _put(pages / name, outside + linked(path.read_text("utf-8")))
    words = all_scenes(lessons)
    words["scenes"] = gallery(words, lessons)
    words["talk"] = f'<a href="{talk}">The same as a talk</a>, a scene a screen.' if talk else ""
    for name, kind in (("contents", False), ("electives", True)):
        entries = (
            f"{page_name(path)} <notebooks/{beneath(path).with_suffix('').as_posix()}>"
            for path in lessons
            if is_elective(path) == kind
        )
        words[name] = "\n".join(entries)
    for path in SITE.glob("*.md"):
        page = _NAME.sub(lambda found: words.get(found[1], ""), path.read_text("utf-8"))
        _put(pages / path.name, page)
    for lesson in lessons.values():
        for data in _data(lesson):
            if MIME in data and "image/png" in data:
                picture = pages / "pictures" / f"{data[MIME]['scene']}.png"
                picture.parent.mkdir(exist_ok=True)
                if not picture.exists():
                    picture.write_bytes(b64decode(data["image/png"]))
    for path in (path for pattern in FILES for path in ROOT.glob(pattern)):
        (pages / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, pages / path.relative_to(ROOT))
    sources = [*pages.rglob("*.md"), *pages.rglob("*.ipynb")]
    texts = [path.read_text("utf-8") for path in sources]
    for name in sorted({found for text in texts for found in _PROGRAM_PAGE.findall(text)}):
        code = (ROOT / f"{name}.py").read_text("utf-8")
        page = f"{ORPHAN}# {name}.py\n\n`````python\n{code}`````\n"
        _put(pages / f"{name}.md", page)


def as_read(notebook: NotebookNode) -> NotebookNode:
    """Return a copy for a reader: links to pages, scenes alive, pictures with their words."""
    copy = nbformat.from_dict(notebook)
    for cell in copy.cells:
        if cell.cell_type == "markdown":
            cell.source = linked(cell.source)
        elif cell.cell_type == "code":
            pictures = [out.get("metadata", {}).get("image/png", {}) for out in cell.outputs]
            if words := " ".join(picture["alt"] for picture in pictures if "alt" in picture):
                cell.metadata["mystnb"] = {"image": {"alt": words}}
            if folded(cell):
                cell.metadata["tags"] = [*tags(cell), "hide-input"]
            for output in cell.outputs:
                data = output.get("data", {})
                if MIME in data:
                    output["data"] = NotebookNode({"text/html": scene_div(data[MIME])})
                elif "text/html" in data:
                    data["text/html"] = _HREF.sub(r"\1.html", data["text/html"])
    return copy


def linked(text: str) -> str:
    """Return Markdown whose links lead to pages of the site.

    >>> linked("[`residual`](../course_utils/decoding/rules/chain.py#L9)")
    '[`residual`](../course_utils/decoding/rules/chain.md)'
    >>> linked('<a href="../REFERENCES.md#vllm">')
    '<a href="../REFERENCES.html#vllm">'
    """
    newest = max((ROOT / "data/bench").glob("run-*.json")).name
    text = text.replace("data/bench/)", f"data/bench/{newest})")
    text = re.sub(r"\]\(((?:\.\./)*)notebooks/present\.ipynb\)", r"](\1scenes.md)", text)
    return _HREF.sub(r"\1.html", _PROGRAM.sub(r"](\1\2.md)", text))


def all_scenes(lessons: Mapping[Path, NotebookNode]) -> dict[str, str]:
    """{name: HTML}: the talk's exhibit, or else, where that needs a pair, what a lesson stores."""
    stored = [scene for lesson in lessons.values() for scene in scenes_of(lesson)]
    first = {scene["scene"]: scene for scene in reversed(stored)}
    exhibits = {one.name: one.make().stored for one in EXHIBITS if not one.of_the_pair}
    scenes = {name: scene for name, scene in (first | exhibits).items() if name not in NO_PICTURE}
    return {name: scene_div(scene) for name, scene in scenes.items()}


def gallery(scenes: Mapping[str, str], lessons: Mapping[Path, NotebookNode]) -> str:
    """Return all scenes, `#scene-NAME` before each, then the lessons' questions, folded."""
    found = [f"(scene-{name})=\n## {name.capitalize()}\n\n{div}" for name, div in scenes.items()]
    found.append("## The questions")
    for path, lesson in lessons.items():
        quizzes = [scene_div(scene) for scene in scenes_of(lesson) if scene["scene"] == QUIZ]
        if quizzes:
            summary = f"<summary>{page_name(path)}: {len(quizzes)} questions</summary>"
            found.append("\n".join(["<details>" + summary, *quizzes, "</details>"]))
    return "\n\n".join(found)


def page_name(path: Path) -> str:
    """00_start_here.ipynb -> 00 start here"""
    return path.stem.replace("_", " ")


def _data(notebook: NotebookNode) -> Iterator[NotebookNode]:
    return (out.get("data", {}) for cell in notebook.cells for out in cell.get("outputs", []))


def scenes_of(notebook: NotebookNode) -> Iterator[Mapping[str, object]]:
    """What the notebook stores of each of its scenes, in order."""
    return (data[MIME] for data in _data(notebook) if MIME in data)


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
