"""`make progress` over a class: progress by student, whatever files are in a home."""

import json
import os

import pytest

from course_utils.__main__ import main
from course_utils.classroom.progress import FILE

PASSED = json.dumps({"tokens_per_round": "passed", "accepted_length": "wrong"})


@pytest.fixture
def school(tmp_path):
    """A folder with the homes of two students, one of whom passed an exercise of lesson 01."""
    for name, record in (("ann", PASSED), ("bob", "{}")):
        lessons = tmp_path / "homes" / name / "my_lessons"
        lessons.mkdir(parents=True)
        (lessons / FILE).write_text(record)
    return tmp_path / "homes"


@pytest.fixture
def table(school, capsys):
    """Return the rows by student, and stderr."""

    def printed(status=0):
        assert main(["progress", "--homes", str(school)]) == status
        out, err = capsys.readouterr()
        assert all(one.isprintable() or one == "\n" for one in out + err)  # no cursor moves
        rows = [line.split() for line in out.split("\n\n")[0].splitlines()]
        return {row[0]: row[1:] for row in rows}, err

    return printed


def test_a_row_for_each_student_and_a_column_for_each_lesson(school, table):
    (school / "cleo").mkdir()
    (school / "bob/my_lessons" / FILE).write_text('{"tokens_per_round": "passed", broken')
    rows, err = table()
    assert rows["student"][:3] == ["00", "01", "02"]
    assert rows["ann"][1].startswith("1/")
    assert rows["ann"][0].startswith("0/")
    assert rows["bob"] == rows["ann"]  # as far as it can be read
    assert set(rows["cleo"]) == {"–"}
    assert (err.count("\n"), "bob" in err) == (1, True)


def link(path):
    path.symlink_to(path.parents[2] / "ann/my_lessons" / FILE)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, link])
def test_what_is_no_record_is_named_and_the_others_are_shown(school, table, make):
    (school / "\x1b[2Jeve/my_lessons").mkdir(parents=True)
    make(school / "\x1b[2Jeve/my_lessons" / FILE)
    rows, err = table(status=1)
    assert set(rows) == {"student", "ann", "bob"}
    assert ("eve" in err, err.count("\n")) == (True, 1)
