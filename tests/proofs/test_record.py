"""The record of what was passed: whole, never lost, begun again where it was damaged."""

import json
import resource
import subprocess
import sys
from contextlib import contextmanager
from threading import Thread

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course_utils.classroom import progress
from course_utils.classroom.exercise import Exercise
from course_utils.commands import course


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A folder in which the record has begun, and the lesson that is open lies."""
    monkeypatch.setattr(progress, "HERE", tmp_path)
    progress.begin(tmp_path)
    return tmp_path


def check(name, answer):
    return Exercise(name, cases=[()], right=lambda: 4)(lambda: answer)


@contextmanager
def no_room():
    """No file of this process can grow, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def seen(folder):
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith(".lock"))


def test_what_was_passed_stays_passed(tmp_path):
    progress.record("a", "passed", tmp_path)
    assert seen(tmp_path) == []  # nobody asked for a record here
    progress.begin(tmp_path)
    for status in ("wrong", "passed", "wrong"):
        assert progress.record("a", status, tmp_path) == ""
    progress.begin(tmp_path)
    assert progress.recorded(tmp_path) == {"a": "passed"}


def test_attempts_are_recorded_and_untouched_stubs_are_not(mine):
    for name, answer in (("right", 4), ("off", 5), ("open", ...)):
        assert check(name, answer).note == ""
    assert json.loads((mine / progress.FILE).read_text()) == {"right": "passed", "off": "wrong"}


def test_two_lessons_at_once_lose_nothing(mine):
    def lesson(name):
        for i in range(25):
            progress.record(f"{name}{i}", "passed", mine)

    threads = [Thread(target=lesson, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(progress.recorded(mine)) == 50


def test_without_room_nothing_is_begun_and_nothing_left_behind(tmp_path):
    with no_room(), pytest.raises(OSError, match="File too large"):
        progress.begin(tmp_path)
    assert seen(tmp_path) == []


def test_without_room_the_record_stays_whole_and_the_student_is_told(mine):
    check("before", 4)
    with no_room():
        feedback = check("after", 4)
    assert feedback.status == "passed"
    assert "could not be recorded" in feedback.note
    assert "File too large" in feedback.note
    assert progress.recorded(mine) == {"before": "passed"}
    assert seen(mine) == [progress.FILE]


BOTH = b'{"a": "passed"}<<<<<<< HEAD\n"a": "wrong", "b": "passed"\xff'
DAMAGED = [
    (b"", {}),
    (b"[]", {}),
    (b"3", {}),
    (b"\x00" * 40, {}),
    (b"[" * 100_000, {}),
    (b'{"a": 1}', {}),
    (b'{\n "a": "passed",\n "b": "wrong",\n "c": "pas', {"a": "passed", "b": "wrong"}),
    (BOTH, {"a": "passed", "b": "passed"}),
]


@pytest.mark.parametrize(("damage", "kept"), DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_record_is_set_aside_and_what_can_be_read_still_counts(mine, damage, kept):
    (mine / progress.FILE).write_bytes(damage)
    feedback = check("new", 4)
    assert progress.recorded(mine) == kept | {"new": "passed"}
    assert (mine / "progress.damaged.json").read_bytes() == damage
    for shown in (repr(feedback), feedback._repr_html_()):
        assert f"{mine.name}/progress.json was damaged" in shown
        assert f"still counts: {len(kept)} of" in shown
        assert "kept as progress.damaged.json" in shown
    assert check("new", 4).note == ""  # said once


def test_what_make_lab_mends_is_said_by_the_next_check_too(mine):
    (mine / progress.FILE).write_text('{"a": "passed", ')
    note = progress.begin(mine)
    assert "was damaged" in note
    assert progress.begin(mine) == progress.read(mine).note == note
    assert check("a", 4).note == note  # though "a" is passed already
    assert progress.begin(mine) == check("a", 4).note == ""


def test_a_damaged_record_is_set_aside_over_nothing(mine):
    for text in ("one", "two"):
        (mine / progress.FILE).write_text(text)
        check("a", 4)
    assert (mine / "progress.damaged.json").read_text() == "one"
    assert (mine / "progress.damaged2.json").read_text() == "two"


def test_a_record_that_is_a_folder_is_set_aside(mine):
    (mine / progress.FILE).unlink()
    (mine / progress.FILE).mkdir()
    assert "was damaged" in check("a", 4).note
    assert progress.recorded(mine) == {"a": "passed"}
    assert (mine / "progress.damaged.json").is_dir()


def test_a_damaged_record_on_a_full_disk_stays_where_it_is(mine):
    (mine / progress.FILE).write_text("[")
    with no_room():
        assert all("could not be recorded" in check("a", 4).note for _ in range(3))
    assert seen(mine) == [progress.FILE]


@pytest.mark.parametrize(
    "text", ['{"tokens_a_round": "passed"}', '{"tokens_a_round": "passed", "b": "wro']
)
def test_what_was_passed_under_an_older_name_counts_under_todays(mine, text):
    (mine / progress.FILE).write_text(text)
    assert progress.recorded(mine) == {"tokens_per_round": "passed"}
    assert check("tokens_per_round", 5).status == "wrong"
    assert progress.recorded(mine) == {"tokens_per_round": "passed"}


@pytest.mark.parametrize("new", ["passed", "wrong"])
@pytest.mark.parametrize("old", ["passed", "wrong"])
def test_of_two_names_the_better_counts(mine, old, new):
    (mine / progress.FILE).write_text(json.dumps({"tokens_a_round": old, "tokens_per_round": new}))
    best = "passed" if "passed" in (old, new) else "wrong"
    assert progress.recorded(mine) == {"tokens_per_round": best}


def test_a_record_written_by_another_editor_is_whole(mine):
    (mine / progress.FILE).write_text('{"a": "passed"}', "utf-16")
    assert check("b", 4).note == ""
    assert progress.recorded(mine) == {"a": "passed", "b": "passed"}


WRITER = """
import sys
from pathlib import Path
from course_utils.classroom import progress
for i in range(10**6):
    assert not progress.record(f"{sys.argv[1]}_{i}", "passed", Path(sys.argv[2]))
    print(f"{sys.argv[1]}_{i}", flush=True)
"""


def test_no_kill_loses_what_was_recorded(mine):
    acknowledged, living = set(), []
    for number in range(8):
        command = [sys.executable, "-c", WRITER, f"w{number}", str(mine)]
        living.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        if len(living) == 3:
            oldest = living.pop(0)
            acknowledged |= {oldest.stdout.readline().strip() for _ in range(number)}
            oldest.kill()
            acknowledged |= {line.strip() for line in oldest.stdout if line.endswith("\n")}
            oldest.wait()
    for writer in living:
        writer.kill()
        writer.wait()
        writer.stdout.close()
    progress.begin(mine)
    assert len(acknowledged) > 20
    assert acknowledged <= progress.recorded(mine).keys()
    assert seen(mine) == [progress.FILE]


ELSEWHERE = """
import os
from course_utils.lessons.character_simulator.checks import check_tokens_per_round
os.chdir("/")
check_tokens_per_round(lambda alpha, gamma: sum(alpha**i for i in range(gamma + 1)))
"""


def test_a_lesson_that_goes_to_another_folder_is_recorded_in_its_own(mine):
    cells = [new_code_cell(ELSEWHERE.strip())]
    nbformat.write(new_notebook(cells=cells), mine / "00_x.ipynb")
    assert course.run(mine / "00_x.ipynb", mine / "run.ipynb", {}) is None
    assert progress.recorded(mine) == {"tokens_per_round": "passed"}
