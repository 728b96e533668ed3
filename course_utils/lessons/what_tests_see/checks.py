"""Checks of this elective: how many texts a test needs, and a bug that passes three tests."""

from collections.abc import Sequence
from math import ceil

import numpy as np

from course_utils.classroom.exercise import Exercise, alike
from course_utils.classroom.trial import rule_of
from course_utils.decoding import rules
from course_utils.decoding.contracts import Rows, Uniforms
from course_utils.decoding.sampling import sample
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import CORRECT, Decoder, Exam, acceptance_shown, exam

# --- how many texts


def texts_needed(actual: np.ndarray, truth: np.ndarray, shift: float) -> float:
    """Rows (texts,) -> n, the samples that raise chi-square by shift."""
    terms = (actual - truth) ** 2 / truth
    return shift / terms.sum()


check_texts_needed = Exercise(
    "texts_needed",
    cases=[
        (np.array([0.5, 0.2, 0.3]), np.array([0.2, 0.25, 0.55]), 60.0),
        (np.array([0.2, 0.0, 0.3, 0.5]), np.array([0.1, 0.2, 0.3, 0.4]), 90.0),
        (np.array([0.5, 0.25, 0.25]), np.array([0.25, 0.25, 0.5]), 60.0),
        (np.array([0.3, 0.0, 0.2, 0.5]), np.array([0.1, 0.1, 0.4, 0.4]), 91.0),
    ],
    solution=texts_needed,
    mistakes={
        "You divide by the total variation. χ² grows with the *square* of each "
        "error.": "shift / terms.sum() → shift / (abs(actual - truth).sum() / 2)",
        "You forgot to divide each square by the target's probability. The same error counts more "
        "for a rare text.": " ** 2 / truth →  ** 2",
        "You forgot the squares, "
        "so positive and negative errors cancel.": "(actual - truth) ** 2 → (actual - truth)",
        "You use only the largest term. Every text contributes to χ²: "
        "sum the terms.": "terms.sum() → terms.max()",
        "You return the rise of χ² per sample. "
        "How many samples raise it by `shift`?": "shift / terms.sum() → terms.sum()",
        "You multiply by the sum. A *smaller* error needs more texts: "
        "divide by it.": "shift / terms.sum() → shift * terms.sum()",
    },
    equal=lambda answer, right: alike(answer, right) or answer == ceil(right),  # whole texts
    insight="The error enters squared: half the error needs four times as many texts.",
)


def shift_needed(texts: int, false_alarm: float = 1e-6, power: float = 0.99) -> float:
    """Return the rise of chi-square over `texts` possible texts that a test notices with
    probability `power`, if it accuses a correct decoder with probability `false_alarm`."""
    from scipy.optimize import brentq  # imported on use: slower than all other imports
    from scipy.stats import chi2, ncx2

    limit = chi2.isf(false_alarm, texts - 1)
    # between a shift that is almost never noticed and one that always is
    return brentq(lambda shift: ncx2.sf(limit, texts - 1, shift) - power, 1, 1000)


# --- the student's mutant: three tests pass it, the fourth finds it


EXACT = 1e-12  # a smaller distance is rounding error
LEAST = 0.01  # TV that the fourth exam must find; the residual of row 0 has 0.013

FULL, LOG, PAIR, ONE = (
    "the exam with context and two drafted tokens", "the log",
    "the test on one fixed pair", "the exam with one drafted token",
)  # fmt: skip
EXAMS = {
    FULL: exam(gamma=2, length=3),
    LOG: exam(gamma=2, length=3),
    PAIR: Exam(*(TableModel.random(3, order=0, seed=s) for s in (0, 1)), gamma=2, length=3),
    ONE: exam(gamma=1, length=3),
}
WHERE = {
    LOG: "Accept exactly what the token-wise rule accepts, and put the bug elsewhere.",
    PAIR: "All rows are equal there. Which kind of mistake makes no difference then?",
    ONE: "Your bug already shows at draft 0. Look for one that shows only at draft 1.",
}


def finding(decoder: Decoder, name: str) -> float:
    """Return the result of a test: the acceptance in the log, or a TV."""
    if name == LOG:
        return acceptance_shown(EXAMS[name].first_rounds(decoder))
    return EXAMS[name].distance(decoder)


def _objection(result: float, name: str) -> str | None:
    """Return why the mutant does not qualify, by the result of the test `name`."""
    if name == FULL:
        if result >= LEAST:
            return None
        if result < EXACT:
            return "Your rule is lossless: every text has the right probability. Add a bug."
        return f"The bug is too small: TV {result:.2g} in {name}. Make it at least {LEAST:g}."
    error = abs(result - finding(CORRECT, name))
    if error < EXACT:
        return None
    what = "acceptance" if name == LOG else "TV"
    return f"Your rule is wrong, but {name} finds it: {what} off by {error:.2g}. {WHERE[name]}"


def residual_of_row_0(
    p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms
) -> tuple[int, int]:
    """Verify token-wise, but draw every correction as if draft 0 had been rejected."""
    for i, x in enumerate(drafted):
        if not uniforms[i] < p[i, x] / q[i, x]:
            return i, sample(rules.residual(p[0], q[0]), uniforms[-1])
    return len(drafted), sample(p[-1], uniforms[-1])


check_slips_through = Exercise(
    "slips_through",
    cases=[(name,) for name in EXAMS],
    solution=residual_of_row_0,
    mistakes={
        "Your rule fails when nothing is drafted, as in the last round of a text. Then `p` has one "
        "row and `q` has none: "
        "return 0 and a token drawn from `p[-1]`.": "sample(p[-1] → sample(p[-2]",
    },
    insight="Three tests pass and the text is wrong: a test finds only what matters in it.",
    call=lambda attempt, name: finding(Decoder(rule_of(attempt)), name),
    validate=_objection,
    equal=lambda result, right: True,  # `validate` decides
    describe_case=str,
)
