"""Answers that the exercises of this room do not hold themselves."""

import numpy as np

from course_utils.lessons.silent_heads.checks import check_broken_runs, check_defined_rows


def a_set_of_names(runs):
    return {
        name
        for name, run in runs.items()
        if not np.allclose(run["served"], run["defined"], atol=1e-4)
    }


def from_the_end(step, states, text, guesses):
    """By zip over what is read, an array of rows."""
    state, rows = states[-1], []
    for token in [text[-1], *guesses[:-1]]:
        state, row = step(token, state)
        rows.append(row)
    return np.array(rows)


RIGHT_ANSWERS = [(check_broken_runs, a_set_of_names), (check_defined_rows, from_the_end)]

WRONG_ANSWERS = [
    (check_broken_runs, lambda runs: "C", "Return a list"),
    (check_broken_runs, lambda runs: ["A", "B"], "the runs"),
    (check_defined_rows, lambda step, states, text, guesses: guesses, "Return a row of q"),
    (check_defined_rows, lambda *case: from_the_end(*case)[::-1], "guesses = "),
]
