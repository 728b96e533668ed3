"""The page to present: every widget once, in the order in which it is driven and described."""

import os

import nbformat
import pytest

from course_utils.__main__ import main
from course_utils.authoring import repair
from course_utils.classroom.card import NOT_RUN, Card
from course_utils.commands import present
from course_utils.commands.gallery import EXHIBITS, gallery
from tests.browser.drive import DRIVES, NAMES


def test_the_gallery_has_every_exhibit_and_none_is_driven_in_vain(pair):
    cards = gallery(pair)
    assert list(cards) == NAMES == list(DRIVES)
    assert all(isinstance(card, Card) for card in cards.values())
    assert all(card.still is not NOT_RUN for card in cards.values())


def test_the_page_is_stored_from_a_fresh_run_with_words_and_a_printed_form_for_each():
    page = nbformat.read(present.PAGE, as_version=4)
    counts = [cell.execution_count for cell in page.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))
    shown = [output.data for cell in page.cells for output in cell.get("outputs", [])]
    assert [data["text/markdown"] for data in shown[::2]] == [e.words for e in EXHIBITS]
    assert all({"text/html", "image/svg+xml"} & set(data) for data in shown[1::2])
    assert not [data for data in shown if repair.WIDGET_VIEW in data]


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=NAMES)
def test_every_widget_comes_with_a_question_to_ask(exhibit):
    assert exhibit.words.startswith("#")
    assert "**Ask: " in exhibit.words


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
