"""The site: collect pages of lessons, texts and programs, and build them with Sphinx (MyST-NB).

Lessons are shown with their stored outputs and live scenes; nothing is executed.  Pages keep
their place in the repository, so links stay valid.
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
from workshop.notebooks.links import slug
from workshop.notebooks.parts import folded, page_name

ROOT = NOTEBOOKS.parent
SITE = ROOT / "site"
TEXTS = ("[!C]*.md", "CONTRIBUTING.md", "[a-z]*/README.md", "notebooks/*.md")
FILES = ("LICENSE", "data/PYTHON-LICENSE.txt", ".github/workflows/site.yml", "data/pictures/*")
FILES += ("data/bench/*",)
QUIZ = "quiz"
ORPHAN = "---\norphan: true\n---\n"  # a page outside the menu
NO_PICTURE = (QUIZ, "live")  # scenes left out of the gallery
_PROGRAM = re.compile(r"\]\(((?:\.\./)*)(course_utils/[\w/]+)\.py(?:#\w+)?\)")
_PROGRAM_PAGE = re.compile(r"\]\((?:\.\./)*(course_utils/[\w/]+)\.md\)")
_ANCHOR = re.compile(r"(\]\([\w./]+\.(?:md|ipynb)#)([^)\s]+)\)")
_ID = re.compile(r'<a id="([\w-]+)"></a>')
_HREF = re.compile(r'(href="[\w./]+)\.(?:md|ipynb)(?=["#])')
_NAME = re.compile(r"\{\{ *(\w+) *\}\}")


def build(
    out: Path, address: str | None = None, talk: str | None = None, folder: Path = NOTEBOOKS
) -> None:
    """Write the site to `out`.

    Args:
        out: a new or empty folder, or an earlier site, which is replaced.
        address: URL of the site, for canonical links.
        talk: name of the talk's file, which the caller writes to `out`; the gallery links to it.
        folder: of the lessons.

    Raises:
        ValueError: `out` has other content.
        RuntimeError: a page is broken, or a link leads nowhere; with Sphinx's output.
        FileNotFoundError: no lessons, or Sphinx is not installed.
    """
    if out.exists() and any(out.iterdir()):
        if not (out / ".buildinfo").exists():
            raise ValueError(f"{out} is not empty and not a site: choose another folder")
        shutil.rmtree(out)
    with TemporaryDirectory() as work:
        pages = Path(work) / "pages"
        collect(pages, {path: read_lesson(path) for path in lesson_paths(folder=folder)}, talk)
        options = ["-W", "--keep-going", "-q", "-j", "auto", "-d", str(Path(work) / "doctrees")]
        options += ["-D", f"html_baseurl={address.rstrip('/')}/"] if address else []
        command = [sys.executable, "-m", "sphinx", *options, "-c", str(SITE), str(pages), str(out)]
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        result = subprocess.run(
            command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
        )
    if "No module named sphinx" in result.stderr:
        raise FileNotFoundError(
            'Sphinx is not installed: pip install -c constraints.txt -e ".[site]"'
        )
    if result.returncode:
        raise RuntimeError(f"Sphinx failed:\n{(result.stderr or result.stdout)[-4000:]}")


def collect(pages: Path, lessons: Mapping[Path, NotebookNode], talk: str | None) -> None:
    """Write the pages that Sphinx reads."""
    for path, lesson in lessons.items():
        _put(pages / "notebooks" / beneath(path), nbformat.writes(as_read(lesson)))
    menu = (SITE / "index.md").read_text("utf-8")
    for path in (path for pattern in TEXTS for path in ROOT.glob(pattern)):
        name = path.relative_to(ROOT)
        front = "" if f"<{name.with_suffix('')}>" in menu else ORPHAN
        _put(pages / name, front + linked(path.read_text("utf-8")))
    words = all_scenes(lessons)
    words["scenes"] = gallery(words, lessons)
    words["talk"] = f'<a href="{talk}">The same scenes as a talk</a>.' if talk else ""
    for name, kind in (("contents", False), ("electives", True)):
        entries = (
            f"{page_name(path)} <notebooks/{beneath(path).with_suffix('').as_posix()}>"
            for path in lessons
            if is_elective(path) == kind
        )
        words[name] = "\n".join(entries)
    for path in SITE.glob("*.md"):
        page = _NAME.sub(lambda match: words.get(match[1], ""), path.read_text("utf-8"))
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
    for name in sorted({page for text in texts for page in _PROGRAM_PAGE.findall(text)}):
        code = (ROOT / f"{name}.py").read_text("utf-8")
        page = f"{ORPHAN}# {name}.py\n\n`````python\n{code}`````\n"
        _put(pages / f"{name}.md", page)


def as_read(notebook: NotebookNode) -> NotebookNode:
    """Return a copy for the site: links to pages, live scenes, pictures with alt text."""
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
    """Return Markdown with links to pages of the site.

    >>> linked("[`residual`](../course_utils/decoding/rules/chain.py#L9)")
    '[`residual`](../course_utils/decoding/rules/chain.md)'
    >>> linked('<a href="../REFERENCES.md#vllm">')
    '<a href="../REFERENCES.html#vllm">'
    """
    newest = max((ROOT / "data/bench").glob("run-*.json")).name
    text = text.replace("data/bench/)", f"data/bench/{newest})")
    text = re.sub(r"\]\(((?:\.\./)*)notebooks/present\.ipynb\)", r"](\1scenes.md)", text)
    text = _ANCHOR.sub(lambda match: f"{match[1]}{slug(match[2])})", text)
    text = _ID.sub(r"[]{#\1}", text)
    return _HREF.sub(r"\1.html", _PROGRAM.sub(r"](\1\2.md)", text))


def all_scenes(lessons: Mapping[Path, NotebookNode]) -> dict[str, str]:
    """Return {name: HTML}: the talk's scene, or a stored one if the talk's needs a pair."""
    stored = [scene for lesson in lessons.values() for scene in scenes_of(lesson)]
    first = {scene["scene"]: scene for scene in reversed(stored)}
    exhibits = {one.name: one.make().stored for one in EXHIBITS if not one.of_the_pair}
    scenes = exhibits | first | exhibits  # in the talk's order
    return {name: scene_div(one) for name, one in scenes.items() if name not in NO_PICTURE}


def gallery(scenes: Mapping[str, str], lessons: Mapping[Path, NotebookNode]) -> str:
    """Return all scenes, each with the anchor `#scene-NAME`, then the questions, folded."""
    parts = [f"(scene-{name})=\n## {name.capitalize()}\n\n{div}" for name, div in scenes.items()]
    parts.append("## The questions")
    for path, lesson in lessons.items():
        quizzes = [scene_div(scene) for scene in scenes_of(lesson) if scene["scene"] == QUIZ]
        if quizzes:
            summary = f"<summary>{page_name(path)}: {len(quizzes)} questions</summary>"
            parts.append("\n".join(["<details>" + summary, *quizzes, "</details>"]))
    return "\n\n".join(parts)


def _data(notebook: NotebookNode) -> Iterator[NotebookNode]:
    return (out.get("data", {}) for cell in notebook.cells for out in cell.get("outputs", []))


def scenes_of(notebook: NotebookNode) -> Iterator[Mapping[str, object]]:
    """Return the stored data of each scene of a notebook, in order."""
    return (data[MIME] for data in _data(notebook) if MIME in data)


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
