"""Rules for the order of reading: a core path through the course, and deep dives beside it.

Which of the two a lesson is stands in the lesson, under its title, with links to its
neighbours on the core path; the tables of the course must say the same.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from course_utils.authoring import parts
from course_utils.authoring.notebooks import lesson_paths, read_lesson
from course_utils.authoring.problem import FIX, Problem

CORE, DEEP = "Core path", "Deep dive"
# Those that list all lessons in a table, relative to the folder of the lessons.
PAGES = ("../README.md", "instructor.md", "00_start_here.ipynb")
AFTERWARDS = "next: [what to do next](../README.md#what-to-do-next)"
_MARK = re.compile(rf"^\*({CORE}|{DEEP})\*(.*)$", re.MULTILINE)
_LINK = re.compile(r"(previous|next): \[[^\]]+\]\((\S+?)\)")
_WAY = re.compile(r"\n+(?:previous|next): \[[^\n]*\s*\Z")
_ROW = re.compile(r"^\| \[[^\]]+\]\((?:notebooks/)?(\d\d_\w+\.ipynb)\) \| ([^|]*) \|", re.MULTILINE)
_NAMED = re.compile(r"\blessons? (\d\d(?:(?:, | and | or | to )\d\d)*)", re.IGNORECASE)


def mark(notebook: NotebookNode) -> str | None:
    """ "Core path" or "Deep dive", read under the title; None if neither stands there."""
    found = _MARK.search(parts.opening(notebook))
    return found[1] if found else None


def on_the_path(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    """The line under the title: which of the two, and the core lessons before and after it."""
    found = _MARK.search(parts.opening(notebook))
    if not found:
        to_do = f"write under the title, after an empty line: {line(CORE, path)}"
        yield Problem("it is not marked as on the core path or beside it", to_do, 0)
    elif dict(_LINK.findall(found[2])) != neighbours(path):
        yield Problem("its links are not those to the core lessons before and after it", FIX, 0)


def closes_with_the_way(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    """The last line of the lesson leads to the core lessons before and after it."""
    if (last := parts.prose(notebook)) and last[-1][1].source != closed(last[-1][1].source, path):
        yield Problem("it does not end with the links to the lessons around it", FIX, last[-1][0])


def tables_agree(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    """The pages with a table of all lessons have a row for this one, with its mark."""
    for page in PAGES:
        there = path.parent / page
        if not there.exists() or mark(notebook) is None:
            continue
        said = dict(_ROW.findall(_text(there))).get(path.name)
        if said is None:
            to_do = f"write `| [name]({path.name}) | {mark(notebook).lower()} | ...`"
            yield Problem(f"{there.name} has no row for it in its table of lessons", to_do, 0)
        elif said.lower() != mark(notebook).lower():
            what = f"{there.name} says {said!r}, the lesson {mark(notebook).lower()!r}"
            yield Problem(what, "correct one of them", 0)


def lessons_named_exist(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    """ "Lesson 07" is a promise: there is such a lesson."""
    known = {other.name[:2] for other in lesson_paths(folder=path.parent)} | {path.name[:2]}
    for at, cell in parts.prose(notebook):
        for numbers in _NAMED.findall(cell.source):
            for number in sorted(set(re.findall(r"\d\d", numbers)) - known):
                yield Problem(f"there is no lesson {number}", "name another, or none", at)


def neighbours(path: Path) -> dict[str, str]:
    """{"previous": file name, "next": file name} of the core lessons around this one."""
    core = [
        other.name
        for other in lesson_paths(folder=path.parent)
        if other.name != path.name and mark(read_lesson(other)) == CORE
    ]
    before = [("previous", name) for name in core if name < path.name]
    after = [("next", name) for name in core if name > path.name]
    return dict([*before[-1:], *after[:1]])


def line(kind: str, path: Path) -> str:
    """*Core path* · previous: [00 start here](00_start_here.ipynb) · next: ..."""
    return " · ".join([f"*{kind}*", *_links(neighbours(path))])


def way(path: Path) -> str:
    """What a lesson ends with; after the last one of the core path there is more to do."""
    around = neighbours(path)
    return " · ".join([*_links(around), *([] if "next" in around else [AFTERWARDS])])


def marked(opening: str, path: Path) -> str:
    """The first cell with the right links behind its mark, if it has one."""
    found = _MARK.search(opening)
    if not found or dict(_LINK.findall(found[2])) == neighbours(path):
        return opening
    return opening.replace(found[0], line(found[1], path), 1)


def closed(ending: str, path: Path) -> str:
    """The last cell with `way` as its last line."""
    return f"{_WAY.sub('', ending)}\n\n{way(path)}"


def _links(around: dict[str, str]) -> list[str]:
    return [
        f"{where}: [{name.removesuffix('.ipynb').replace('_', ' ')}]({name})"
        for where, name in around.items()
    ]


def _text(page: Path) -> str:
    if page.suffix == ".md":
        return page.read_text("utf-8")
    return "\n\n".join(cell.source for _, cell in parts.prose(read_lesson(page)))


CORE_PATH = (on_the_path, closes_with_the_way, tables_agree, lessons_named_exist)
