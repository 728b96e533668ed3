"""The rule for links: those within the repository work, also from a student's copy."""

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
_LESSON = re.compile(rf"(?:\d\d_|{ELECTIVES}/)\w+\.ipynb")  # copied together with it


def links_lead_somewhere(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    """Yield broken links; they are relative to `path`, the lesson's."""
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
    """Return the link targets within the repository, without those in code.

    >>> links("[a](b.md#c), [d](https://e.f), `x[1](y)`")
    ['b.md#c']
    """
    targets = [first or second for first, second in _LINK.findall(_CODE.sub("", source))]
    return [link for link in targets if not _SCHEME.match(link)]


def headings_of(notebook: NotebookNode) -> set[str]:
    """Return the anchors of a notebook's headings."""
    return set().union(*(_headings(cell.source) for _, cell in parts.prose(notebook)))


def slug(heading: str) -> str:
    """Return GitHub's anchor for a heading; JupyterLab's form gives the same.

    >>> slug("Why p, and not q?"), slug("Why-p,-and-not-q?")
    ('why-p-and-not-q', 'why-p-and-not-q')
    """
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def _headings(text: str) -> set[str]:
    """Return the headings' slugs and explicit anchors such as `<a id="chen2023">`."""
    headings = re.findall(r"^#{1,6} (.+)$", text, re.MULTILINE)
    return {*map(slug, headings), *re.findall(r'<a id="([^"]+)">', text)}


@cache
def _headings_in(file: Path, modified: int) -> set[str] | None:
    """Return a file's anchors, cached; None for programs, whose anchors are lines (#L10)."""
    if file.suffix == ".md":
        return _headings(file.read_text("utf-8"))
    return headings_of(read_lesson(file)) if file.suffix == ".ipynb" else None
