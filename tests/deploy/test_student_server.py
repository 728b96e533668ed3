"""The preparation of a student's home before their server starts."""

import os
import pwd
from types import SimpleNamespace

import pytest

from deploy import home_check, student_server
from workshop.rehearsal.accounts import ROOT


def test_the_lessons_come_with_what_they_link_to(tmp_path):
    assert student_server.bring_the_lessons(tmp_path) == ""
    (tmp_path / "README.md").write_text("mine")
    assert student_server.link_the_course(tmp_path) == ""
    assert (tmp_path / "README.md").read_text() == "mine"
    assert (tmp_path / "GLOSSARY.md").resolve() == ROOT / "GLOSSARY.md"
    assert (tmp_path / "my_lessons/../GLOSSARY.md").exists()
    changed = tmp_path / "my_lessons" / "01_character_simulator.ipynb"
    changed.write_text(changed.read_text().replace("accepted", "ACCEPTED"))
    mine = changed.read_text()
    assert student_server.bring_the_lessons(tmp_path) == ""
    assert changed.read_text() == mine


def spawner(home):
    name = pwd.getpwuid(os.getuid()).pw_name
    return SimpleNamespace(user_env=lambda env: env | {"HOME": str(home), "USER": name})


def test_a_home_is_checked_before_the_server_starts(tmp_path, monkeypatch):
    home_check.check_home(spawner(tmp_path))
    (tmp_path / "file").touch()
    with pytest.raises(home_check.HomeError):
        home_check.check_home(spawner(tmp_path / "file"))
    monkeypatch.setattr(home_check, "LEAST", 2**70)
    with pytest.raises(home_check.HomeError) as error:
        home_check.check_home(spawner(tmp_path))
    assert error.value.jupyterhub_message == str(error.value)
