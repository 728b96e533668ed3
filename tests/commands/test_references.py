"""What is cited anywhere is listed in REFERENCES.md, and what is listed is cited."""

import re
from functools import cache
from pathlib import Path

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from course_utils.classroom.notebooks import lesson_paths, read_lesson
from workshop.notebooks.links import links_lead_somewhere

ROOT = Path(__file__).parents[2]
LIST = (ROOT / "REFERENCES.md").read_text("utf-8")
_PARTS = re.split(r'^\* <a id="(.+?)"></a>|^## ', LIST, flags=re.MULTILINE)
ENTRIES = {key: text.strip() for key, text in zip(_PARTS[1::2], _PARTS[2::2], strict=True) if key}

# `et al.`, a line's end and a comment's sign may stand between the last surname and the year.
_BETWEEN = r"(?:\s+et\s+al\.)?(?:\s+Team)?,?[\s#]+\(?"
CITATION = re.compile(rf"\b([A-Z][a-zé]+){_BETWEEN}((?:19|20)\d\d)\b")
ARTICLE = re.compile(
    r"\b(?:[Aa]rticles?|[Ss]ources?)[\s:,-]+(\d{3})\b(?:\s+(?:and|to)\s+(\d{3})\b)?"
)
KEY = re.compile(r"REFERENCES\.md(?::\s+|#)([\w-]+(?:(?:,|\s+and)\s+[a-z]+[a-z-]*\d{3,4}[a-z]*)*)")

# Rooms of the tree that are read; test_lint.py holds a made-up lesson with made-up reading.
FILES = [
    *(f for name in ("course_utils", "tests") for f in sorted((ROOT / name).rglob("*.py"))),
    *sorted((ROOT / "course_utils/lessons").glob("*/*.md")),
    *sorted((ROOT / "data" / "engines").glob("*.toml")),
    *sorted((ROOT / "stage" / "formulas").glob("*.mjs")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "GLOSSARY.md", "data/README.md")),
    *sorted((ROOT / "notebooks").glob("*.md")),
]
FILES = [f for f in FILES if f.name not in ("test_lint.py", "test_references.py")]
TEXTS = {str(f.relative_to(ROOT)): f.read_text("utf-8") for f in FILES} | {
    path.name: "\n".join(cell.source for cell in read_lesson(path).cells) for path in lesson_paths()
}


@cache
def words(entry):
    return set(re.findall(r"\w+", entry))


def answers(entry, surname, year):
    return surname in words(entry) and year in entry


def keys(text):
    articles = {f"article-{n}" for m in ARTICLE.finditer(text) for n in m.groups() if n}
    return articles | {k for m in KEY.finditer(text) for k in re.split(r",\s+|\s+and\s+", m[1])}


def unresolved(text):
    """The citations, articles and keys of a text that no entry answers."""
    papers = [
        f"{surname} {year}"
        for surname, year in CITATION.findall(text)
        if not any(answers(entry, surname, year) for entry in ENTRIES.values())
    ]
    return papers + sorted(keys(text) - set(ENTRIES))


@cache
def cited(text):
    return keys(text), set(CITATION.findall(text))


def is_cited(key, text):
    """By its key, by one of its authors and a year, or by the words that its entry begins with."""
    lead = re.match(r"\*\*(.+?)\.?\*\*", ENTRIES[key])[1]
    named, papers = cited(text)
    by_author = any(answers(ENTRIES[key], *found) for found in papers)
    return key in named or by_author or lead in text


def test_what_is_cited_is_listed():
    assert {name: found for name, text in TEXTS.items() if (found := unresolved(text))} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Nobody et al.\n# 1999 says so", ["Nobody 1999"]),
        ("Nobody & Noone (2001)", ["Noone 2001"]),
        ("source articles 001 and 007", ["article-007"]),
        ("(REFERENCES.md: leviathan2023, theorem 3.5)", []),
        ("REFERENCES.md: article-001, article-008", ["article-008"]),
        ("REFERENCES.md: sun2024block and nobody1999", ["nobody1999"]),
        ("[here](../REFERENCES.md#nobody1999)", ["nobody1999"]),
    ],
)
def test_what_is_not_listed_is_found(text, found):
    assert unresolved(text) == found


def test_what_is_listed_is_cited_or_says_why_it_is_listed():
    text = "\n".join(TEXTS.values())
    idle = [key for key in ENTRIES if not is_cited(key, text)]
    assert [key for key in idle if "Listed because: " not in ENTRIES[key]] == []


def test_nothing_passes_for_cited_where_nothing_is():
    text = "Nobody et al. 1999, said in a room without books"
    assert [key for key in ENTRIES if is_cited(key, text)] == []


def test_the_list_is_whole():
    assert len(ENTRIES) == LIST.count("<a id=") > 40
    assert {f"article-00{n}" for n in range(5)} <= set(ENTRIES)


def test_a_link_to_an_entry_leads_there():
    def faults(anchor):
        link = new_markdown_cell(f"see [the paper](../REFERENCES.md#{anchor})")
        found = links_lead_somewhere(new_notebook(cells=[link]), lesson_paths()[0])
        return [fault.what for fault in found]

    assert [faults(key) for key in ENTRIES] == [[]] * len(ENTRIES)
    assert faults("nobody1999") == ["REFERENCES.md has no heading #nobody1999"]


@pytest.mark.parametrize(
    "name", ["README.md", "CONTRIBUTING.md", "GLOSSARY.md", "REFERENCES.md", "data/README.md"]
)
def test_a_link_between_the_pages_leads_somewhere(name):
    page = ROOT / name
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\((?!https?://)([^)#\s]+)", text):
        assert (page.parent / target).exists(), target
    for file, key in re.findall(r"\]\(([^)#\s]*REFERENCES\.md)#([^)\s]+)\)", text):
        assert key in ENTRIES, (file, key)


def test_an_entry_stands_once():
    """A merge of two lists leaves both."""
    anchors = re.findall(r'<a id="(.+?)">', LIST)
    assert [key for key in anchors if anchors.count(key) > 1] == []
