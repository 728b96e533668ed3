"""Navigation: links to the neighbouring lessons, under a lesson's title and at its end.

The line under its title also says whether it is core, a deep dive or an elective.
"""

import re
from functools import cache
from pathlib import Path

from course_utils.classroom.notebooks import is_elective, lesson_paths, read_lesson
from course_utils.classroom.parts import CORE, MARK, mark
from workshop.notebooks.parts import page_name

AFTERWARDS = "next: [what to do next](../notebooks/map.md#what-to-do-next)"
TO_THE_OTHERS = "next: [the other electives](../../notebooks/map.md#electives)"
_WAY = re.compile(r"\n+(?:previous|next): \[[^\n]*\s*\Z")


def marked(opening: str, path: Path) -> str:
    """Return the first cell with the right links after its mark, if it has one."""
    opening_mark = MARK.search(opening)
    if not opening_mark or is_elective(path):
        return opening
    return opening.replace(opening_mark[0], " · ".join([f"*{opening_mark[1]}*", *_links(path)]), 1)


def closed(ending: str, path: Path) -> str:
    """Return the last cell with the link to the next lesson as its last line."""
    if is_elective(path):
        way = TO_THE_OTHERS
    else:
        links = _links(path)
        after = any(link.startswith("next") for link in links)
        way = " · ".join(links if after else [*links, AFTERWARDS])
    return f"{_WAY.sub('', ending)}\n\n{way}"


def _links(path: Path) -> list[str]:
    """Return links to the core lessons before and after this one."""
    core = [
        other.name
        for other in lesson_paths(folder=path.parent)
        if other.name != path.name and _mark_of(other, other.stat().st_mtime_ns) == CORE
    ]
    before = [("previous", name) for name in core if name < path.name]
    after = [("next", name) for name in core if name > path.name]
    return [
        f"{where}: [{page_name(Path(name))}]({name})" for where, name in [*before[-1:], *after[:1]]
    ]


@cache
def _mark_of(path: Path, modified: int) -> str | None:
    """Return the mark of a stored lesson, cached for all others."""
    return mark(read_lesson(path))
