"""The record of passed exercises: complete, never lost, and shown with the next one."""

import errno
import fcntl
import json
import resource
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils.__main__ import main
from course_utils.classroom import notebooks as lessons
from course_utils.classroom import progress
from course_utils.classroom.exercise import Exercise
from course_utils.commands import progress as command


def check(name, answer):
    return Exercise(name, cases=[()], solution=lambda: 4)(lambda: answer)


def files(folder):
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith(".lock"))


def test_attempts_are_recorded_stubs_are_not_and_passed_stays_passed(home):
    for name, answer in (("right", 4), ("off", 5), ("open", ...), ("right", 5)):
        assert check(name, answer).note == ""
    progress.begin(home)
    assert json.loads((home / progress.FILE).read_text()) == {"right": "passed", "off": "wrong"}


def test_an_exercise_passed_under_its_old_name_counts(home):
    (home / progress.FILE).write_text('{"kept_whole": "passed", "accepted_whole": "wrong"}')
    assert progress.read(home).done == {"accepted_whole": "passed"}


def test_on_a_full_disk_the_record_stays_complete_and_the_student_gets_a_note(home):
    check("before", 4)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limit[1]))  # as on a full disk
    try:
        feedback = check("after", 4)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert feedback.status == "passed"
    assert feedback.note
    assert progress.read(home).done == {"before": "passed"}
    assert files(home) == [progress.FILE]


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS])
def test_a_home_without_locks_has_lessons_and_a_record(home, monkeypatch, number):
    def fail(*_):
        raise OSError(number, "no locks")

    progress.begin(home)  # leaves the file of a lock
    monkeypatch.setattr(fcntl, "flock", fail)
    assert main(["workbooks", "--folder", str(home)]) == 0
    assert check("right", 4).note == ""
    assert progress.read(home).done == {"right": "passed"}


@pytest.mark.parametrize(
    ("cwd", "session", "in_code", "expected"),
    [
        ("my_lessons/electives", "", "", "my_lessons"),
        ("", "", "", "my_lessons"),  # papermill, an older VS Code
        ("", "my_lessons/03_a.ipynb", "", "my_lessons"),
        ("", "", "my_lessons/electives/a.ipynb", "my_lessons"),
        ("notebooks", "my_lessons/03_a.ipynb", "", "my_lessons"),
        ("", "notebooks/03_a.ipynb", "", ""),  # an original, without a record
    ],
)
def test_the_record_is_found_wherever_the_kernel_was_started(
    home, monkeypatch, cwd, session, in_code, expected
):
    for folder in ("notebooks", "my_lessons/electives"):
        (home.parent / folder).mkdir()
    monkeypatch.chdir(home.parent / cwd)
    monkeypatch.setenv("JPY_SESSION_NAME", session and str(home.parent / session))
    opened = in_code and str(home.parent / in_code)
    monkeypatch.setattr(sys.modules["__main__"], "__vsc_ipynb_file__", opened, raising=False)
    assert progress._here() == home.parent / expected


DAMAGED = [
    (b"", {}),
    (b"[" * 100_000, {}),
    (b'{\n "a": "passed",\n "b": "wrong",\n "c": "pas', {"a": "passed", "b": "wrong"}),
    (b'{"a": "passed"}<<<<<<< HEAD\n"a": "wrong"\xff', {"a": "passed"}),
]


@pytest.mark.parametrize(("damage", "legible"), DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_record_is_set_aside_and_what_can_be_read_still_counts(home, damage, legible):
    (home / progress.FILE).write_bytes(damage)
    feedback = check("new", 4)
    assert progress.read(home).done == legible | {"new": "passed"}
    assert (home / "progress.damaged.json").read_bytes() == damage
    assert "progress.json" in repr(feedback)
    assert check("new", 4).note == ""  # reported once
    (home / progress.FILE).write_text("again")
    assert "progress.damaged2.json" in progress.begin(home)


WRITER = """
import sys
from pathlib import Path
from course_utils.classroom import progress
for i in range(10**6):
    assert not progress.record(f"{sys.argv[1]}_{i}", "passed", Path(sys.argv[2]))
    print(f"{sys.argv[1]}_{i}", flush=True)
"""


def test_two_lessons_at_once_or_a_kill_lose_no_record(home):
    acknowledged = set()
    how = {"stdout": subprocess.PIPE, "text": True}
    command = [sys.executable, "-c", WRITER]
    writers = [subprocess.Popen([*command, name, str(home)], **how) for name in "ab"]
    for writer in writers:
        acknowledged |= {writer.stdout.readline().strip() for _ in range(40)}
        writer.kill()
        acknowledged |= {line.strip() for line in writer.stdout if line.endswith("\n")}
        writer.wait()
    progress.begin(home)
    assert acknowledged <= progress.read(home).done.keys()
    assert files(home) == [progress.FILE]


def lesson(path, opening, exercises, questions):
    cells = [new_markdown_cell(opening)]
    for label, name in exercises.items():
        cells.append(new_markdown_cell(f"### Exercise {label}\n\nNow."))
        cells.append(new_code_cell(f"def {name}(): ...", metadata={"tags": [f"exercise-{name}"]}))
    cells += [new_code_cell(metadata={"tags": [f"quiz-{name}"]}) for name in questions]
    nbformat.write(new_notebook(cells=cells), path)


def test_the_table_and_the_next_exercise(home, monkeypatch, capsys):
    folder, real = home.parent, lessons.lesson_paths
    lesson(folder / "01_a.ipynb", "# A\n\n*Deep dive*", {"1: Add": "add"}, ["why_add"])
    checkpoints = {"1: Both": "both", "2, checkpoint 1: Draft": "draft",
                   "2, checkpoint 2: Verify": "verify", "3: Last": "last"}  # fmt: skip
    lesson(folder / "02_b.ipynb", "# B", checkpoints, ["why_both", "which"])
    monkeypatch.setattr(command, "lesson_paths", lambda: real(folder=folder))

    def table(**statuses):
        for name, status in statuses.items():
            progress.record(name, status)
        assert main(["progress", "--folder", str(home)]) == 0
        return capsys.readouterr().out

    assert "notebooks/" in table()  # where work does not count
    text = table(both="passed", verify="passed", last="wrong", which="passed", gone="passed")
    assert text.splitlines()[:4] == [
        "lesson  exercises  questions",
        "01_a    ○          ○  deep dive",
        "02_b    ● ○● ◐     ○ ●",
        "passed  1 of 4     1 of 3",
    ]
    assert "open: Exercise 2, checkpoint 1: Draft (draft), in my_lessons/02_b.ipynb" in text
    assert "tried: Exercise 3: Last" in table(draft="passed")
    assert "open: Exercise 1: Add (add), in my_lessons/01_a" in table(last="passed")
    assert "Every exercise is passed." in table(add="passed")
    assert main(["progress", "--folder", str(home / "none")]) == 2
