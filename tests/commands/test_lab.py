"""`lab` and `present`: which server replaces the command, and on which folder."""

import json
import os
from urllib.request import urlopen

import pytest

from course_utils.__main__ import main
from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.commands import lab, present
from course_utils.commands.talk import ADDRESS
from workshop.browser import server_at


@pytest.mark.slow
def test_the_server_shows_the_students_copies(tmp_path):
    folder = tmp_path / "mine"
    command = ["course_utils", "lab", f"--folder={folder}", "--no-browser"]
    options = ["--IdentityProvider.token=t", "--LabApp.news_url=None"]
    with server_at([*command, *options], "--ServerApp.port={}", str(tmp_path)) as address:
        names = {entry.name for entry in folder.glob("*.ipynb")}
        assert {path.name for path in NOTEBOOKS.glob("[0-9]*.ipynb")} == names
        with urlopen(f"{address}/api/contents/mine?token=t") as answer:
            assert names < {entry["name"] for entry in json.load(answer)["content"]}


@pytest.fixture
def started(monkeypatch):
    """The command that would replace this process, and its environment."""
    process = {}

    def execv(program, command):
        process.update(command=command, environment=dict(os.environ))

    monkeypatch.setattr(os, "execv", execv)
    for name in ("JUPYTER_PATH", ADDRESS):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    return process


def test_unknown_options_go_to_jupyterlab_and_originals_are_not_copied(started):
    before = sorted(NOTEBOOKS.iterdir())
    main(["lab", "--folder", str(NOTEBOOKS), "--no-browser", "--port", "8899"])
    assert started["command"][-3:] == ["--no-browser", "--port", "8899"]
    assert set(lab.OFFLINE) < set(started["command"])
    assert sorted(NOTEBOOKS.iterdir()) == before


def test_present_serves_the_page_with_the_courses_template(started):
    main(["present", "--theme", "dark", "--no-browser", "--address", "a.org"])
    assert {"--template=course", str(present.PAGE)} < set(started["command"])
    assert started["command"][-3:] == ["--theme", "dark", "--no-browser"]
    assert started["environment"]["JUPYTER_PATH"] == str(present.TEMPLATES)
    assert started["environment"][ADDRESS] == "a.org"
