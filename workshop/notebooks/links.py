"""The rule for links: those within the repository work, also from a student's copy."""

import re
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from course_utils.classroom.progress import ELECTIVES
from workshop.notebooks import parts
from workshop.notebooks.parts import Problem

_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_LINK = re.compile(r'\]\(([^)\s]+)[^)]*\)|(?:href|src)="([^"]+)"')
_SCHEME = re.compile(r"^([a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
_LESSON = re.compile(rf"(?:\d\d_|{ELECTIVES}/)\w+\.ipynb")  # copied together with it


def links_lead_somewhere(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    """Yield links to files that are not there; they are relative to `path`, the lesson's.

    Headings are looked for when the site is built.
    """
    for at, cell in parts.prose(notebook):
        for link in links(cell.source):
            target = link.partition("#")[0]
            if target and not (path.parent / target).exists():
                yield Problem(f"the link {link} leads nowhere", "correct it", at)
            elif target and not (target.startswith("../") or _LESSON.fullmatch(target)):
                to_do = f"write ../{path.parent.name}/{target}"
                yield Problem(f"the link {link} breaks in a student's copy", to_do, at)


def links(source: str) -> list[str]:
    """Return the link targets within the repository, without those in code.

    >>> links("[a](b.md#c), [d](https://e.f), `x[1](y)`")
    ['b.md#c']
    """
    targets = [first or second for first, second in _LINK.findall(_CODE.sub("", source))]
    return [link for link in targets if not _SCHEME.match(link)]


def slug(heading: str) -> str:
    """Return GitHub's anchor for a heading; JupyterLab's form gives the same.

    >>> slug("Why p, and not q?"), slug("Why-p,-and-not-q?")
    ('why-p-and-not-q', 'why-p-and-not-q')
    """
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
