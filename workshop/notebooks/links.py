"""The rule for links: those within the repository lead somewhere, also from a student's copy."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from nbformat import NotebookNode

from course_utils.classroom.notebooks import read_lesson
from course_utils.classroom.progress import ELECTIVES
from workshop.notebooks import parts
from workshop.notebooks.parts import Problem

_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_LINK = re.compile(r'\]\(([^)\s]+)[^)]*\)|(?:href|src)="([^"]+)"')
_SCHEME = re.compile(r"^([a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
_LESSON = re.compile(rf"(?:\d\d_|{ELECTIVES}/)\w+\.ipynb")  # what is copied beside it


def links_lead_somewhere(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    """`path` is where the lesson lies; links are read relative to it."""
    for at, cell in parts.prose(notebook):
        for link in links(cell.source):
            target, _, anchor = link.partition("#")
            there = path.parent / target if target else path
            if not target:
                text = headings_of(notebook)
            elif not there.exists():
                yield Problem(f"the link {link} leads nowhere", "correct it", at)
                continue
            elif not (target.startswith("../") or _LESSON.fullmatch(target)):
                to_do = f"write ../{path.parent.name}/{target}"
                yield Problem(f"the link {link} breaks in a student's copy", to_do, at)
                continue
            else:
                text = _headings_in(there, there.stat().st_mtime_ns) if anchor else set()
            if anchor and text is not None and slug(anchor) not in text:
                yield Problem(f"{there.name} has no heading #{anchor}", "correct the link", at)


def links(source: str) -> list[str]:
    """The targets within the repository, code left out.

    >>> links("[a](b.md#c), [d](https://e.f), `x[1](y)`")
    ['b.md#c']
    """
    found = [first or second for first, second in _LINK.findall(_CODE.sub("", source))]
    return [link for link in found if not _SCHEME.match(link)]


def headings_of(notebook: NotebookNode) -> set[str]:
    """The anchors of a notebook's headings."""
    return set().union(*(_headings(cell.source) for _, cell in parts.prose(notebook)))


def slug(heading: str) -> str:
    """Return the anchor that GitHub makes of a heading; JupyterLab's own form gives the same.

    >>> slug("Why p, and not q?"), slug("Why-p,-and-not-q?")
    ('why-p-and-not-q', 'why-p-and-not-q')
    """
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def _headings(text: str) -> set[str]:
    """The headings' slugs, and the anchors that are written as such: `<a id="chen2023">`."""
    headings = re.findall(r"^#{1,6} (.+)$", text, re.MULTILINE)
    return {*map(slug, headings), *re.findall(r'<a id="([^"]+)">', text)}


@cache
def _headings_in(file: Path, modified: int) -> set[str] | None:
    """None where anchors are not headings: #L10 of a program.  A file is read once a run."""
    if file.suffix == ".md":
        return _headings(file.read_text("utf-8"))
    return headings_of(read_lesson(file)) if file.suffix == ".ipynb" else None
