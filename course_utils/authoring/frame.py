"""Rules for what every lesson opens and closes with, what a slide holds, and its threads."""

import ast
import re
import unicodedata
from collections.abc import Iterator

from nbformat import NotebookNode

from course_utils.authoring import parts
from course_utils.authoring.notebooks import parameters, tags
from course_utils.authoring.problem import Problem

LINES, COLUMNS = 20, 80  # of a slide; a Chinese character takes two columns
# What nobody can see a student do.
VAGUE = {
    *("appreciate", "be", "become", "grasp", "have", "know", "learn", "realise", "see"),
    *("understand", "the", "a", "an", "how", "why", "what"),
}


def title(notebook: NotebookNode) -> Iterator[Problem]:
    if not parts.opening(notebook).startswith("# "):
        yield Problem("no title", "begin the first cell, Markdown, with `# Title`", 0)


def objectives(notebook: NotebookNode) -> Iterator[Problem]:
    stated = parts.objectives(notebook)
    if not stated:
        yield Problem(
            f"no bullets under {parts.OBJECTIVES}", "list what the student can do then", 0
        )
    for number, objective in enumerate(stated, 1):
        verb = (objective.strip("*_ ").split() or [""])[0].strip("*_,")
        if verb in VAGUE or not re.fullmatch(r"[a-z][a-z-]+", verb):
            to_do = "begin with a verb of doing: compute, predict, write"
            yield Problem(f"objective {number} begins with {verb!r}", to_do, 0)


def needs(notebook: NotebookNode) -> Iterator[Problem]:
    if not parts.NEEDS.search(parts.opening(notebook)):
        form = (
            "**Prerequisites:** ... · **Time:** 30 minutes to read, 40 to build, "
            "25 seconds to run · **Hardware:** ..."
        )
        yield Problem("what the lesson needs is not said in one line", f"write `{form}`", 0)


def imports_first(notebook: NotebookNode) -> Iterator[Problem]:
    for at, cell in parts.code_cells(notebook)[:1]:
        if not _only_imports(cell.source):
            yield Problem("the first code cell does more than import", "move the rest down", at)


def parameters_second(notebook: NotebookNode) -> Iterator[Problem]:
    for at, cell in parts.code_cells(notebook)[1:2]:
        try:
            fine = "parameters" in tags(cell) and parameters(notebook)
        except (ValueError, SyntaxError, AttributeError):
            fine = False
        if not fine:
            to_do = "tag it `parameters` and assign plain values, one a line"
            yield Problem("the second code cell sets no parameters", to_do, at)


def slides(notebook: NotebookNode) -> Iterator[Problem]:
    for at, cell in parts.code_cells(notebook):
        lines = cell.source.splitlines()
        if len(lines) > LINES:
            yield Problem(f"{len(lines)} lines; a slide holds {LINES}", "split the cell", at)
        for line in lines:
            if (width := columns(line)) > COLUMNS:
                what = f"{width} columns in {line.strip()[:30]!r}; a slide holds {COLUMNS}"
                yield Problem(what, "break the line (or name a part of it)", at)


def threads_are_said(notebook: NotebookNode) -> Iterator[Problem]:
    """A small model in several threads waits for its busy neighbours: `models.cores`."""
    for at, cell in parts.code_cells(notebook):
        if "load_pair(" in cell.source:
            if "set_num_threads(" not in cell.source.partition("load_pair(")[0]:
                to_do = "put `torch.set_num_threads(threads_for(pair))` before it"
                yield Problem("it loads a pair for as many threads as there are cores", to_do, at)
            return


def closing(notebook: NotebookNode) -> Iterator[Problem]:
    text = "\n\n".join(cell.source for _, cell in parts.prose(notebook))
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    if headings[-2:] != ["Summary", "Further reading"]:
        to_do = "end with `## Summary` and `## Further reading`"
        yield Problem(f"the last two headings are {headings[-2:]}", to_do)
        return
    summary, _, reading = text.rpartition("\n## Further reading")
    bullets = _bullets(summary.rpartition("## Summary")[2])
    if len(bullets) != 3:
        yield Problem(f"the summary has {len(bullets)} bullets", "say it in three")
    works = _bullets(reading)
    if not works:
        yield Problem("nothing under Further reading", "cite the sources of the lesson")
    for work in works:
        if not re.search(r"\b(19|20)\d\d\b|https?://", work):
            to_do = "give authors, year, title and where it is"
            yield Problem(f"{work[:40]!r} is no citation: it has no year and no link", to_do)


def columns(line: str) -> int:
    """How wide a line is in a fixed-width font.

    >>> columns("人工 = 2")
    8
    """
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def _bullets(text: str) -> list[str]:
    return re.findall(r"^[*-] (.+(?:\n  .+)*)", text, re.MULTILINE)


def _only_imports(source: str) -> bool:
    try:
        statements = ast.parse(source).body
    except SyntaxError:
        return False
    return bool(statements) and all(
        isinstance(statement, ast.Import | ast.ImportFrom) for statement in statements
    )


FRAME = (
    title,
    objectives,
    needs,
    imports_first,
    parameters_second,
    slides,
    threads_are_said,
    closing,
)
