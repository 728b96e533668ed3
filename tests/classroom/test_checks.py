"""The promises that every check of the course keeps.

The exercises come from every room; `tests/lessons` adds `CHECKS`, functions that need something
from a lesson, `RIGHT_ANSWERS` in another form, (check, attempt), and `WRONG_ANSWERS` with their
feedback, (check, attempt, words).

One class judges all exercises, so hostile answers go to one exercise of each kind only.
"""

import json
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest

from course_utils.classroom.exercise import Exercise, Raised
from course_utils.classroom.feedback import NOT_ATTEMPTED, PASSED, WRONG
from course_utils.classroom.notebooks import NOTEBOOKS, lesson_paths, read_lesson, tag_names
from course_utils.classroom.words import printable
from tests.hostile import ANSWERING, RAISING, loops

LESSONS = Path(__file__).parents[1] / "lessons"
ROOMS = sorted((NOTEBOOKS.parent / "course_utils" / "lessons").glob("*/checks.py"))
CHECKS_OF = [import_module(f"course_utils.lessons.{path.parent.name}.checks") for path in ROOMS]
EXERCISES = list(
    dict.fromkeys(x for room in CHECKS_OF for x in vars(room).values() if isinstance(x, Exercise))
)
TESTS = [
    import_module(f"tests.lessons.{path.parent.name}.{path.stem}")
    for path in sorted(LESSONS.glob("*/test_*.py"))
]


def merge_paths(name):
    return [entry for module in TESTS for entry in getattr(module, name, ())]


CHECKS = EXERCISES + merge_paths("CHECKS")
STUBS = [lambda *_: ..., lambda *_: None]
NONSENSE = {
    "a text": lambda *_: "nonsense",
    "an empty list": lambda *_: [],
    "an empty dict": lambda *_: {},
    "a function without arguments": lambda: 1,
    "not a function": 5,
}
DESCRIPTION = {"name", "cases", "solution", "mistakes", "insight"}  # every exercise fills these


def makes(check):
    """Return what decides how an exercise calls and compares: the optional fields it sets, and
    whether its solution is a function, a class or something else."""
    if not isinstance(check, Exercise):
        return [check]
    filled = [
        part.name
        for part in fields(check)
        if part.name not in DESCRIPTION and getattr(check, part.name) != part.default
    ]
    return [type(check.solution).__name__, *filled]


FIRST = {make: check for check in reversed(CHECKS) for make in makes(check)}
ONE_OF_EACH_MAKE = list(dict.fromkeys(FIRST.values()))
ANSWERS = {}


@pytest.fixture
def answered_once(monkeypatch):
    """Call each attempt once per exercise: judging a mistake calls the solution and the other
    mistakes again, which takes seconds for some exercises."""
    ask = Exercise._answers

    def answers(exercise, attempt):
        key = id(exercise), id(attempt)
        if key not in ANSWERS:  # stored with the attempt, so that its id is not reused
            ANSWERS[key] = attempt, ask(exercise, attempt)
        return ANSWERS[key][1]

    monkeypatch.setattr(Exercise, "_answers", answers)


@pytest.mark.parametrize("exercise", EXERCISES, ids=repr)
def test_the_right_answer_passes_and_each_mistake_is_explained(exercise, answered_once):
    feedback = exercise(exercise.solution)
    assert (feedback.status, feedback.message) == (PASSED, f"Well done. {exercise.insight}".strip())
    for sentence, attempt in exercise.known.items():
        feedback = exercise(attempt)
        assert feedback.status == WRONG, sentence
        assert feedback.message in {sentence, *(f"{part}: {sentence}" for part in exercise.parts)}
        raised = [a.kind for a in exercise._answers(attempt) if isinstance(a, Raised)]
        assert NameError not in raised, sentence  # an edit with a name that its module lacks


@pytest.mark.parametrize(("check", "attempt"), merge_paths("RIGHT_ANSWERS"))
def test_right_answers_of_another_form_pass(check, attempt, answered_once):
    assert check(attempt).status == PASSED


@pytest.mark.parametrize(("check", "attempt", "words"), merge_paths("WRONG_ANSWERS"))
def test_other_wrong_answers_get_the_reason(check, attempt, words, answered_once):
    feedback = check(attempt)
    assert feedback.status == WRONG
    assert words in feedback.message


@pytest.mark.parametrize("check", CHECKS)
def test_a_stub_is_not_attempted(check):
    assert [check(stub).status for stub in STUBS] == [NOT_ATTEMPTED] * len(STUBS)


def assert_explained(feedback, name):
    """Assert a wrong answer, with a message that any page can show."""
    assert feedback.status == WRONG, name
    assert 0 < len(feedback.message) < 1000, name
    assert printable(feedback.message) == feedback.message, name
    json.dumps(feedback._repr_html_(), ensure_ascii=False).encode()


@pytest.mark.parametrize("check", ONE_OF_EACH_MAKE)
def test_hostile_answers_are_wrong_and_explained(check, short_limits, answered_once):
    for name, attempt in (RAISING | ANSWERING | NONSENSE).items():
        assert_explained(check(attempt), name)
    feedback = check(loops)
    assert_explained(feedback, "loops")
    assert "was stopped" in feedback.message


def test_no_exercise_escapes():
    cells = [cell for path in lesson_paths() for cell in read_lesson(path).cells]
    exercises = {name for cell in cells for name in tag_names(cell, "exercise-")}
    assert {check(STUBS[0]).exercise for check in CHECKS} == exercises
