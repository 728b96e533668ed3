"""A mistake is an edit of the solution."""

import pytest

from course_utils.classroom.exercise import Exercise
from course_utils.edits import slip

FACTOR = 2


def scaled(a, b):
    """a, b -> their difference, scaled."""
    left = a - b
    return FACTOR * left


def test_what_is_edited_is_the_mistake_and_the_solution_stays():
    assert slip(scaled, ("a - b", "b - a"))(3, 1) == -4
    assert slip(scaled, ("a - b", "a + b"), ("FACTOR * left", "left"))(3, 1) == 4
    assert scaled(3, 1) == 4
    assert slip(scaled)(3, 1) == 4


@pytest.mark.parametrize(("piece", "count"), [("c", 3), ("a / b", 0)])
def test_an_edit_that_is_none_or_several_is_refused(piece, count):
    with pytest.raises(ValueError, match=rf"'{piece}' occurs {count} times in scaled"):
        slip(scaled, (piece, "x"))


def test_an_exercise_takes_edits_for_mistakes():
    check = Exercise(
        "scaled",
        cases=[(3, 1), (1, 5)],
        solution=scaled,
        mistakes={
            "The other way round.": ("a - b", "b - a"),
            "A sum, not scaled.": (("a - b", "a + b"), ("FACTOR * left", "left")),
            "Never less than nothing.": lambda a, b: max(0, scaled(a, b)),
        },
    )
    assert check(scaled).status == "passed"
    assert check(lambda a, b: 2 * (b - a)).message == "The other way round."
    assert check(lambda a, b: a + b).message == "A sum, not scaled."
    assert [check(wrong).message for wrong in check.known.values()] == list(check.mistakes)
