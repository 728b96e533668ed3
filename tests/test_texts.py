"""The texts of the course: working links and existing commands."""

import re
from pathlib import Path

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from course_utils.__main__ import COMMANDS
from workshop.__main__ import COMMANDS as AUTHORS_COMMANDS
from workshop.notebooks.links import links_lead_somewhere

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "GLOSSARY", "REFERENCES")),
    *(ROOT / folder / "README.md" for folder in ("data", "deploy", "stage")),
    *sorted((ROOT / "notebooks").glob("*.md")),
]
TARGETS = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere_and_commands_exist(page):
    text = page.read_text("utf-8")
    problems = links_lead_somewhere(new_notebook(cells=[new_markdown_cell(text)]), page)
    # links from a student's copy matter only in lessons
    assert [p.what for p in problems if "student's copy" not in p.what] == []
    assert set(re.findall(r"-m course_utils ([a-z][\w-]*)", text)) <= set(COMMANDS)
    assert set(re.findall(r"-m workshop ([a-z][\w-]*)", text)) <= set(AUTHORS_COMMANDS)
    assert set(re.findall(r"(?:^|`)make ([a-z0-9-]+)", text, re.MULTILINE)) <= TARGETS
