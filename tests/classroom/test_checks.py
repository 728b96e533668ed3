"""What every check of the course promises, whatever it checks.

Gathered here are the exercises of every room; and of `tests/lessons` its `CHECKS`, functions
that need something of a lesson's own, and what no exercise holds itself: `RIGHT_ANSWERS` of
another form, (check, attempt), and `WRONG_ANSWERS` with what is said, (check, attempt, words).
"""

import json
from importlib import import_module
from pathlib import Path

import pytest

from course_utils.classroom.exercise import Exercise, Raised
from course_utils.classroom.feedback import NOT_ATTEMPTED, PASSED, WRONG
from course_utils.classroom.notebooks import lesson_paths, named, read_lesson
from course_utils.classroom.words import printable
from tests.hostile import ANSWERING, ENDLESS, RAISING, interrupted

LESSONS = Path(__file__).parents[1] / "lessons"
ROOMS = sorted(path.name for path in LESSONS.iterdir() if (path / "__init__.py").exists())
CHECKS_OF = [import_module(f"course_utils.lessons.{room}.checks") for room in ROOMS]
EXERCISES = list(
    dict.fromkeys(x for room in CHECKS_OF for x in vars(room).values() if isinstance(x, Exercise))
)
TESTS = [
    import_module(f"tests.lessons.{path.parent.name}.{path.stem}")
    for path in sorted(LESSONS.glob("*/test_*.py"))
]


def gathered(name):
    return [entry for module in TESTS for entry in getattr(module, name, ())]


CHECKS = EXERCISES + gathered("CHECKS")
MISTAKES = [(exercise, sentence) for exercise in EXERCISES for sentence in exercise.mistakes]
STUBS = [lambda *_: ..., lambda *_: None]
NONSENSE = {
    "a text": lambda *_: "nonsense",
    "an empty list": lambda *_: [],
    "an empty dict": lambda *_: {},
    "of no arguments": lambda: 1,
    "no function": 5,
}
ODD_ANSWERS = ANSWERING | NONSENSE

OWN_ANSWERS = {}


@pytest.fixture
def answered_once(monkeypatch):
    """Of a test that hands in one attempt: that is asked, and what it is compared with, the
    right answer and the mistakes, once for all tests; for some exercises it takes seconds."""
    ask, asked = Exercise._answers, []

    def answers(exercise, attempt, *watching):
        handed_in = not asked
        asked.append(attempt)
        if handed_in:
            return ask(exercise, attempt, *watching)
        key = id(exercise), id(attempt)
        if key not in OWN_ANSWERS:
            OWN_ANSWERS[key] = ask(exercise, attempt)
        return OWN_ANSWERS[key]

    monkeypatch.setattr(Exercise, "_answers", answers)


@pytest.mark.parametrize("exercise", EXERCISES, ids=repr)
def test_the_right_answer_passes_and_hears_why_it_matters(exercise, answered_once):
    feedback = exercise(exercise.right)
    assert (feedback.status, feedback.message) == (PASSED, f"Well done. {exercise.insight}".strip())


@pytest.mark.parametrize(("exercise", "sentence"), MISTAKES)
def test_each_mistake_is_answered_by_its_own_sentence(exercise, sentence, answered_once):
    attempt = exercise.known[sentence]
    feedback = exercise(attempt)
    assert feedback.status == WRONG
    raised = [a.kind for a in exercise._answers(attempt) if isinstance(a, Raised)]
    assert NameError not in raised  # an edit with a name that its module lacks is no mistake
    assert feedback.message in {sentence, *(f"{part}: {sentence}" for part in exercise.parts)}


@pytest.mark.parametrize(("check", "attempt"), gathered("RIGHT_ANSWERS"))
def test_right_answers_of_another_form_pass(check, attempt):
    assert check(attempt).status == check(attempt).status == PASSED  # nothing of a case is used up


@pytest.mark.parametrize(("check", "attempt", "words"), gathered("WRONG_ANSWERS"))
def test_other_wrong_answers_hear_why(check, attempt, words):
    feedback = check(attempt)
    assert feedback.status == WRONG
    assert words in feedback.message


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("stub", STUBS)
def test_a_stub_is_not_attempted(check, stub):
    assert check(stub).status == NOT_ATTEMPTED


def told(feedback):
    """Is it a wrong answer, in words that any page can show?"""
    assert feedback.status == WRONG
    assert feedback.message
    assert len(feedback.message) < 1000
    assert printable(feedback.message) == feedback.message
    json.dumps(feedback._repr_html_(), ensure_ascii=False).encode()


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", RAISING)
def test_whatever_is_raised_is_wrong_and_told(check, name, answered_once, unraised):
    told(check(RAISING[name]))


@pytest.mark.filterwarnings("ignore:coroutine")
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", ODD_ANSWERS)
def test_whatever_is_answered_is_looked_through(check, name, short_limits, answered_once):
    told(check(ODD_ANSWERS[name]))


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", ENDLESS)
def test_what_never_ends_is_stopped(check, name, short_limits):
    feedback = check(ENDLESS[name])
    told(feedback)
    assert "was stopped" in feedback.message


@pytest.mark.parametrize("check", CHECKS)
def test_the_users_own_interrupt_comes_through(check):
    with pytest.raises(KeyboardInterrupt):
        check(interrupted)


def test_no_exercise_escapes():
    cells = [cell for path in lesson_paths() for cell in read_lesson(path).cells]
    exercises = {name for cell in cells for name in named(cell, "exercise-")}
    assert {check(STUBS[0]).exercise for check in CHECKS} == exercises
