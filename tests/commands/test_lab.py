"""`make lab`: the copies are brought up to date, then JupyterLab is started on them."""

import json
import os
from urllib.request import urlopen

import pytest

from course_utils.__main__ import main
from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.commands import lab
from workshop.browser import served


def test_the_server_shows_the_students_copies(tmp_path):
    folder = tmp_path / "mine"
    command = ["course_utils", "lab", f"--folder={folder}", "--no-browser"]
    options = ["--IdentityProvider.token=t", "--LabApp.news_url=None"]
    with served([*command, *options], "--ServerApp.port={}", str(tmp_path)) as address:
        names = {entry.name for entry in folder.glob("*.ipynb")}
        assert {path.name for path in NOTEBOOKS.glob("[0-9]*.ipynb")} == names
        electives = {entry.name for entry in (folder / "electives").iterdir()}
        assert {path.name for path in NOTEBOOKS.glob("electives/*")} == electives
        with urlopen(f"{address}/api/contents/mine?token=t") as answer:
            listed = {entry["name"] for entry in json.load(answer)["content"]}
        assert listed == names | {"electives", "progress.json"}
        with urlopen(f"{address}/?token=t") as page:
            assert f"/lab/tree/mine/{lab.START}" in page.url


@pytest.fixture
def started(monkeypatch):
    """What would replace this process, and with which environment."""
    found = {}

    def execv(program, command):
        found.update(command=command, environment=dict(os.environ))

    monkeypatch.setattr(os, "execv", execv)
    for name in ("OMP_WAIT_POLICY", "OMP_NUM_THREADS"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    return found


@pytest.mark.parametrize("command", [["lab"], ["present", "--no-browser"]])
def test_kernels_take_the_cores_they_are_given_and_do_not_spin(started, tmp_path, command):
    main([*command, *(["--folder", str(tmp_path)] if command == ["lab"] else [])])
    environment = started["environment"]
    assert environment["OMP_WAIT_POLICY"] == "PASSIVE"
    assert 1 <= int(environment["OMP_NUM_THREADS"]) <= os.cpu_count()


def test_what_lab_does_not_know_goes_to_jupyterlab_and_originals_are_not_copied(started):
    before = sorted(NOTEBOOKS.iterdir())
    main(["lab", "--folder", str(NOTEBOOKS), "--no-browser", "--port", "8899"])
    assert started["command"][-3:] == ["--no-browser", "--port", "8899"]
    assert f"--LabApp.default_url=/lab/tree/notebooks/{lab.START}" in started["command"]
    assert sorted(NOTEBOOKS.iterdir()) == before
