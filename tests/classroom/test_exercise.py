"""An exercise tells right from wrong, and an attempt that says nothing from one not made."""

import numpy as np
import pytest

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.feedback import yours
from course_utils.refused import Refused

half = Exercise(
    "half",
    cases=[(4,), (0,)],
    solution=lambda n: n / 2,
    mistakes={"That is the double.": lambda n: n * 2, "0 is allowed.": lambda n: n / 2 * (n / n)},
    insight="Halves are small.",
)
both = Exercise(
    "both",
    cases=[(1, 2), (5, 3)],
    solution=lambda a, b: {"sum": a + b, "product": a * b},
    mistakes={
        "Add, and do not add.": lambda a, b: {"sum": 0, "product": a + b},  # wrong in the sum first
        "Add.": lambda a, b: {"sum": a - b, "product": a * b},
        "Multiply.": lambda a, b: {"sum": a + b, "product": a + b},
    },
    parts=("sum", "product"),
)
pair = Exercise("pair", cases=[(7, 2)], solution=divmod, parts=("quotient", "rest"))
row = Exercise("row", cases=[(30,)], solution=lambda n: np.arange(n) / 7)
even = Exercise(
    "even", cases=[(1,)], solution=None, validate=lambda x, n: "Odd." if x % 2 else None
)


def whole(attempt, n):
    if (answer := attempt(n)) % 1:
        raise Refused("Half an answer.")
    return answer


watched = Exercise("watched", cases=[(4,), (7,)], solution=lambda n: 2 * n, call=whole)


def prints(n):
    print(n / 2)


def raises(n):
    n += 0
    return n / 0


class Unwritten:
    def propose(self, tokens):
        """A stub."""


@pytest.mark.parametrize(
    ("exercise", "attempt", "status", "message"),
    [
        (half, lambda n: n // 2, "passed", "Well done. Halves are small."),
        (half, lambda n: np.float32(n / 2), "passed", "Well done. Halves are small."),
        (half, lambda n: n + n, "wrong", "That is the double."),
        (half, lambda n: n * n / n / 2, "wrong", "0 is allowed."),
        (half, lambda n: 2, "wrong", "For n = 0 the answer is 0, not 2."),
        (half, lambda n: "x" * 99, "wrong", f"the answer is 2, not '{59 * 'x'}…."),
        (half, lambda n: 2 if n else None, "wrong", "For n = 0 nothing comes back. Does every"),
        (half, lambda n: 2 if n else ..., "wrong", "For n = 0 the answer is still open."),
        (half, raises, "wrong", "For n = 4 your code raised ZeroDivisionError: division by zero"),
        (half, lambda n: 2 * n / bool(n), "wrong", "That is the double."),
        (watched, lambda n: n / 2, "wrong", "Half an answer."),
        (watched, lambda n: 2 * n, "passed", "Well done."),
        (half, raises, "wrong", "(line 3 of the function)."),
        (half, lambda n: exit(), "wrong", "For n = 4 your code asks Python to exit. Return"),
        (half, prints, "wrong", "returned nothing, whatever it was given. Was a `return` forg"),
        (half, lambda n: None, "not attempted", "Replace the ..."),
        (half, lambda n: ..., "not attempted", ""),
        (half, Unwritten().propose, "not attempted", ""),
        (both, lambda a, b: {"product": b * a, "sum": b + a}, "passed", "Well done."),
        (both, lambda a, b: {"sum": a - b, "product": 0}, "wrong", "sum: Add."),
        (both, lambda a, b: {"sum": a + b, "product": b + a}, "wrong", "product: Multiply."),
        (both, lambda a, b: {"sum": a - b, "product": a + b}, "wrong", "sum: Add."),
        (both, lambda a, b: {"sum": a + b, "product": a * b, "rest": 0}, "passed", ""),
        (both, lambda a, b: {"sum": a + b, "product": 2}, "wrong", "product: For a = 5, b = 3 the"),
        (both, lambda a, b: {"sum": a + b, "product": ...}, "wrong", "product is still open."),
        (both, lambda a, b: {"sum": ..., "product": ...}, "not attempted", ""),
        (both, lambda a, b: {"sum": 1}, "wrong", "Return a dict with sum, product."),
        (pair, lambda a, b: [a // b, a % b], "passed", "Well done."),
        (pair, lambda a, b: (a // b, 0), "wrong", "rest: For x = 7, y = 2 the answer is 1, not 0."),
        (pair, lambda a, b: a // b, "wrong", "Return 2 things, in this order: quotient, rest."),
        (row, lambda n: [i / 7 for i in range(n)], "passed", "Well done."),
        (row, lambda n: [0] * n, "wrong", "For n = 30 entry 1 of the answer is 0.1429, not 0."),
        (row, lambda n: [0], "wrong", "For n = 30 the answer has 30 entries, not 1."),
        (row, raises, "wrong", "For n = 30 your code raised ZeroDivisionError"),
        (even, lambda n: 2, "passed", "Well done."),
        (even, lambda n: 3, "wrong", "Odd."),
        (even, raises, "wrong", "For 1 your code raised ZeroDivisionError"),
        (even, lambda n: "x", "wrong", "The answer 'x' is not of the expected kind (TypeError"),
    ],
)  # fmt: skip
def test_what_an_attempt_hears(exercise, attempt, status, message):
    feedback = exercise(attempt)
    assert (feedback.exercise, feedback.status) == (exercise.name, status)
    assert message in feedback.message
    assert status in repr(feedback)
    assert status in feedback._repr_html_()


def test_a_class_whose_methods_do_something_was_attempted():
    class Written:
        def propose(self, tokens):
            tokens.copy()

    asked = Exercise(
        "ask", [([1],)], solution=None, call=lambda kind, tokens: kind().propose(tokens)
    )
    assert asked(Unwritten).status == "not attempted"
    assert "Was a `return` forgotten?" in asked(Written).message


def test_code_that_raised_is_blamed_for_no_part():
    assert pair(lambda a, b: a / 0).message.startswith("For x = 7, y = 2 your code raised")


def test_no_attempt_changes_the_case_of_the_next():
    rows = Exercise("rows", cases=[([3, 1],)], solution=sorted)
    assert rows(lambda row: [row.pop(), row.pop()]).status == "passed"
    assert rows(lambda row: [row.pop(), row.pop()]).status == "passed"


def test_an_exercise_may_ask_that_what_it_hands_over_stays_as_it_is():
    kept = Exercise(
        "kept", cases=[([3, 1],)], solution=lambda row: sorted(row), must_not_mutate=True
    )
    assert kept(sorted).status == "passed"
    assert "you changed `row` itself" in kept(lambda row: row.sort() or row).message


def test_two_numbers_that_differ_far_behind_the_point_are_shown_in_full():
    third = Exercise("third", cases=[(1,)], solution=lambda n: n / 3)
    assert "is 0.3333333333333333, not 0.33333." in third(lambda n: 0.33333).message


def test_a_lesson_goes_on_with_what_passed_and_else_with_its_own():
    right, wrong, other = lambda n: n / 2, lambda n: n, lambda n: n * 0.5
    assert yours(half, right) is right
    assert yours(half, wrong) is half.solution
    assert yours(half, wrong, other) is other
    assert yours(half, lambda n: ..., other) is other


def test_an_exercise_does_not_give_its_mistakes_away():
    assert repr(half) == "Exercise('half')"
