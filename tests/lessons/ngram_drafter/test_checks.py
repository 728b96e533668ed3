"""Answers that the exercises of this room do not hold themselves: drafters that are classes."""

from course_utils.decoding.contracts import Draft
from course_utils.lessons.ngram_drafter.checks import check_lookup_first


def student(propose):
    """A class as the exercise asks for, with this `propose(self, tokens, gamma, noise)`."""
    return type("Student", (), {"__init__": lambda self, counts: None, "propose": propose})


WRONG_ANSWERS = [
    (check_lookup_first, student(lambda *_: [1]), "Return a Draft"),
    (check_lookup_first, student(lambda *_: Draft((123,), None)), "not the notebook's counts"),
]
# a class whose `propose` is a stub, or one of the hostile functions
CHECKS = [lambda function: check_lookup_first(student(function))]
