"""A lesson, and a page of Markdown, as the site shows them.

Notebooks and texts in, notebooks and texts out.  What is shown is what the lesson stores: scenes
come to life in their places, nothing is executed.
"""

import re
from collections.abc import Iterator, Mapping
from html import escape

import nbformat
from nbformat import NotebookNode

from course_utils.authoring.site_reference import place
from course_utils.classroom.scene import MIME, scene_div

_PROGRAM = re.compile(r"(?:\[`([\w.]+)`\]|\])\(((?:\.\./)*)(course_utils/[\w/]+)\.py(?:#\w+)?\)")
_HREF = re.compile(r'(href="[\w./]+)\.(?:md|ipynb)(?=["#])')


def as_read(notebook: NotebookNode, button: str) -> NotebookNode:
    """A copy for a reader: scenes as HTML, pictures with their words, a button to run it.

    Args:
        button: HTML that stands under the title, `run_button`.
    """
    copy = nbformat.from_dict(notebook)
    for cell in copy.cells:
        if cell.cell_type == "code":
            cell.outputs = [_shown(output) for output in cell.outputs]
            if words := _words_of_pictures(cell):
                cell.metadata["mystnb"] = {"image": {"alt": words}}
    title, _, rest = copy.cells[0].source.partition("\n")
    copy.cells[0].source = f"{title}\n\n{button}\n{rest}"
    return copy


def scenes_of(notebook: NotebookNode) -> Iterator[Mapping[str, object]]:
    """What the notebook stores of each of its scenes, in order."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if stored := output.get("data", {}).get(MIME):
                yield stored


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


def run_commands(address: str | None) -> str:
    """What to type to run the lessons, from the address of the repository, or from a copy.

    >>> print(run_commands("https://example.org/course.git"))
    git clone https://example.org/course.git course
    make -C course lab
    """
    if address:
        return f"git clone {address} course\nmake -C course lab"
    return "cd path/to/your/copy/of/the/course\nmake lab"
