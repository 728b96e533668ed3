"""Rules for the order of reading: a core path through the course, deep dives beside it, electives.

Which of them a lesson is stands in the lesson, under its title, with links to its
neighbours on the core path, or to the lesson that an elective comes after.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from nbformat import NotebookNode

from course_utils.classroom.notebooks import is_elective, lesson_paths, read_lesson, trunk
from course_utils.classroom.parts import CORE, ELECTIVE, MARK, mark, opening
from workshop.notebooks import parts
from workshop.notebooks.parts import FIX, Problem

README = "../README.md"  # from the folder of the lessons
AFTERWARDS = "next: [what to do next](../README.md#what-to-do-next)"
TO_THE_OTHERS = "next: [the other electives](../../README.md#electives)"
_LINK = re.compile(r"(previous|next|after): \[[^\]]+\]\((\S+?)\)")
_WAY = re.compile(r"\n+(?:previous|next): \[[^\n]*\s*\Z")
_ROW = re.compile(r"^\| \[([^\]]+)\]\((?:\w+/)*(\w+\.ipynb)\) \|", re.MULTILINE)


def on_the_path(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    """The line under the title: what it is, and the core lessons before and after it."""
    found = MARK.search(opening(notebook))
    if is_elective(path):
        if not (found and found[1] == ELECTIVE and [*dict(_LINK.findall(found[2]))] == ["after"]):
            to_do = f"write under the title: *{ELECTIVE}* · after: [03 name](../03_name.ipynb)"
            yield Problem("it is not marked as an elective that comes after a lesson", to_do, 0)
    elif not found or found[1] == ELECTIVE:
        to_do = f"write under the title, after an empty line: {line(CORE, path)}"
        yield Problem("it is not marked as on the core path or beside it", to_do, 0)
    elif dict(_LINK.findall(found[2])) != neighbours(path):
        yield Problem("its links are not those to the core lessons before and after it", FIX, 0)


def closes_with_the_way(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    """The last line leads to the core lessons before and after it, or to the other electives."""
    if (last := parts.prose(notebook)) and last[-1][1].source != closed(last[-1][1].source, path):
        yield Problem("it does not end with the links to the lessons around it", FIX, last[-1][0])


def neighbours(path: Path) -> dict[str, str]:
    """{"previous": file name, "next": file name} of the core lessons around this one."""
    core = [
        other.name
        for other in lesson_paths(folder=path.parent)
        if other.name != path.name and _mark_of(other, other.stat().st_mtime_ns) == CORE
    ]
    before = [("previous", name) for name in core if name < path.name]
    after = [("next", name) for name in core if name > path.name]
    return dict([*before[-1:], *after[:1]])


@cache
def _mark_of(path: Path, modified: int) -> str | None:
    """The mark of a stored lesson, which is read once for all others."""
    return mark(read_lesson(path))


def line(kind: str, path: Path) -> str:
    """*Core path* · previous: [00 start here](00_start_here.ipynb) · next: ..."""
    return " · ".join([f"*{kind}*", *_links(path)])


def way(path: Path) -> str:
    """What a lesson ends with; after the last one of the core path there is more to do."""
    if is_elective(path):
        return TO_THE_OTHERS
    return " · ".join([*_links(path), *([] if "next" in neighbours(path) else [AFTERWARDS])])


def marked(opening: str, path: Path) -> str:
    """The first cell with the right links behind its mark, if it has one."""
    found = MARK.search(opening)
    if not found or is_elective(path) or dict(_LINK.findall(found[2])) == neighbours(path):
        return opening
    return opening.replace(found[0], line(found[1], path), 1)


def closed(ending: str, path: Path) -> str:
    """The last cell with `way` as its last line."""
    return f"{_WAY.sub('', ending)}\n\n{way(path)}"


def _links(path: Path) -> list[str]:
    """To the core lessons around it, by their names in the README, or in words of their files."""
    around = neighbours(path)
    called = {name: name.removesuffix(".ipynb").replace("_", " ") for name in around.values()}
    page = trunk(path) / README
    if page.exists():
        called |= {name: title for title, name in _ROW.findall(page.read_text("utf-8"))}
    return [f"{where}: [{called[name]}]({name})" for where, name in around.items()]


CORE_PATH = (on_the_path, closes_with_the_way)
