"""One word a meaning: what the glossary has retired stands nowhere in the course."""

import re
from pathlib import Path

import pytest

from course_utils.classroom import progress
from course_utils.classroom.notebooks import NOTEBOOKS, read_lesson

ROOT = NOTEBOOKS.parent
PAGES = ("instructor", "project", "cheatsheet")
GLOSSARY, _, _TABLE = (ROOT / "GLOSSARY.md").read_text("utf-8").partition("## Retired words")
SAY = dict(re.findall(r"^\| (\w[^|]*) \| ([^|]+) \|$", _TABLE, re.MULTILINE))
RETIRED = [word for words in SAY.values() for word in words.split(", ") if words != "not"]
ONCE = "|".join(progress.RENAMED)  # what older records call an exercise is a name, no word
# a word of its own, or a part of a name such as `exact_law` and `LawView`
WORD = re.compile(rf"(?i:(?<![a-z])(?!(?:{ONCE})\b)({'|'.join(RETIRED)}))(?![a-z])")
# Of a draft only: whoever says that a file is kept says it well.
GUESS, KEPT = r"(?:draft(?:s|ed)?|guess(?:es|ed)?)", r"(?:kept|keep(?:s|ing)?|stay(?:s|ed|ing)?)"
ACCEPTED = re.compile(
    rf"\b(?:{GUESS}(?:[ \n]+\w+){{0,2}}?[ \n]+{KEPT}|{KEPT}(?:[ \n]+\w+){{0,3}}?[ \n]+{GUESS})\b",
    re.I,
)
# "a token a call"
PER = re.compile(
    r"\b(?:tokens?|calls?|passes) (?:drafted |accepted )?a (?:call|pass|second|round)\b"
)


def pages():
    """(where, text) of all that a student or a reader of the code may read."""
    for path in [*NOTEBOOKS.glob("*.ipynb"), *NOTEBOOKS.glob("electives/*.ipynb")]:
        for place, cell in enumerate(read_lesson(path).cells):
            yield f"{path.name}, cell {place}", cell.source
    for folder in ("course_utils", "tests", "deploy"):
        for path in (*(ROOT / folder).rglob("*.py"), *(ROOT / folder).glob("lessons/*/*.md")):
            if path != Path(__file__):
                yield str(path.relative_to(ROOT)), path.read_text("utf-8")
    names = "README.md", "CONTRIBUTING.md", "data/README.md", "deploy/README.md"
    names += "site/index.md", "site/scenes.md"
    for name in (*names, *(f"notebooks/{page}.md" for page in PAGES)):
        yield name, (ROOT / name).read_text("utf-8")
    yield "GLOSSARY.md", GLOSSARY


def found(pattern, texts):
    return [
        f"{where}: ...{text[max(hit.start() - 30, 0) : hit.end() + 30]!r}"
        for where, text in texts
        for hit in pattern.finditer(text)
    ]


def test_the_table_is_read():
    assert {"law", "coin", "survives"} < {*RETIRED}
    assert len(SAY) > 3


@pytest.mark.parametrize("pattern", [WORD, ACCEPTED, PER], ids=["word", "accepted", "per"])
def test_no_retired_word_is_left(pattern):
    left = found(pattern, pages())
    assert not left, f"{len(left)} places; GLOSSARY.md says which word to take:\n" + "\n".join(left)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (WORD, "The law of the text"),
        (WORD, "def exact_law():"),
        (WORD, "class LawView:"),
        (WORD, "Coins are thrown."),
        (ACCEPTED, "how many drafts stay"),
        (ACCEPTED, "a drafted token stays"),
        (ACCEPTED, "keeps the whole draft"),
        (PER, "2.5 tokens a round"),
    ],
)
def test_a_retired_word_is_found(pattern, text):
    assert found(pattern, [("here", text)])


@pytest.mark.parametrize("text", ["a lawn", "claws", "coincide", "the flaw", "The file is kept."])
def test_other_words_are_left_alone(text):
    assert not found(WORD, [("here", text)])
    assert not found(ACCEPTED, [("here", text)])
