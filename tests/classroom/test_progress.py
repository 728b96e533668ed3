"""`make progress`: what is passed, tried, open, and what is next."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils.__main__ import main
from course_utils.classroom import notebooks as lessons
from course_utils.classroom import progress
from course_utils.classroom.notebooks import read_lesson
from course_utils.commands import progress as command


def write(folder, name, exercises, questions, opening="# A"):
    cells = [new_markdown_cell(opening)]
    for number, exercise in enumerate(exercises, 1):
        cells.append(new_markdown_cell(f"### Exercise {number}: Do {exercise}\n\nNow."))
        tags = {"tags": ["exercise", f"exercise-{exercise}"]}
        cells.append(new_code_cell(f"def {exercise}(): ...", metadata=tags))
    for question in questions:
        cells.append(new_code_cell(metadata={"tags": ["quiz", f"quiz-{question}"]}))
    nbformat.write(new_notebook(cells=cells), folder / f"{name}.ipynb")


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """Two lessons, and a folder of copies in which the record has begun."""
    write(tmp_path, "01_a", ["add", "take"], ["why_add"])
    write(tmp_path, "02_b", ["both"], ["why_both", "which"])
    real = lessons.lesson_paths
    monkeypatch.setattr(command, "lesson_paths", lambda: real(folder=tmp_path))
    folder = tmp_path / "my_lessons"
    folder.mkdir()
    progress.begin(folder)
    return folder


def shown(mine, capsys, **record):
    for name, status in record.items():
        progress.record(name, status, mine)
    assert main(["progress", "--folder", str(mine)]) == 0
    return capsys.readouterr().out


def test_the_table(mine, capsys):
    text = shown(mine, capsys, add="passed", take="wrong", why_both="wrong", which="passed")
    assert text.splitlines()[:4] == [
        "lesson  exercises  questions",
        "01_a    ● ◐        ○",
        "02_b    ○          ◐ ●",
        "passed  1 of 3     1 of 3",
    ]
    assert "● passed  ◐ tried  ○ open" in text
    assert "Next, tried: Exercise 2: Do take (take), in my_lessons/01_a.ipynb" in text
    assert "notebooks/" not in text


def test_the_next_exercise_is_the_first_that_is_not_passed(mine, capsys):
    text = shown(mine, capsys, add="passed", take="passed")
    assert "Next, open: Exercise 1: Do both (both), in my_lessons/02_b.ipynb" in text
    assert "Every exercise is passed." in shown(mine, capsys, both="passed")


def test_the_checkpoints_of_one_exercise_stand_together_and_count_once(mine, capsys):
    write(mine.parent, "02_b", ["both", "draft", "verify", "last"], [])
    lesson = read_lesson(mine.parent / "02_b.ipynb")
    for at, number in ((3, 1), (5, 2)):
        head = f"### Exercise 2, checkpoint {number}: Do it"
        lesson.cells[at].source = f"{head}\n\nNow."
    lesson.cells[7].source = "### Exercise 3: Do last"
    nbformat.write(lesson, mine.parent / "02_b.ipynb")
    text = shown(mine, capsys, add="passed", take="passed", both="passed", verify="passed")
    assert "02_b    ● ○● ○" in text
    assert "passed  3 of 5" in text
    assert "Next, open: Exercise 2, checkpoint 1: Do it (draft)" in text
    assert "passed  4 of 5" in shown(mine, capsys, draft="passed")


def test_a_deep_dive_may_wait(mine, capsys):
    write(mine.parent, "01_a", ["add", "take"], ["why_add"], "# A\n\n*Deep dive*")
    text = shown(mine, capsys)
    assert [line.endswith("○  deep dive") for line in text.splitlines()[1:3]] == [True, False]
    assert "Next, open: Exercise 1: Do both (both), in my_lessons/02_b.ipynb" in text
    assert "Do add (add), in my_lessons/01_a" in shown(mine, capsys, both="passed")


# Of the course when 03 was three lessons in one, and 04, 05 and 11 were today's 06, 07 and 13.
ONCE = """
same_text share_saved first_guess_wrong token_kinds warmer run_with
how_accurate accepted_length calls_saved hopeless_draft calls_to_start decode_sentence
longer_drafts tokens_a_round new_sentences counted_probability never_guessed backed_off find_match
copycat trigram_on_lists best_drafter bonus_row shared_and_residual exact_distance token_wise
same_acceptance specimens block_draft kept_whole tokens_by_position rate_and_gamma four_rates
perfect_draft best_gamma mixed_text draft_verdict counterexample causal_mask tensor_shapes
cache_bytes cache_after what_a_rollback_erases what_the_draft_lacks a_draft_that_never_rolls_back
guesses_within two_sampled_runs speculate statistics prediction_and_clock fastest_gamma
true_accepted two_greedy_runs
"""
# Steps of something larger today, which asks for more than they did; one went with its lesson.
GONE = """
share_saved run_with calls_saved calls_to_start backed_off copycat tokens_by_position best_gamma
causal_mask cache_after speculate fastest_gamma true_accepted statistics counterexample
"""


def test_what_was_passed_when_the_lessons_had_other_numbers_still_counts(tmp_path):
    progress.begin(tmp_path)
    for name in ONCE.split():
        progress.record(name, "passed", tmp_path)
    course = [command.lesson_at(path) for path in lessons.lesson_paths()]
    tasks = [task for lesson in course for task in (*lesson.exercises, *lesson.questions)]
    counted = {part.name for task in tasks for part in task} & {*progress.recorded(tmp_path)}
    today = {progress.RENAMED.get(name, name) for name in {*ONCE.split()} - {*GONE.split()}}
    assert counted == today


@pytest.mark.parametrize("states", [("passed", "wrong"), ("wrong", "passed")])
def test_of_an_old_and_a_new_name_the_best_attempt_counts(tmp_path, states):
    names = ("tokens_a_round", "tokens_per_round")
    record = json.dumps(dict(zip(names, states, strict=True)))
    (tmp_path / progress.FILE).write_text(record)
    assert progress.recorded(tmp_path) == {"tokens_per_round": "passed"}


def test_who_has_nothing_recorded_is_told_where_work_counts(mine, capsys):
    text = shown(mine, capsys)
    assert "0 of 3" in text
    assert "Copy your answer into the lesson in my_lessons/ and run its check there." in text


def test_names_that_the_course_no_longer_has_do_not_count(mine, capsys):
    assert "0 of 3" in shown(mine, capsys, gone="passed")


def test_who_passed_an_exercise_of_a_deleted_elective_still_sees_the_course(tmp_path, capsys):
    """Exercises and a question of refute_a_formula and silent_heads, and of no lesson today."""
    progress.begin(tmp_path)
    assert main(["progress", "--folder", str(tmp_path)]) == 0
    before = capsys.readouterr()
    for name in ("counterexample", "four_readings", "ask_first", "passed_each_night"):
        progress.record(name, "passed", tmp_path)
    assert main(["progress", "--folder", str(tmp_path)]) == 0
    assert capsys.readouterr() == before
    assert progress.recorded(tmp_path)["counterexample"] == "passed"  # the record keeps it


def test_without_a_folder_the_student_is_told_to_begin(mine, capsys):
    assert main(["progress", "--folder", str(mine.parent / "none")]) == 2
    assert capsys.readouterr().err == (
        "error: nothing is recorded in none/: begin with `make lab`\n"
    )


def test_of_a_damaged_record_is_shown_what_can_be_read_and_the_rest_is_said(mine, capsys):
    text = '{"add": "passed", "take": "wro'
    (mine / progress.FILE).write_text(text)
    assert main(["progress", "--folder", str(mine)]) == 0
    said = capsys.readouterr()
    assert "01_a    ● ○" in said.out
    assert "warning: my_lessons/progress.json was damaged." in said.err
    assert (mine / progress.FILE).read_text() == text  # only to look changes nothing
