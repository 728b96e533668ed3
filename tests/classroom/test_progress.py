"""What was passed: recorded whole, never lost, and shown with what is next."""

import json
import resource
import subprocess
import sys
from threading import Thread

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils.__main__ import main
from course_utils.classroom import notebooks as lessons
from course_utils.classroom import progress
from course_utils.classroom.exercise import Exercise
from course_utils.commands import progress as command


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A folder in which the record has begun, and the open lesson is."""
    (folder := tmp_path / "my_lessons").mkdir()
    monkeypatch.setattr(progress, "HERE", folder)
    progress.begin(folder)
    return folder


def check(name, answer):
    return Exercise(name, cases=[()], solution=lambda: 4)(lambda: answer)


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
    assert len(progress.read(mine).done) == 50


def test_without_room_the_record_stays_whole_and_the_student_is_told(mine):
    check("before", 4)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limit[1]))  # as on a full disk
    try:
        feedback = check("after", 4)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert feedback.status == "passed"
    assert "could not be recorded" in feedback.note
    assert progress.read(mine).done == {"before": "passed"}
    assert files(mine) == [progress.FILE]


DAMAGED = [
    (b"", {}),
    (b"[" * 100_000, {}),
    (b'{"a": 1}', {}),
    (b'{\n "a": "passed",\n "b": "wrong",\n "c": "pas', {"a": "passed", "b": "wrong"}),
    (b'{"a": "passed"}<<<<<<< HEAD\n"a": "wrong"\xff', {"a": "passed"}),
]


@pytest.mark.parametrize(("damage", "legible"), DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_record_is_set_aside_and_what_can_be_read_still_counts(mine, damage, legible):
    (mine / progress.FILE).write_bytes(damage)
    feedback = check("new", 4)
    assert progress.read(mine).done == legible | {"new": "passed"}
    assert (mine / "progress.damaged.json").read_bytes() == damage
    assert "my_lessons/progress.json was damaged" in repr(feedback)
    assert f"still counts: {len(legible)} of" in feedback._repr_html_()
    assert check("new", 4).note == ""  # said once
    (mine / progress.FILE).write_text("again")
    assert "was damaged" in progress.begin(mine)
    assert (mine / "progress.damaged2.json").read_text() == "again"


@pytest.mark.parametrize("states", [("passed", "wrong"), ("wrong", "passed")])
def test_of_an_older_name_and_todays_the_better_counts(mine, states):
    names = ("tokens_a_round", "tokens_per_round")
    (mine / progress.FILE).write_text(json.dumps(dict(zip(names, states, strict=True))))
    assert progress.read(mine).done == {"tokens_per_round": "passed"}


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
    for number in range(2):
        command = [sys.executable, "-c", WRITER, f"w{number}", str(mine)]
        writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        acknowledged |= {writer.stdout.readline().strip() for _ in range(5 + number)}
        writer.kill()
        acknowledged |= {line.strip() for line in writer.stdout if line.endswith("\n")}
        writer.wait()
    progress.begin(mine)
    assert acknowledged <= progress.read(mine).done.keys()
    assert files(mine) == [progress.FILE]


def lesson(path, opening, exercises, questions):
    cells = [new_markdown_cell(opening)]
    for label, name in exercises.items():
        cells.append(new_markdown_cell(f"### Exercise {label}\n\nNow."))
        cells.append(new_code_cell(f"def {name}(): ...", metadata={"tags": [f"exercise-{name}"]}))
    cells += [new_code_cell(metadata={"tags": [f"quiz-{name}"]}) for name in questions]
    nbformat.write(new_notebook(cells=cells), path)


@pytest.fixture
def table(mine, monkeypatch, capsys):
    """What `progress` prints of three made-up lessons, with these statuses in the record."""
    folder = mine.parent
    lesson(folder / "01_a.ipynb", "# A\n\n*Deep dive*", {"1: Add": "add"}, ["why_add"])
    checkpoints = {"1: Both": "both", "2, checkpoint 1: Draft": "draft",
                   "2, checkpoint 2: Verify": "verify", "3: Last": "last"}  # fmt: skip
    lesson(folder / "02_b.ipynb", "# B", checkpoints, ["why_both", "which"])
    real = lessons.lesson_paths
    monkeypatch.setattr(command, "lesson_paths", lambda: real(folder=folder))

    def printed(**statuses):
        for name, status in statuses.items():
            progress.record(name, status)
        assert main(["progress", "--folder", str(mine)]) == 0
        return capsys.readouterr()

    return printed


def test_the_table_and_what_is_next(table):
    text = table().out
    assert "passed  0 of 4     0 of 3" in text
    assert "Copy your answer into the lesson in my_lessons/ and run its check there." in text
    text = table(both="passed", verify="passed", last="wrong", which="passed", gone="passed").out
    assert text.splitlines()[:4] == [
        "lesson  exercises  questions",
        "01_a    ○          ○  deep dive",
        "02_b    ● ○● ◐     ○ ●",
        "passed  1 of 4     1 of 3",
    ]
    assert "● passed  ◐ tried  ○ open" in text
    assert "Next, open: Exercise 2, checkpoint 1: Draft (draft), in my_lessons/02_b.ipynb" in text
    assert "Next, tried: Exercise 3: Last" in table(draft="passed").out
    assert "Next, open: Exercise 1: Add (add), in my_lessons/01_a" in table(last="passed").out
    assert "Every exercise is passed." in table(add="passed").out


def test_of_a_damaged_record_is_shown_what_can_be_read_and_to_look_changes_nothing(mine, table):
    (mine / progress.FILE).write_text('{"both": "passed", "dra')
    out, err = table()
    assert "02_b    ● ○○ ○" in out
    assert "warning: my_lessons/progress.json was damaged." in err
    assert (mine / progress.FILE).read_text() == '{"both": "passed", "dra'


def test_without_a_folder_the_student_is_told_to_begin(mine, capsys):
    assert main(["progress", "--folder", str(mine / "none")]) == 2
    assert capsys.readouterr().err == "error: nothing is recorded in none/: begin with `make lab`\n"
