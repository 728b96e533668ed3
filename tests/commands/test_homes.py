"""`make progress` over a class: who passed what, whatever a student put into their home."""

import json
import os

import pytest

from course_utils.__main__ import main
from course_utils.classroom import progress
from course_utils.commands import progress as command

PASSED = {"tokens_per_round": "passed", "accepted_length": "wrong"}


@pytest.fixture
def school(tmp_path):
    """A folder with the homes of two students, one of whom passed an exercise of lesson 01."""
    for name, record in (("ann", PASSED), ("bob", {})):
        lessons = tmp_path / "homes" / name / "my_lessons"
        lessons.mkdir(parents=True)
        (lessons / progress.FILE).write_text(json.dumps(record))
    return tmp_path / "homes"


def shown(folder, capsys, status=0):
    """The rows by their students, and what was said beside them."""
    assert main(["progress", "--homes", str(folder)]) == status
    captured = capsys.readouterr()
    rows = [line.split() for line in captured.out.split("\n\n")[0].splitlines()]
    return {row[0]: row[1:] for row in rows}, captured.err


def test_a_row_for_each_student_a_column_for_each_lesson(school, capsys):
    rows, said = shown(school, capsys)
    assert rows["student"][:3] == ["00", "01", "02"]
    assert rows["ann"][1].startswith("1/")
    assert rows["bob"][1] == rows["ann"][1].replace("1/", "0/", 1)
    assert [" ".join(rows[name][-6:-3])[:4] for name in ("ann", "bob")] == ["1 of", "0 of"]
    assert said == ""


def everything(folder):
    return {
        path: (path.stat().st_mtime_ns, path.stat().st_mode, path.is_file() and path.read_bytes())
        for path in [folder, *folder.rglob("*")]
    }


def test_nothing_is_written(school, capsys):
    (school / "ann/my_lessons" / progress.FILE).write_text('{"tokens_per_round": "passed", broken')
    before = everything(school)
    rows, said = shown(school, capsys)
    assert everything(school) == before
    assert rows["ann"][1].startswith("1/")
    assert said == "damaged, what could be read of it counts: ann\n"


def link_of_the_record(home, secret):
    (home / "my_lessons").mkdir()
    (home / "my_lessons" / progress.FILE).symlink_to(secret)


def link_of_the_lessons(home, secret):
    (home / "my_lessons").symlink_to(secret.parent)


def pipe(home, secret):
    (home / "my_lessons").mkdir()
    os.mkfifo(home / "my_lessons" / progress.FILE)


def folder_in_its_place(home, secret):
    (home / "my_lessons" / progress.FILE).mkdir(parents=True)


def endless(home, secret):
    (home / "my_lessons").mkdir()
    with (home / "my_lessons" / progress.FILE).open("wb") as file:
        file.truncate(2**40)


@pytest.mark.parametrize(
    ("put", "why"),
    [
        (link_of_the_record, "a link"), (link_of_the_lessons, "a link"), (pipe, "no plain file"),
        (folder_in_its_place, "no plain file"), (endless, "larger than 1 MB"),
    ],
)  # fmt: skip
def test_a_hostile_home_is_named_and_the_others_are_shown(school, capsys, tmp_path, put, why):
    secret = tmp_path / "elsewhere" / progress.FILE
    secret.parent.mkdir()
    secret.write_text(json.dumps(PASSED))
    (school / "eve").mkdir()
    put(school / "eve", secret)
    rows, said = shown(school, capsys, status=1)
    assert "eve" not in rows
    assert rows["ann"][1].startswith("1/")
    assert said.startswith("not read: eve: ")
    assert why in said


def test_a_link_among_the_homes_is_not_followed(school, capsys):
    (school / "zoe").symlink_to(school / "ann")
    rows, said = shown(school, capsys, status=1)
    assert "zoe" not in rows
    assert said == "not read: zoe: a link, or no folder, lies in the way\n"


def test_a_file_of_another_account_is_no_record(school, capsys):
    if os.getuid() != 0:
        pytest.skip("not as root: no file of another account can be made")
    os.chown(school / "ann/my_lessons" / progress.FILE, 12345, 12345)
    _, said = shown(school, capsys, status=1)
    assert said == f"not read: ann: {progress.FILE} belongs to another account than the home\n"


@pytest.mark.parametrize("name", ["\x1b[2J<b>x", "a\u202eb", "\udcff", "x" * 200])
def test_a_name_moves_no_cursor(school, capsys, name):
    os.mkdir(os.fsencode(school) + b"/" + os.fsencode(name))
    assert main(["progress", "--homes", str(school)]) == 0
    captured = capsys.readouterr()
    text = captured.out + captured.err
    assert all(one.isprintable() or one == "\n" for one in text)
    assert command.printable_name(name) in text
    assert len(command.printable_name(name)) <= command.MAX_NAME_CHARACTERS


@pytest.mark.parametrize(
    "record", ["[" * 10**5, '{"report": 5}', '{"x": ' + "9" * 10**5 + "}", "\x00\xff", "null"]
)
def test_a_broken_record_counts_as_far_as_it_can_be_read(school, capsys, record):
    (school / "bob/my_lessons" / progress.FILE).write_text(record, "latin-1")
    rows, said = shown(school, capsys)
    assert rows["bob"][1].startswith("0/")
    assert said == "damaged, what could be read of it counts: bob\n"


def test_a_home_without_lessons_is_a_row_without_figures(school, capsys):
    (school / "cleo").mkdir()
    (school / ".hidden").mkdir()
    rows, said = shown(school, capsys)
    assert set(rows["cleo"]) == {"–"}
    assert ".hidden" not in rows
    assert said == "nothing recorded yet: cleo\n"


def test_a_home_that_cannot_be_read(school, capsys, monkeypatch):
    real = os.open

    def closed(path, *given, **more):
        if str(path).endswith("ann"):
            raise PermissionError(13, "Permission denied")
        return real(path, *given, **more)

    monkeypatch.setattr(os, "open", closed)
    rows, said = shown(school, capsys, status=1)
    assert said == "not read: ann: Permission denied\n"
    assert "bob" in rows


@pytest.mark.parametrize("what", ["nothing", "empty", "file"])
def test_no_folder_with_homes(tmp_path, capsys, what):
    if what == "empty":
        (tmp_path / what).mkdir()
    if what == "file":
        (tmp_path / what).write_text("")
    assert main(["progress", "--homes", str(tmp_path / what)]) == 2
    assert capsys.readouterr().err.startswith("error: ")
