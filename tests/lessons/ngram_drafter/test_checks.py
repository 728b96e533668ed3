"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

import numpy as np

from course_utils.decoding.contracts import Draft
from course_utils.lessons.ngram_drafter.checks import (
    check_best_drafter,
    check_find_match,
    check_guess_by_counts,
    check_lookup_first,
    find_match,
    guess_by_counts,
)


class Written:
    """A drafter as a student writes it, with a method of its own."""

    def __init__(self, counts):
        self.counts = counts

    def propose(self, tokens, gamma, noise):
        text = list(tokens)
        for length in (3, 2, 1):
            start = find_match(text, length)
            if start is not None:
                return self.made(text[start + length : start + length + gamma])
        for _ in range(gamma):
            text.append(guess_by_counts(self.counts, text))
        return self.made(text[len(tokens) :])

    def made(self, guesses):
        return Draft(tuple(guesses), None)


def student(**parts):
    """`Written` with these methods of its own."""
    return type("Student", (Written,), parts)


def handing(made):
    """made(guesses) in place of a Draft."""
    return student(made=lambda self, guesses: made(guesses))


def in_place(counts, text):
    del text[:-2]
    return guess_by_counts(counts, text)


RIGHT_ANSWERS = [
    (check_lookup_first, Written),
    (check_lookup_first, handing(lambda xs: Draft(list(xs), None))),
    (check_best_drafter, lambda logs: min(logs, key=lambda n: logs[n].rounds / logs[n].tokens)),
]
WRONG_ANSWERS = [
    (check_guess_by_counts, lambda counts, text: 4, "{(5, 4): {7: 4, 3: 1}"),
    (check_guess_by_counts, in_place, "`text` itself"),
    (check_find_match, lambda t, n: find_match(t, n) or None, "`0 or None` is None"),
    (check_lookup_first, handing(lambda xs: Draft(tuple(xs), np.eye(9)[xs])), "q: For tokens"),
    (check_lookup_first, handing(lambda xs: xs), "Return a Draft"),
    (check_lookup_first, handing(lambda xs: None), "Was a `return` forgotten?"),
    (check_lookup_first, handing(lambda xs: Draft((123,) * 2, None)), "not the notebook's counts"),
]
# a class whose `propose` is a stub, or one of the hostile functions
CHECKS = [lambda function: check_lookup_first(student(propose=function))]
