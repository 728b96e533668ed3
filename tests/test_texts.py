"""The texts of the course: working links, existing commands, no retired words or names."""

import ast
import re
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from course_utils.__main__ import COMMANDS
from course_utils.classroom.notebooks import lesson_paths
from workshop.__main__ import COMMANDS as AUTHORS_COMMANDS
from workshop.notebooks.links import links_lead_somewhere

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "GLOSSARY", "REFERENCES")),
    *(ROOT / folder / "README.md" for folder in ("data", "deploy", "stage")),
    *sorted((ROOT / "notebooks").glob("*.md")),
]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
RETIRED = (ROOT / "GLOSSARY.md").read_text("utf-8").partition("\n| say | not |\n|---|---|\n")[2]
RETIRED_NAMES = {*re.findall(r"`(\w+)`", RETIRED)}  # in code, as names
WORDS = "|".join(", ".join(re.findall(r"\| ([a-z ,]+) \|\n", RETIRED)).split(", "))
RETIRED_PROSE = rf"\b(?:{WORDS})\b|, for it "
DOCUMENTED = ast.Module, ast.ClassDef, ast.FunctionDef
TARGETS = set(re.findall(r"^([a-z0-9-]+):", MAKEFILE, re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere_and_commands_exist(page):
    text = page.read_text("utf-8")
    problems = links_lead_somewhere(new_notebook(cells=[new_markdown_cell(text)]), page)
    # links from a student's copy matter only in lessons
    assert [p.what for p in problems if "student's copy" not in p.what] == []
    assert set(re.findall(r"-m course_utils ([a-z][\w-]*)", text)) <= set(COMMANDS)
    assert set(re.findall(r"-m workshop ([a-z][\w-]*)", text)) <= set(AUTHORS_COMMANDS)
    assert set(re.findall(r"`make ([a-z0-9-]+)", text)) <= TARGETS


def test_the_commands_of_the_readme_can_be_copied():
    """They have no placeholder, and each target of make exists; so do the two that are named."""
    text = (ROOT / "README.md").read_text("utf-8")
    commands = "\n".join(re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    assert "make lab" in commands
    assert re.findall(r"ADDRESS|OWNER|REPOSITORY|YOUR-|<[a-z-]+>", text) == []
    assert set(re.findall(r"^make ([a-z0-9-]+)", commands, re.MULTILINE)) <= TARGETS
    assert "`make test`" in text


def test_no_lesson_imports_what_only_authors_have():
    assert [p.name for p in lesson_paths() if "from workshop" in p.read_text("utf-8")] == []


def test_retired_names_and_phrases_are_gone():
    texts = [(page, "", page.read_text("utf-8").partition("\n## Retired")[0]) for page in PAGES]
    for folder in ("course_utils", "workshop", "tests"):
        texts += [(path, path.read_text("utf-8"), "") for path in ROOT.glob(f"{folder}/**/*.py")]
    for path in ROOT.glob("notebooks/**/*.ipynb"):
        for at, cell in enumerate(nbformat.read(path, 4).cells):
            sources = (cell.source, "") if cell.cell_type == "code" else ("", cell.source)
            texts.append((f"{path}, cells[{at}]", *sources))
    problems = []
    for place, code, prose in texts:
        nodes = list(ast.walk(ast.parse(code)))
        docstrings = [ast.get_docstring(n) or "" for n in nodes if isinstance(n, DOCUMENTED)]
        names = {str(getattr(n, f, "")) for n in nodes for f in ("id", "arg", "attr", "name")}
        retired = [name for name in names if name.strip("_") in RETIRED_NAMES]
        retired += re.findall(RETIRED_PROSE, "\n".join([prose, *docstrings]))
        problems += [f"{place}: {word}" for word in retired]
    assert not problems, "\n".join(problems)
