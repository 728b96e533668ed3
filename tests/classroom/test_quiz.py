"""Quiz questions: every choice is answered, what was passed stays passed."""

from importlib import import_module

import pytest

from course_utils.authoring.notebooks import lesson_paths, room
from course_utils.classroom import progress
from course_utils.classroom.question import Choice, Question, ask, on_paper

WHY = Question(
    "why_bonus",
    "Where does the <bonus> come from?",
    (
        Choice("the draft", "The draft has no row there."),
        Choice("the target's last row", "It was computed anyway.", right=True),
    ),
)


QUESTIONS = [
    question
    for path in lesson_paths()
    for question in vars(import_module(f"{room(path)}.quiz")).values()
    if isinstance(question, Question)
]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_every_choice_of_the_course_has_a_reason_of_its_own(question):
    reasons = [choice.why for choice in question.choices]
    assert 3 <= len(set(reasons)) == len(reasons) <= 4


def test_each_choice_gets_its_own_answer():
    wrong, right = WHY.answer(0), WHY.answer(1)
    assert (wrong.status, wrong.message) == ("wrong", "The draft has no row there.")
    assert (right.status, right.message) == ("passed", "It was computed anyway.")


def test_a_click_is_answered_by_its_reason_and_recorded(tmp_path, monkeypatch):
    """The browser shows the reason; `tests/browser` clicks it there."""
    monkeypatch.setattr(progress, "HERE", tmp_path)
    progress.begin(tmp_path)
    asked = ask(WHY)
    assert [choice["why"] for choice in asked.data["choices"]] == [c.why for c in WHY.choices]
    asked.chosen = 0
    assert progress.recorded(tmp_path) == {"why_bonus": "wrong"}
    asked.chosen = 1
    assert progress.recorded(tmp_path) == {"why_bonus": "passed"}
    asked.chosen = 0  # what was passed stays passed
    assert progress.recorded(tmp_path) == {"why_bonus": "passed"}
    assert asked.note == ""


def test_a_click_says_too_that_the_record_was_damaged(tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "HERE", tmp_path)
    (tmp_path / progress.FILE).write_text("[")
    asked = ask(WHY)
    asked.chosen = 1
    assert "progress.json was damaged" in asked.note
    assert progress.recorded(tmp_path) == {"why_bonus": "passed"}


@pytest.mark.parametrize("index", [-2, 2, 99])
def test_a_choice_that_is_none_is_not_recorded(tmp_path, monkeypatch, index):
    monkeypatch.setattr(progress, "HERE", tmp_path)
    progress.begin(tmp_path)
    ask(WHY).chosen = index
    assert progress.recorded(tmp_path) == {}


def test_on_paper_every_reason_is_folded_and_escaped():
    html = on_paper(WHY).html
    assert html.count("<details>") == 2
    assert "&lt;bonus&gt;" in html
    assert "<bonus>" in on_paper(WHY).text
    assert "text/html" in ask(WHY)._repr_mimebundle_()[0]


@pytest.mark.parametrize("rights", [(False, False), (True, True), (True,), (True,) + (False,) * 6])
def test_a_question_needs_one_right_choice_of_two_to_six(rights):
    with pytest.raises(ValueError, match="name_of_it"):
        Question("name_of_it", "?", tuple(Choice("x", "y", right) for right in rights))
