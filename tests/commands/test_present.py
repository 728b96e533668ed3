"""The command that shows the talk, its page, and the talk as one file."""

import os

import nbformat
import pytest

from course_utils.__main__ import main
from course_utils.commands import gallery, present
from course_utils.commands.talk import slides
from workshop.notebooks import repairs


def test_the_page_is_stored_from_a_fresh_run_and_shows_the_talk():
    page = nbformat.read(present.PAGE, as_version=4)
    code = [cell for cell in page.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    (shown,) = [output.data for cell in code for output in cell.get("outputs", [])]
    assert all(slide.title in shown["text/html"] for slide in slides())
    assert repairs.WIDGET_VIEW not in shown


def test_the_command_serves_the_page_with_the_courses_template(monkeypatch):
    calls = []
    monkeypatch.setattr(os, "execv", lambda program, command: calls.append(command))
    monkeypatch.setenv("JUPYTER_PATH", "elsewhere")
    present.main(["--port", "1234", "--theme", "dark", "--no-browser"])
    assert {"--template=course", "--port=1234", "--theme=dark", "--no-browser"} < set(calls[0])
    assert str(present.PAGE) in calls[0]
    assert os.environ["JUPYTER_PATH"] == f"{present.TEMPLATES}{os.pathsep}elsewhere"


def test_without_the_page_it_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setattr(present, "PAGE", tmp_path / "present.ipynb")
    with pytest.raises(FileNotFoundError, match="from a clone of the course"):
        present.main([])


def test_the_talk_as_one_file_holds_everything_and_is_small(tmp_path, monkeypatch, fast, capsys):
    monkeypatch.setattr(gallery, "loaded", lambda: fast)
    file = tmp_path / "new" / "scenes.html"
    assert main(["present", "--static", str(file)]) == 0
    assert "scenes.html: 0." in capsys.readouterr().out
    page = file.read_text("utf-8")
    assert file.stat().st_size <= 1_000_000
    assert 'data-course-scene="deck"' in page
    addresses = page.replace("http://www.w3.org/", "").replace("https://www.w3.org/", "")
    assert "http" not in addresses
