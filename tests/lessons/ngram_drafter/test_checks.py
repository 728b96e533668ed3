"""Wrong answers to this lesson's exercises that are no edits of a solution."""

from course_utils.decoding.contracts import Draft
from course_utils.lessons.ngram_drafter.checks import check_lookup_first


def student(propose):
    """Return a class with this `propose(self, tokens, gamma, noise)`, as the exercise requires."""
    return type("Student", (), {"__init__": lambda self, counts: None, "propose": propose})


WRONG_ANSWERS = [
    (check_lookup_first, student(lambda *_: [1]), "Return a Draft"),
    (check_lookup_first, student(lambda *_: Draft((123,), None)), "not the notebook's counts"),
]
# a class whose `propose` is a stub, or one of the hostile functions
CHECKS = [lambda function: check_lookup_first(student(function))]
