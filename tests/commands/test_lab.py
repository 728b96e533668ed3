"""`make lab`: the copies are updated, then JupyterLab is started on them."""

import json
import os
from urllib.request import urlopen

import pytest

from course_utils.__main__ import main
from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.commands import lab, present
from course_utils.commands.talk import ADDRESS
from deploy import limits
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
            listed = {entry["name"] for entry in json.load(answer)["content"]}
        assert listed == names | {"electives", "progress.json"}
        with urlopen(f"{address}/?token=t") as page:
            assert f"/lab/tree/mine/{lab.START}" in page.url


@pytest.fixture
def started(monkeypatch):
    """The command that would replace this process, and its environment."""
    process = {}

    def execv(program, command):
        process.update(command=command, environment=dict(os.environ))

    monkeypatch.setattr(os, "execv", execv)
    for name in ("OMP_WAIT_POLICY", "OMP_NUM_THREADS", "JUPYTER_PATH", ADDRESS):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    return process


def test_what_lab_does_not_know_goes_to_jupyterlab_and_originals_are_not_copied(started):
    before = sorted(NOTEBOOKS.iterdir())
    main(["lab", "--folder", str(NOTEBOOKS), "--no-browser", "--port", "8899"])
    assert started["command"][-3:] == ["--no-browser", "--port", "8899"]
    assert set(lab.OFFLINE) < set(started["command"])
    assert set(lab.OFFLINE) < set(limits.SERVER)  # as in a class
    assert f"--LabApp.default_url=/lab/tree/notebooks/{lab.START}" in started["command"]
    assert sorted(NOTEBOOKS.iterdir()) == before
    assert started["environment"]["OMP_WAIT_POLICY"] == "PASSIVE"  # kernels that wait do not spin
    assert 1 <= int(started["environment"]["OMP_NUM_THREADS"]) <= os.cpu_count()


def test_present_serves_the_page_with_the_courses_template(started, monkeypatch, tmp_path):
    monkeypatch.setenv("JUPYTER_PATH", "elsewhere")
    main(["present", "--port", "1234", "--theme", "dark", "--no-browser", "--address", "a.org"])
    options = {"--template=course", "--port=1234", "--theme=dark", "--no-browser"}
    assert options | {str(present.PAGE)} < set(started["command"])
    paths = f"{present.TEMPLATES}{os.pathsep}elsewhere"
    assert started["environment"]["JUPYTER_PATH"] == paths
    assert started["environment"][ADDRESS] == "a.org"
    monkeypatch.setattr(present, "PAGE", tmp_path / "present.ipynb")
    with pytest.raises(FileNotFoundError, match="from a clone of the course"):
        present.main([])
