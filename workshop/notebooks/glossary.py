"""The rule for terms: where a lesson first uses one, it is a link to the glossary's entry.

First means: first set in bold, `**residual**`, or, if it never is, its first plain use.
Everyday words ("round", "accepted") count only in bold, since most of their uses explain
themselves.  Titles, tables, code, formulas, links, what is folded, the opening and the
closing are left as they are, and a term is linked once in a lesson.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_utils.classroom.notebooks import is_elective, trunk
from workshop.notebooks import parts
from workshop.notebooks.parts import FIX, Problem

PAGE = "../GLOSSARY.md"  # from the folder of the lessons
EVERYDAY = {
    *("accepted", "audit", "candidates", "certificate", "correction", "distribution"),
    *("examined", "level", "node", "rank", "rejected", "round", "row", "slot", "surprise"),
    *("trace", "turn", "verification"),
}
_ROW = re.compile(r'^\| ((?:<a id="[^"]+"></a>)+)([^|]+) \|', re.MULTILINE)
_CLOSING = re.compile(r"^## Summary$.*", re.MULTILINE | re.DOTALL)
_LEFT_ALONE = re.compile(
    r"<details>.*?</details>|```.*?```|`[^`\n]*`|\$\$.*?\$\$|\$[^$\n]*\$|!?\[[^\]]*\]\([^)]*\)"
    r"|</?[a-z][^>\n]*>|^#.*?$|^\|.*?$|^\*Difficulty:.*?$",
    re.DOTALL | re.MULTILINE,
)
_BOLD = r"\*\*.+?\*\*"

Place = tuple[int, int, int]  # index of the cell, where the words begin in it, where they end


def terms(folder: Path) -> dict[str, str]:
    """{term: its anchor in the glossary} beside the folder of the lessons; {} without one.

    Of two terms with one beginning the longer comes first.
    """
    page = folder / PAGE
    found = {}
    for anchors, names in _ROW.findall(page.read_text("utf-8") if page.exists() else ""):
        found |= dict(zip(names.split(", "), re.findall(r'"([^"]+)"', anchors), strict=True))
    return dict(sorted(found.items(), key=lambda item: -len(item[0])))


def address(path: Path) -> str:
    """Of the glossary, as a lesson links it."""
    return f"../{PAGE}" if is_elective(path) else PAGE


def terms_lead_to_the_glossary(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    """Each term that the lesson uses is linked where it is first used, and only there."""
    known, page = terms(trunk(path)), address(path)
    for term, anchor in known.items():
        link = f"({page}#{anchor})"
        links = [at for at, c in parts.prose(notebook) for _ in range(c.source.count(link))]
        if not links and (place := first_use(notebook, term, known)):
            yield Problem(f"{term!r} is no link to the glossary", FIX, place[0])
        for at in links[1:]:
            yield Problem(f"{term!r} is linked to the glossary twice", "link its first use", at)


def linked(notebook: NotebookNode, path: Path) -> NotebookNode:
    """A copy in which each term's first use is a link."""
    copy, known = nbformat.from_dict(notebook), terms(trunk(path))
    for term, anchor in known.items():
        link = f"({address(path)}#{anchor})"
        if any(link in cell.source for _, cell in parts.prose(copy)):
            continue
        if place := first_use(copy, term, known):
            at, begin, end = place
            text = copy.cells[at].source
            copy.cells[at].source = f"{text[:begin]}[{text[begin:end]}]{link}{text[end:]}"
    return copy


def first_use(notebook: NotebookNode, term: str, known: Iterable[str] = ()) -> Place | None:
    """Where the lesson first sets a term in bold; else where it first says it.

    Args:
        known: all terms; a use within a longer one, "greedy match", is none of "greedy".
    """
    words = _words(term)
    # "the **target**" speaks of the target model
    in_bold = words.replace(r"\s+model", r"(?:\s+model)?")
    longer = [_words(other) for other in known if term in other and term != other]
    bold = re.compile(rf"\*\*{in_bold}s?\*\*", re.IGNORECASE)
    plain = re.compile(rf"(?<![\w/-]){words}s?(?![\w/-])", re.IGNORECASE)
    hide = re.compile("|".join([_BOLD, *longer]), re.IGNORECASE | re.DOTALL)
    return _first(notebook, bold) or (None if term in EVERYDAY else _first(notebook, plain, hide))


def _words(term: str) -> str:
    """A pattern for it, with the ends of lines that may stand between its words."""
    return r"\s+".join(map(re.escape, term.split()))


def _first(notebook: NotebookNode, words: re.Pattern, hide: re.Pattern | None = None):
    for at, cell in parts.prose(notebook)[1:]:
        text = _hidden(_LEFT_ALONE, _hidden(_CLOSING, cell.source))
        text = _hidden(hide, text) if hide else text
        if found := words.search(text):
            return at, found.start(), found.end()
        if _CLOSING.search(cell.source):
            break
    return None


def _hidden(pattern: re.Pattern, text: str) -> str:
    """The text with blanks in place of what matches, so that all else stays where it is."""
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
