"""Answers that the exercises of this room do not hold themselves."""

import numpy as np

from course_utils.lessons.production_engines.checks import check_acceptance_gate, check_deviations


def surprised_token_by_token(rows, tokens):
    """Lists and loops, tokens that cannot be left out."""
    off = squares = variance = spread = 0.0
    for row, token in zip(rows, tokens, strict=True):
        likely = [x for x in row if x > 0]
        mean = -sum(x * np.log(x) for x in likely)
        by_chance = sum(x * (-np.log(x) - mean) ** 2 for x in likely)
        off += -np.log(row[token]) - mean
        squares += (-np.log(row[token]) - mean) ** 2 - by_chance
        variance += by_chance
        spread += sum(x * (-np.log(x) - mean) ** 4 for x in likely) - by_chance**2
    return off / variance**0.5, squares / spread**0.5


RIGHT_ANSWERS = [(check_deviations, surprised_token_by_token)]
WRONG_ANSWERS = [(check_acceptance_gate, lambda *case: True, 'Return "dead" or "alive"')]
