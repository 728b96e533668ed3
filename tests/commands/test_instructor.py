"""The instructor's guide against the course: what it links, cites, adds up and times is so."""

import re
from pathlib import Path

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from course_utils.__main__ import COMMANDS
from course_utils.classroom.deck import QUESTION
from course_utils.classroom.notebooks import (
    NOTEBOOKS,
    beneath,
    is_elective,
    lesson_paths,
    read_lesson,
)
from course_utils.classroom.parts import exercises, mark, questions
from course_utils.classroom.quiz import read_quiz
from course_utils.commands.talk import BECAUSE, PROOF, board, outcome, slides
from course_utils.lessons.exact_proof.exam import MENU
from workshop.notebooks.core_path import lessons_named_exist
from workshop.notebooks.links import links_lead_somewhere

GUIDE = NOTEBOOKS / "instructor.md"
TEXT = GUIDE.read_text("utf-8")
# by number, an elective by the words of its name
LESSONS = {
    path.stem.replace("_", " ") if is_elective(path) else path.name[:2]: (path, read_lesson(path))
    for path in lesson_paths()
}
CODE = re.findall(r"`([^`\n]+)`", TEXT)
(CELL,) = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def part(heading: str, level: str = "##") -> str:
    """What stands under the heading that begins so, up to the next of its level."""
    (found,) = re.findall(rf"^{level} {heading}.*\n((?:(?!##).*\n?)+)", TEXT, re.MULTILINE)
    return found


def paragraph(lesson: str) -> str:
    """What the guide says of one lesson."""
    return part(f"{lesson}:" if lesson.isdigit() else f"An elective: {lesson}", "###")


def rows(text: str) -> list[list[str]]:
    """The cells of a table's rows, its head left out."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def minutes(text: str) -> int:
    return sum(map(int, re.findall(r"\*\*(\d+)\*\*", text)))


def test_every_link_leads_somewhere_and_to_a_heading_that_exists():
    as_lesson = new_notebook(cells=[new_markdown_cell(TEXT)])
    assert [problem.what for problem in links_lead_somewhere(as_lesson, GUIDE)] == []
    assert [problem.what for problem in lessons_named_exist(as_lesson, GUIDE)] == []
    for path, _ in LESSONS.values():
        assert f"]({beneath(path).as_posix()})" in TEXT


def test_every_lesson_has_its_paragraph():
    assert re.findall(r"^### (?:(\d\d):|An elective: (.+))", TEXT, re.MULTILINE) == [
        (key, "") if key.isdigit() else ("", key) for key in LESSONS
    ]
    for key in LESSONS:
        for bullet in ("* **Cures:**", "* **Show**", "* **Skip**"):
            assert bullet in paragraph(key), (key, bullet)


@pytest.mark.parametrize("number", LESSONS)
def test_a_lessons_table_holds_its_quiz_questions_in_order_and_some_more(number):
    table = rows(paragraph(number))
    named = [row[0].strip("`") for row in table if row[0]]
    assert named == [question.name for question in questions(LESSONS[number][1])]
    assert len(table) > len(named)
    assert all(len(row) == 5 and row[1] and row[2] and row[4] for row in table)


def test_every_question_that_is_cited_exists():
    known = {
        name
        for page in (NOTEBOOKS.parent / "course_utils/lessons").glob("*/quiz.md")
        for name in read_quiz(page)
    } | {exercise.name for _, lesson in LESSONS.values() for exercise in exercises(lesson)}
    cited = {code for code in CODE if re.fullmatch(r"[a-z]+(_[a-z]+)+", code)}
    assert cited - known == {"load_pair"}


def test_the_tables_have_every_lesson_in_order_with_its_mark():
    """Their minutes are in tests/authoring/test_times.py."""
    page = (NOTEBOOKS.parent / "README.md").read_text("utf-8")
    as_lesson = new_notebook(cells=[new_markdown_cell(page)])
    assert [problem.what for problem in lessons_named_exist(as_lesson, GUIDE)] == []
    lessons = page.partition("\n## Lessons\n")[2].partition("\n## Your own copies\n")[0]
    for table in (part("What each lesson takes"), lessons):
        linked = [row for row in rows(table) if row[0].startswith("[")]
        for (name, kind, *_), (path, lesson) in zip(linked, LESSONS.values(), strict=True):
            assert (path.name in name, kind) == (True, mark(lesson).lower())


def test_the_minutes_of_the_plans_add_up():
    assert sum(minutes(row[0]) for row in rows(part("Three hours"))) == 180
    weeks = rows(part("Six weeks"))
    assert [week[0] for week in weeks] == list("123456")
    assert [minutes(week[2]) for week in weeks] == [90] * 6


def test_the_plan_of_sixty_minutes_is_the_talk_and_leaves_time_for_questions():
    talk = [slide for slide in slides() if slide.minutes]
    assert [row for row in rows(part("Sixty minutes")) if len(row) == 4 and "**" in row[0]] == [
        [f"**{s.minutes}**", s.title, s.say, f"`{s.key}`" if s.kind == QUESTION else s.ask]
        for s in talk
    ]
    assert sum(slide.minutes for slide in talk) == 55
    assert "They take 55 minutes and leave five" in part("Sixty minutes")


def test_the_table_on_the_board_and_the_proof_are_those_of_the_talk():
    plan = part("Sixty minutes")
    for row in board():
        verdict = f"| {row['p/q']} | {row['u']} | {row['verdict']} |"
        assert f"| `{row['token']!a}` {verdict}" in plan
    assert outcome(board()) in plan
    assert BECAUSE in plan
    for name, formula in PROOF:
        assert f"| {name} | {formula} |" in plan


def test_every_decoder_command_and_target_that_is_cited_exists():
    named = re.findall(r"vote on ([^|]+)", TEXT)
    decoders = re.findall(r"\*([^*]+)\*", " ".join(named))
    assert len(decoders) >= 2
    assert set(decoders) <= set(MENU.values())
    makefile = Path(NOTEBOOKS.parent / "Makefile").read_text("utf-8")
    targets = re.findall(r"^([a-z]+):", makefile, re.MULTILINE)
    assert {code.split()[1] for code in CODE if code.startswith("make ")} <= set(targets)
    called = {code.split("course_utils ")[1].split()[0] for code in CODE if "course_utils " in code}
    assert called <= set(COMMANDS)


def test_that_class_times_are_estimates_is_said():
    assert "estimates: nobody has measured them" in part("What each lesson takes")


def test_the_cell_with_a_slider_leads_the_scene_and_hears_of_its_steps():
    """`set_state`, which a browser's messages call, stands for it; tests/browser has a real one."""
    made = {}
    exec(CELL, made)
    scene, slider, heard = made["scene"], made["slider"], made["heard"]
    scene.set_state({"last_step": 9})  # drawn
    slider.value = 2
    assert (scene.step, heard.value) == (2, "at step 2")
    scene.set_state({"step": 5})  # clicked
    assert (slider.value, heard.value, slider.max) == (5, "at step 5", 9)
