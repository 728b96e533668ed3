"""Answers of students to lesson 12 that its checks do not list as mistakes."""

import numpy as np

from course_utils.lessons.production_engines.checks import check_acceptance_gate, check_deviations


def deviations_by_loops(rows, tokens):
    """The witnesses with lists and loops, without tokens of probability 0."""
    excess = squares = variance = variance_of_squares = 0.0
    for row, token in zip(rows, tokens, strict=True):
        likely = [x for x in row if x > 0]
        mean = -sum(x * np.log(x) for x in likely)
        of_row = sum(x * (-np.log(x) - mean) ** 2 for x in likely)
        excess += -np.log(row[token]) - mean
        squares += (-np.log(row[token]) - mean) ** 2 - of_row
        variance += of_row
        variance_of_squares += sum(x * (-np.log(x) - mean) ** 4 for x in likely) - of_row**2
    return excess / variance**0.5, squares / variance_of_squares**0.5


RIGHT_ANSWERS = [(check_deviations, deviations_by_loops)]
WRONG_ANSWERS = [(check_acceptance_gate, lambda *case: True, 'return "dead" or "alive"')]
