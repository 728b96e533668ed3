"""A lesson, a page of Markdown, the page of all scenes and those about the modules, on the site.

Notebooks and texts in, notebooks and texts out.  What is shown is what the lesson stores: scenes
come to life in their places, nothing is executed.
"""

import ast
import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from io import BytesIO
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from PIL import Image

from course_utils.classroom.notebooks import tags
from course_utils.classroom.scene import MIME, scene_div
from course_utils.commands.gallery import EXHIBITS
from workshop.notebooks.parts import folded

QUIZ = "quiz"
THUMBNAIL, COLOURS = 540, 32  # pixels of its width, twice those of a page
_RUNS = re.compile(r"\n\n[^\n]*Shift\+Enter[^\n]*")  # how cells are run: on a page none is
_PROGRAM = re.compile(r"(?:\[`([\w.]+)`\]|\])\(((?:\.\./)*)(course_utils/[\w/]+)\.py(?:#\w+)?\)")
_HREF = re.compile(r'(href="[\w./]+)\.(?:md|ipynb)(?=["#])')


def as_read(notebook: NotebookNode, button: str) -> NotebookNode:
    """A copy for a reader: scenes as HTML, pictures with their words, a button to run it.

    Folded imports stay folded, as MyST-NB does it.

    Args:
        button: HTML that stands under the title, `run_button`.
    """
    copy = nbformat.from_dict(notebook)
    for cell in copy.cells:
        if cell.cell_type == "code":
            cell.outputs = [_shown(output) for output in cell.outputs]
            if folded(cell):
                cell.metadata["tags"] = [*tags(cell), "hide-input"]
            if words := _words_of_pictures(cell):
                cell.metadata["mystnb"] = {"image": {"alt": words}}
    title, _, rest = copy.cells[0].source.partition("\n")
    rest = _RUNS.sub("", rest)
    copy.cells[0].source = f"{title}\n\n{button}\n{rest}"
    return copy


def scenes_of(notebook: NotebookNode) -> Iterator[Mapping[str, object]]:
    """What the notebook stores of each of its scenes, in order."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", []))
    return (data[MIME] for data in (output.get("data", {}) for output in outputs) if MIME in data)


def linked(text: str, known: Mapping[str, str]) -> str:
    """Markdown whose links lead to pages of the site.

    A link to a program leads to the page about the module; one whose words are a name in it
    leads to that name.  `known` has other places: what a link ends in -> what it shall end in.

    >>> linked("[`residual`](../course_utils/decoding/rules/chain.py)", {})
    '[`residual`](../reference/course_utils.decoding.rst#course_utils.decoding.rules.chain.residual)'
    >>> linked('<a href="../REFERENCES.md#vllm">', {})
    '<a href="../REFERENCES.html#vllm">'
    >>> linked("[all](../notebooks/present.ipynb)", {"notebooks/present.ipynb": "scenes.md"})
    '[all](../scenes.md)'
    """
    for old, new in known.items():
        text = re.sub(rf"\]\(((?:\.\./)*){re.escape(old)}\)", rf"](\g<1>{new})", text)
    return _HREF.sub(r"\1.html", _PROGRAM.sub(_to_the_reference, text))


def run_button(commands: str) -> str:
    """HTML of the button that copies the commands, and shows what it copied."""
    return (
        '<div class="run-it">'
        '<button type="button" aria-expanded="false">Run it yourself</button>'
        '<div class="run-it-panel" hidden>'
        f"<pre>{escape(commands)}</pre>"
        '<p role="status"></p></div></div>'
    )


def _shown(output: NotebookNode) -> NotebookNode:
    data = output.get("data", {})
    if MIME in data:
        data = {"text/html": scene_div(data[MIME])}
    elif "text/html" in data:
        data = data | {"text/html": _HREF.sub(r"\1.html", data["text/html"])}
    else:
        return output
    return nbformat.from_dict(output | {"data": data})


def _words_of_pictures(cell: NotebookNode) -> str:
    found = [output.get("metadata", {}).get("image/png", {}).get("alt") for output in cell.outputs]
    return " ".join(filter(None, found))


def _to_the_reference(link: re.Match) -> str:
    name, up, path = link.groups()
    module = path.removesuffix("/__init__").replace("/", ".")
    words = f"[`{name}`]" if name else "]"
    there = place(module)
    if name and name != module and not name.endswith(".py"):
        there = f"{there.partition('#')[0]}#{module}.{name}"
    return f"{words}({up}{there})"


def run_commands(repository: str | None) -> str:
    """What to type to run the lessons, from the address of the repository, or from a copy.

    >>> print(run_commands("https://example.org/course.git"))
    git clone https://example.org/course.git course
    make -C course lab
    """
    if repository:
        return f"git clone {repository} course\nmake -C course lab"
    return "cd path/to/your/copy/of/the/course\nmake lab"


def gallery(lessons: Mapping[Path, NotebookNode]) -> str:
    """The exhibits of the talk that need no Python, under their captions; then the questions of
    the lessons, folded.  `#scene-NAME` leads to each."""
    scenes = [
        f"(scene-{one.name})=\n## {one.caption}\n\n{scene_div(one.make().stored)}"
        for one in EXHIBITS
        if not one.of_the_pair
    ]
    folded = []
    for path, lesson in lessons.items():
        asked = [scene_div(stored) for stored in scenes_of(lesson) if stored["scene"] == QUIZ]
        if asked:
            questions = "\n".join(asked)
            folded.append(
                f"<details><summary>{name(path)}: {len(asked)} questions</summary>\n"
                f"{questions}\n</details>"
            )
    if folded:
        scenes.append("\n\n".join(["## The questions", *folded]))
    return "\n\n".join(scenes)


def thumbnails(lessons: Iterable[NotebookNode]) -> dict[str, bytes]:
    """A small PNG of each scene by its name, the upper part of the first picture stored of it."""
    found = {}
    for data in (
        out.get("data", {})
        for one in lessons
        for cell in one.cells
        for out in cell.get("outputs", [])
    ):
        if MIME in data and "image/png" in data and data[MIME]["scene"] not in found:
            picture = Image.open(BytesIO(b64decode(data["image/png"]))).convert("RGB")
            height = min(picture.height, picture.width * 9 // 16)
            box = 0, 0, picture.width, height
            size = THUMBNAIL, THUMBNAIL * height // picture.width
            small = picture.resize(size, Image.Resampling.LANCZOS, box).quantize(COLOURS)
            small.save(file := BytesIO(), "PNG", optimize=True)
            found[data[MIME]["scene"]] = file.getvalue()
    return found


def name(path: Path) -> str:
    """00_start_here.ipynb -> 00 start here"""
    return path.stem.replace("_", " ")


FOLDER = "reference"  # of the pages
PACKAGE = Path(__file__).parents[2] / "course_utils"
PARTS = ("decoding", "models", "drafters", "proofs", "measuring", "classroom")
_MEMBERS = """   :members:
   :undoc-members:
   :member-order: bysource
"""


def reference(package: Path = PACKAGE) -> Mapping[str, str]:
    """reStructuredText by file name: the map of all packages, and a page for each of them."""
    top = package.name
    contents = "".join(f"   {part} <{top}.{part}>\n" for part in PARTS)
    said = "".join(
        f"* :doc:`{part} <{top}.{part}>`: {summary(package / part / '__init__.py')}\n"
        for part in PARTS
    )
    tree = f".. toctree::\n   :hidden:\n\n{contents}"
    found = {f"{top}.rst": f"{_section(top, '=')}\n{said}\n{tree}"}
    for part in PARTS:
        name = f"{top}.{part}"
        modules = "\n".join(_modules(package / part, name))
        found[f"{name}.rst"] = f"{_section(name, '=')}\n{modules}"
    return found


def summary(path: Path) -> str:
    """The first paragraph of a module's docstring."""
    said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return " ".join(said.partition("\n\n")[0].split())


def place(module: str) -> str:
    """The page that tells of a module, and where on it.

    >>> place("course_utils.decoding.rules.chain")
    'reference/course_utils.decoding.rst#module-course_utils.decoding.rules.chain'
    """
    page = ".".join(module.split(".")[:2])
    anchor = f"#module-{module}" if module != page else ""
    return f"{FOLDER}/{page}.rst{anchor}"


def _modules(folder: Path, name: str) -> Iterator[str]:
    """The sections of what is public in it."""
    for path in sorted(folder.iterdir()):
        inner = f"{name}.{path.stem}"
        if path.name.startswith(("_", ".")):
            continue
        if (path / "__init__.py").exists():
            yield _section(inner, "-")
            yield from _modules(path, inner)
        elif path.suffix == ".py":
            program = ast.parse(path.read_text("utf-8"))
            if not _only_raises(program):
                yield _section(inner, "-") + _MEMBERS * (not _hands_on(program))


def _only_raises(program: ast.Module) -> bool:
    """Does it stand under an old name, only to say the new one?"""
    return any(isinstance(line, ast.Raise) for line in program.body)


def _hands_on(program: ast.Module) -> bool:
    """Does it only name what others define?"""
    assigned = [line for line in program.body if isinstance(line, ast.Assign)]
    return any(ast.unparse(line).startswith("__all__") for line in assigned)


def _section(name: str, line: str) -> str:
    title = ".".join(name.split(".")[2:]) or name
    return f"{title}\n{line * len(title)}\n\n.. automodule:: {name}\n"
