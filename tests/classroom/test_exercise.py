"""An exercise tells right from wrong, and an attempt that does nothing from one that fails."""

import numpy as np
import pytest

from course_utils.classroom.exercise import Exercise, is_stub
from course_utils.classroom.feedback import yours
from course_utils.edits import slip
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
place = Exercise("place", [("ab",), ("ba",), ("b",)], lambda n: n.index("a") if "a" in n else None)
third = Exercise("third", cases=[(1,)], solution=lambda n: n / 3)
even = Exercise("even", [(1,)], lambda n: 2 * n, validate=lambda x, n: "Odd." if x % 2 else None)


def sums_and_marks(row):
    total = row.sum()
    row[1500] = 1e-3
    return total


ordered = Exercise("ordered", [([3, 1],)], solution=lambda row: sorted(row), must_not_mutate=True)
summed = Exercise(
    "summed", [(np.zeros(3000),)], solution=lambda row: row.sum(), must_not_mutate=True
)


def whole(attempt, n):
    if (answer := attempt(n)) % 1:
        raise Refused("Half an answer.")
    return answer


double = Exercise("double", cases=[(4,), (7,)], solution=lambda n: 2 * n, call=whole)


def prints(n):
    print(n / 2)


def raises(n):
    n += 0
    return n / 0


gamma = 3


class Unwritten:
    def propose(self, tokens):
        """A stub."""


class Written:
    def propose(self, tokens):
        tokens.copy()


proposed = Exercise(
    "proposed", [([1],)], lambda: Written, call=lambda kind, tokens: kind().propose(tokens)
)


def test_a_constant_is_an_answer_and_no_stub():
    attempts = (Unwritten, lambda n: ..., lambda n: None, lambda n: "nonsense", Written)
    assert [*map(is_stub, attempts)] == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("exercise", "attempt", "status", "message"),
    [
        (half, lambda n: n // 2, "passed", "Well done. Halves are small."),
        (half, lambda n: n * n / n / 2, "wrong", "0 is allowed."),
        (half, lambda n: 2 * n / bool(n), "wrong", "That is the double."),
        (half, lambda n: 2, "wrong", "For n = 0 the answer is 0, not 2."),
        (half, lambda n: 2 if n else None, "wrong", "For n = 0 your function returns None."),
        (half, lambda n: 2 if n else ..., "wrong", "For n = 0 the answer is still open."),
        (half, raises, "wrong", "For n = 4 your code raised ZeroDivisionError: division by zero"),
        (half, raises, "wrong", "(line 3 of the function)."),
        (half, lambda n: gamma, "wrong", "It reads the notebook's `gamma`, 3. Did you mean an"),
        (place, lambda n: 0 if n == "ab" else None, "wrong", "For n = 'ba' the answer is 1, not N"),
        (half, prints, "wrong", "It returned None for every case. Is a `return` missing?"),
        (proposed, Unwritten, "not attempted", ""),
        (proposed, Written, "wrong", "Is a `return` missing?"),
        (double, lambda n: n / 2, "wrong", "Half an answer."),
        (third, lambda n: 0.33333, "wrong", "is 0.3333333333333333, not 0.33333."),
        (both, lambda a, b: {"product": b * a, "sum": b + a}, "passed", "Well done."),
        (both, lambda a, b: {"sum": a + b, "product": b + a}, "wrong", "product: Multiply."),
        (both, lambda a, b: {"sum": a - b, "product": a + b}, "wrong", "sum: Add."),
        (both, lambda a, b: {"sum": a + b, "product": ...}, "wrong", "product is still open."),
        (both, lambda a, b: {"sum": 1}, "wrong", "Return a dict with sum, product."),
        (pair, lambda a, b: [a // b, a % b], "passed", "Well done."),
        (pair, lambda a, b: (a // b, 0), "wrong", "rest: For x = 7, y = 2 the answer is 1, not 0."),
        (pair, lambda a, b: a // b, "wrong", "Return 2 values in this order: quotient, rest."),
        (row, lambda n: [0] * n, "wrong", "For n = 30 entry 1 of the answer is 0.1429, not 0."),
        (row, lambda n: [0], "wrong", "For n = 30 the answer has 30 entries, not 1."),
        (ordered, lambda row: [row.pop(), row.pop()], "wrong", "You change `row`"),
        (summed, sums_and_marks, "wrong", "You change `row`"),
        (even, lambda n: 3, "wrong", "Odd."),
        (even, raises, "wrong", "For n = 1 your code raised ZeroDivisionError"),
        (even, lambda n: "x", "wrong", "The answer 'x' is not of the expected type (TypeError"),
    ],
)  # fmt: skip
def test_the_feedback_on_an_attempt(exercise, attempt, status, message):
    feedback = exercise(attempt)
    assert (feedback.exercise, feedback.status) == (exercise.name, status)
    assert message in feedback.message
    assert status in repr(feedback)
    assert status in feedback._repr_html_()


def test_a_lesson_uses_the_attempt_if_it_passed_and_its_own_function_otherwise():
    right, wrong, other = lambda n: n / 2, lambda n: n, lambda n: n * 0.5
    assert yours(half, right) is right
    assert yours(half, wrong) is half.solution
    assert yours(half, wrong, other) is yours(half, lambda n: ..., other) is other


def test_an_edit_that_occurs_never_or_several_times_is_refused():
    with pytest.raises(ValueError, match="'n' occurs"):
        slip(prints, ("n", "x"))
