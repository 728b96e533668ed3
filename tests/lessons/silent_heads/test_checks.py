"""Answers that the exercises of this room do not hold themselves."""

import numpy as np

from course_utils.lessons.silent_heads.checks import check_broken_runs, check_defined_rows


def a_set_of_names(runs):
    return {
        name
        for name, run in runs.items()
        if max(np.linalg.norm(run["served"] - run["defined"], 1, axis=-1)) > 0.002
    }


def from_the_end(step, states, text, guesses):
    """By zip over what is read, an array of rows."""
    state, rows = states[-1], []
    for token in [text[-1], *guesses[:-1]]:
        state, row = step(token, state)
        rows.append(row)
    return np.array(rows)


RIGHT_ANSWERS = [(check_broken_runs, a_set_of_names), (check_defined_rows, from_the_end)]


def by_acceptance(runs):
    """Blind for H, whose rows overlap with p as they should."""

    def off(run):
        alphas = [np.minimum(run["p"], run[q]).sum(-1).mean() for q in ("served", "defined")]
        return abs(alphas[0] - alphas[1])

    return [name for name, run in runs.items() if off(run) > 0.001]


WRONG_ANSWERS = [
    (check_broken_runs, by_acceptance, "H is served wrongly"),
    (check_broken_runs, lambda runs: "C", "Return a list"),
    (check_broken_runs, lambda runs: ["A", "B"], "the runs"),
    (check_defined_rows, lambda step, states, text, guesses: guesses, "Return a row of q"),
    (check_defined_rows, lambda *case: from_the_end(*case)[::-1], "guesses = "),
]
