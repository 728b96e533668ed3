"""The page to present: every widget once, in the order in which it is driven and described."""

import os
import re
from itertools import pairwise

import nbformat
import pytest

from course_utils.__main__ import main
from course_utils.classroom.card import Card
from course_utils.commands import present
from course_utils.commands.gallery import gallery
from tests.browser.drive import DRIVES


def test_the_page_shows_every_widget_of_the_gallery_and_each_is_driven(pair):
    page = nbformat.read(present.PAGE, as_version=4)
    shown = re.findall(r'cards\["(.+)"\]', "\n".join(cell.source for cell in page.cells))
    cards = gallery(pair)
    assert shown == list(cards) == list(DRIVES)
    assert all(isinstance(card, Card) for card in cards.values())


def test_the_page_is_stored_from_a_fresh_run_in_order():
    page = nbformat.read(present.PAGE, as_version=4)
    counts = [cell.execution_count for cell in page.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))
    outputs = [output for cell in page.cells for output in cell.get("outputs", [])]
    assert len(outputs) == len(DRIVES)
    assert not [o for o in outputs if "application/vnd.jupyter.widget-view+json" in o.data]


def test_every_widget_comes_with_a_question_to_ask():
    cells = nbformat.read(present.PAGE, as_version=4).cells
    for before, cell in pairwise(cells):
        if cell.source.startswith('cards["'):
            assert "**Ask: " in before.source


def test_the_command_serves_the_page_with_the_courses_template(monkeypatch):
    calls = []
    monkeypatch.setattr(os, "execv", lambda program, command: calls.append(command))
    monkeypatch.setenv("JUPYTER_PATH", "elsewhere")
    present.main(["--port", "1234", "--theme", "dark", "--no-browser"])
    assert {"--template=course", "--port=1234", "--theme=dark", "--no-browser"} < set(calls[0])
    assert str(present.PAGE) in calls[0]
    assert os.environ["JUPYTER_PATH"] == f"{present.TEMPLATES}{os.pathsep}elsewhere"


@pytest.mark.parametrize("port", ["-1", "0", "99999"])
def test_a_port_that_is_none_is_refused(capsys, port):
    assert main(["present", "--port", port]) == 2
    assert capsys.readouterr().err == (
        f"error: --port is {port}; a port is a number from 1 to 65535\n"
    )


def test_without_the_page_it_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setattr(present, "PAGE", tmp_path / "present.ipynb")
    with pytest.raises(FileNotFoundError, match="from a clone of the course"):
        present.main([])
