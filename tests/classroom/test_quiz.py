"""Quiz questions: every choice has a reason, and passed stays passed."""

import re
from collections import Counter

import pytest

from course_utils.classroom import progress
from course_utils.classroom.notebooks import lesson_paths, read_lesson
from course_utils.classroom.notebooks import questions as tasks_of
from course_utils.classroom.quiz import Choice, Question, Quiz, questions

QUESTIONS = list(questions().values())
PAGE = """# Quiz of a made-up lesson

Text for readers of the page.

## why_bonus

Where does the
<bonus> come from?

- [x] the target's last row
  > It was computed
  > anyway.
- [ ] the draft
  > The draft has no row there.
"""
WHY = Question(
    "why_bonus",
    "Where does the <bonus> come from?",
    (
        Choice("the target's last row", "It was computed anyway.", right=True),
        Choice("the draft", "The draft has no row there."),
    ),
)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_every_choice_has_its_own_reason_that_names_no_letter(question):
    assert re.fullmatch("[a-z][a-z0-9_]*", question.name)
    assert question.text
    reasons = [choice.why for choice in question.choices]
    assert 3 <= len(set(reasons)) == len(reasons) <= 4
    words = " ".join([question.text, *reasons, *(choice.text for choice in question.choices)])
    assert not re.search(r"\b[a-f]\)|\b(answer|choice|option)s? [a-fA-F]\b", words)


def test_every_question_is_asked_in_one_lesson():
    names = [task.name for path in lesson_paths() for task in tasks_of(read_lesson(path))]
    assert Counter(names) == Counter(questions().keys())


def test_no_place_among_the_choices_is_right_too_often():
    place = [[choice.right for choice in question.choices].index(True) for question in QUESTIONS]
    right, there = Counter(place), Counter(i for q in QUESTIONS for i in range(len(q.choices)))
    assert all(1 / 6 < right[i] / there[i] < 2 / 5 for i in there)


def test_a_click_is_recorded_and_an_invalid_index_is_not(home):
    for index, record in ((-2, {}), (99, {}), (1, {"why_bonus": "wrong"})):
        Quiz(WHY).chosen = index
        assert progress.read(home).done == record
    scene = Quiz(WHY)
    scene.chosen = 0
    assert (scene.note, progress.read(home).done) == ("", {"why_bonus": "passed"})
    (home / progress.FILE).write_text("[")
    scene.chosen = 1
    assert "progress.json was damaged" in scene.note


@pytest.fixture
def page(tmp_path):
    (tmp_path / "made_up").mkdir()
    return tmp_path / "made_up/quiz.md"


def test_a_page_is_read(page):
    page.write_text(PAGE, "utf-8")
    assert questions(page.parents[1]) == {"why_bonus": WHY}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[x]", "[ ]"),
        ("- [ ]", "- [x]"),
        (PAGE, PAGE + PAGE[PAGE.index("## ") :]),
    ],
)
def test_a_malformed_page_is_refused(page, old, new):
    assert PAGE.count(old) == 1
    page.write_text(PAGE.replace(old, new), "utf-8")
    with pytest.raises(ValueError, match=r"made_up/quiz\.md, ## "):
        questions(page.parents[1])
