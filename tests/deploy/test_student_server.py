"""The preparation of a student's home before their server starts."""

from deploy import student_server
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
