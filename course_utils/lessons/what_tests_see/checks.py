"""Checks of this elective: how many texts a test needs, and a bug that three tests pass."""

from collections.abc import Callable, Sequence
from math import ceil
from operator import index

import numpy as np

from course_utils.classroom.exercise import Exercise, alike
from course_utils.classroom.plain import plain
from course_utils.decoding import rules
from course_utils.decoding.contracts import Rows, Rule, Uniforms, Verdict
from course_utils.decoding.sampling import sample
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import CORRECT, Decoder, Exam, acceptance_shown, exam
from course_utils.proofs.enumeration import in_sentences
from course_utils.proofs.programs import NoOutput
from course_utils.refused import Refused

# --- how many texts


def texts_needed(said: np.ndarray, truth: np.ndarray, shift: float) -> float:
    """Rows (texts,) -> n, so that the chi-square moves by shift."""
    each = (said - truth) ** 2 / truth
    return shift / each.sum()


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
        "You divide by the total variation. The χ² grows with the *square* of each error.": (
            ("shift / each.sum()", "shift / (abs(said - truth).sum() / 2)")
        ),
        "An error counts for more at a rare text: divide each square by the target's "
        "probability.": (" ** 2 / truth", " ** 2"),
        "You leave the squares out, so what is too much and what is too little cancel.": (
            ("(said - truth) ** 2", "(said - truth)")
        ),
        "You take the largest term alone. Every text moves the χ²: add the terms up.": (
            ("each.sum()", "each.max()")
        ),
        "That is by how much one text moves the χ², the sum of the squares. How many texts move "
        "it by `shift`?": ("shift / each.sum()", "each.sum()"),
        "More texts are needed where the error is *smaller*: divide by the sum.": (
            ("shift / each.sum()", "shift * each.sum()")
        ),
    },
    equal=lambda given, right: alike(given, right) or given == ceil(right),  # whole texts
    insight="The error enters squared: a bug half as large needs four times the texts.",
)


def shift_needed(texts: int, false_alarm: float = 1e-6, power: float = 0.99) -> float:
    """By how much an error has to move the chi-square over so many texts to be noticed with
    probability `power`, where a right decoder is accused with probability `false_alarm`."""
    from scipy.optimize import brentq  # on use: they take longer than all else to import
    from scipy.stats import chi2, ncx2

    limit = chi2.isf(false_alarm, texts - 1)
    # between a shift that nobody notices and one that everybody does
    return brentq(lambda shift: ncx2.sf(limit, texts - 1, shift) - power, 1, 1000)


# --- a mutant of one's own: it passes three tests, and the fourth finds it


EXACT = 1e-12  # a smaller distance is the rounding of a sum
LEAST = 0.01  # TV that the fourth exam has to find; the residual of row 0 has 0.013

FULL, LOG, PAIR, ONE = (
    "the exam with context and two drafted tokens", "the log",
    "the test on one fixed pair", "the exam with one drafted token",
)  # fmt: skip
EXAMS = {
    FULL: exam(gamma=2, length=3),
    LOG: exam(gamma=2, length=3),
    PAIR: Exam(
        TableModel.random(3, order=0, seed=0), TableModel.random(3, order=0, seed=1),
        gamma=2, length=3,
    ),
    ONE: exam(gamma=1, length=3),
}  # fmt: skip
WHERE = {
    LOG: "Accept exactly what the token-wise rule accepts, and put the bug elsewhere.",
    PAIR: "All rows are the same row there. Which kind of mistake makes no difference then?",
    ONE: "Your bug needs no second drafted token. Look for one that shows at draft 1 alone.",
}


def finding(decoder: Decoder, name: str) -> float:
    """What a test finds: the acceptance that a log shows, or a TV."""
    if name == LOG:
        return acceptance_shown(EXAMS[name].first_rounds(decoder))
    return EXAMS[name].distance(decoder)


def _found_by(attempt: Callable, name: str) -> float | None:
    """What a test finds of a rule; None: it returns nothing.

    Raises:
        Refused: it returns no (accepted, token).
    """

    def verify(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> Verdict:
        answer = plain(attempt(p, q, drafted, uniforms))
        if answer is None or answer is ...:
            raise NoOutput
        try:
            accepted, token = map(index, answer)
        except (TypeError, ValueError):
            raise Refused("Return two whole numbers: (accepted, token).") from None
        if not (0 <= accepted <= len(drafted) and 0 <= token < p.shape[-1]):
            raise Refused(
                f"With {len(drafted)} drafted tokens and {p.shape[-1]} words your rule returned "
                f"({accepted}, {token})."
            )
        return Verdict(accepted, token)

    try:
        decoder = Decoder(Rule("yours", verify, False, "an exercise"))
        return in_sentences(lambda: finding(decoder, name))
    except NoOutput:
        return None


def _as_asked(found: float, name: str) -> str | None:
    """What is still wrong with the mutant, by what the test of that name found."""
    if name == FULL:
        if found >= LEAST:
            return None
        if found < EXACT:
            return "Your rule is lossless: every text is as likely as it should be. Make it wrong."
        return f"Wrong, but too little: TV {found:.2g} in {name}. Make it {LEAST:g} or more."
    off = abs(found - finding(CORRECT, name))
    if off < EXACT:
        return None
    what = "acceptance" if name == LOG else "TV"
    return f"Wrong as it should be, but {name} finds it: {what} off by {off:.2g}. {WHERE[name]}"


def residual_of_row_0(
    p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms
) -> tuple[int, int]:
    """Token-wise, but every correction is drawn as if the first draft had been rejected."""
    for i, x in enumerate(drafted):
        if not uniforms[i] < p[i, x] / q[i, x]:
            return i, sample(rules.residual(p[0], q[0]), uniforms[-1])
    return len(drafted), sample(p[-1], uniforms[-1])


check_slips_through = Exercise(
    "slips_through",
    cases=[(name,) for name in EXAMS],
    solution=residual_of_row_0,
    mistakes={
        "The last round of a text can come with nothing drafted. `p` has one row then, `q` has "
        "none, and the answer is 0 accepted "
        "and a token from that row.": ("sample(p[-1]", "sample(p[-2]"),
    },
    insight="Three tests passed, and the text is wrong: a test finds only what can happen in it.",
    call=_found_by,
    validate=_as_asked,
    equal=lambda found, right: True,  # `validate` decides
    describe_case=str,
)
