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
    """A folder in which the record has begun, and the open lesson is."""
    monkeypatch.setattr(progress, "HERE", tmp_path)
    progress.begin(tmp_path)
    return tmp_path


def check(name, answer):
    return Exercise(name, cases=[()], solution=lambda: 4)(lambda: answer)


@contextmanager
def no_room():
    """No file of this process can grow, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def files(folder):
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith(".lock"))


def test_attempts_are_recorded_untouched_stubs_are_not_and_what_was_passed_stays_passed(mine):
    for name, answer in (("right", 4), ("off", 5), ("open", ...), ("right", 5)):
        assert check(name, answer).note == ""
    progress.begin(mine)
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


def test_without_room_the_record_stays_whole_and_the_student_is_told(mine):
    check("before", 4)
    with no_room():
        feedback = check("after", 4)
    assert feedback.status == "passed"
    assert "could not be recorded" in feedback.note
    assert progress.recorded(mine) == {"before": "passed"}
    assert files(mine) == [progress.FILE]


DAMAGED = [
    (b"", {}),
    (b"\x00" * 40, {}),
    (b"[" * 100_000, {}),
    (b'{"a": 1}', {}),
    (b'{\n "a": "passed",\n "b": "wrong",\n "c": "pas', {"a": "passed", "b": "wrong"}),
    (b'{"a": "passed"}<<<<<<< HEAD\n"a": "wrong"\xff', {"a": "passed"}),
]


@pytest.mark.parametrize(("damage", "legible"), DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_record_is_set_aside_and_what_can_be_read_still_counts(mine, damage, legible):
    (mine / progress.FILE).write_bytes(damage)
    feedback = check("new", 4)
    assert progress.recorded(mine) == legible | {"new": "passed"}
    assert (mine / "progress.damaged.json").read_bytes() == damage
    assert f"{mine.name}/progress.json was damaged" in repr(feedback)
    assert f"still counts: {len(legible)} of" in feedback._repr_html_()
    assert check("new", 4).note == ""  # said once
    (mine / progress.FILE).write_text("again")
    check("new", 4)
    assert (mine / "progress.damaged2.json").read_text() == "again"


@pytest.mark.parametrize(("old", "new"), [("passed", "wrong"), ("wrong", "passed")])
def test_of_an_older_name_and_todays_the_better_counts(mine, old, new):
    (mine / progress.FILE).write_text(json.dumps({"tokens_a_round": old, "tokens_per_round": new}))
    assert progress.recorded(mine) == {"tokens_per_round": "passed"}


WRITER = """
import sys
from pathlib import Path
from course_utils.classroom import progress
for i in range(10**6):
    assert not progress.record(f"{sys.argv[1]}_{i}", "passed", Path(sys.argv[2]))
    print(f"{sys.argv[1]}_{i}", flush=True)
"""


def test_no_kill_loses_what_was_recorded(mine):
    acknowledged = set()
    for number in range(3):
        command = [sys.executable, "-c", WRITER, f"w{number}", str(mine)]
        writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        acknowledged |= {writer.stdout.readline().strip() for _ in range(5 + number)}
        writer.kill()
        acknowledged |= {line.strip() for line in writer.stdout if line.endswith("\n")}
        writer.wait()
    progress.begin(mine)
    assert acknowledged <= progress.recorded(mine).keys()
    assert files(mine) == [progress.FILE]


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
