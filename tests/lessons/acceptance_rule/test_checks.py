"""The exercises of this lesson, beyond what `tests/classroom/test_checks.py` proves of each."""

import re
from itertools import permutations

import numpy as np
import pytest

from course_utils.authoring.notebooks import lesson_paths, read_lesson
from course_utils.classroom.rounds import as_answer
from course_utils.classroom.slip import slip
from course_utils.decoding.rules import block, residual, token_wise
from course_utils.decoding.sampling import sample
from course_utils.decoding.theory import overlap
from course_utils.lessons.acceptance_rule import checks
from course_utils.lessons.acceptance_rule.checks import PROOF, WRONG_LINES
from course_utils.models.tables import TableModel
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import CORRECT, Decoder, Exam, exam
from tests.rule_by_parts import token_wise_from

P, Q = np.array([0.45, 0.25, 0.15, 0.10, 0.05]), np.array([0.25, 0.10, 0.40, 0.15, 0.10])


def eats(p, q, drafted, uniforms):
    return as_answer(token_wise)(p, q, drafted, [*uniforms[:-1], uniforms.pop()])


RIGHT_ANSWERS = [
    (checks.check_shared_and_residual, lambda p, q: [1 - abs(p - q).sum() / 2, residual(p, q)]),
    (checks.check_token_wise, as_answer(token_wise_from())),
    (checks.check_token_wise, lambda *given: [*map(float, as_answer(token_wise)(*given))]),
    (checks.check_token_wise, eats),
    (checks.check_emitted_row, lambda p, q, c: [*checks.emitted(p, q, c)]),
    (checks.check_worst_draft, lambda p: [float(x == min(p)) for x in p]),
    (checks.check_whole_text_proof, lambda: "d, e, g, b, f, a"),
    (checks.check_whole_text_proof, lambda: list("DBFEGA")),
]


def two_drafts_only(p, q, drafted, uniforms):
    for i in (0, 1):
        if not uniforms[i] < p[i, drafted[i]] / q[i, drafted[i]]:
            return i, sample(residual(p[i], q[i]), uniforms[-1])
    return 2, sample(p[2], uniforms[-1])


def slipped(*edits):
    return slip(checks.token_wise, *edits)


DRAWN = "np.random.random()"  # in place of a uniform that was given


WRONG_ANSWERS = [
    *(
        (checks.check_token_wise, slipped((piece, piece.replace(given, DRAWN))), "of your own")
        for piece, given in (
            (checks.ACCEPTS, "uniforms[i]"),
            (checks.CORRECTION, "uniforms[-1]"),
            (checks.BONUS, "uniforms[-1]"),
        )
    ),
    # of the zoo, what is no known mistake of the exercise
    *(
        (checks.check_token_wise, as_answer(bug(name).decoder.rule.verify), "")
        for name in ("first token unverified", "no bonus")
    ),
    (checks.check_shared_and_residual, lambda p, q: (0.6, q - p), "too much of"),
    (
        checks.check_shared_and_residual,
        lambda p, q: (np.minimum(p, q).sum(), abs(p - q) / abs(p - q).sum()),
        "|p − q|",
    ),
    (checks.check_worst_draft, lambda p: np.eye(len(p))[-1], "α = 0.2, and 0.1 is possible"),
    (checks.check_shared_and_residual, residual, "Return two things"),
    (checks.check_shared_and_residual, lambda p, q: (0.6, None), "still open"),
    (checks.check_shared_and_residual, lambda p, q: (np.minimum(p, q), p), "one number"),
    (checks.check_shared_and_residual, lambda p, q: (0.6, 0.5), "shape"),
    (checks.check_shared_and_residual, lambda p, q: (0.6, p - q), "negative"),
    (checks.check_shared_and_residual, lambda p, q: (0.6, (p - q).clip(0)), "renormalise"),
    (checks.check_token_wise, as_answer(block), "accepted: For drafted = "),
    (
        checks.check_token_wise,
        slipped((checks.ACCEPTS, "True"), (checks.CORRECTION, "0")),
        "accept every drafted token",  # of two mistakes the first is told
    ),
    (checks.check_token_wise, two_drafts_only, "are such numbers in your code?"),
    (checks.check_emitted_row, lambda p, q, c: overlap(p, q), "One probability per token"),
    (checks.check_worst_draft, lambda p: p.argmin(), "One probability per token"),
    (checks.check_worst_draft, lambda p: 0 * p, "sums to 0"),
    (checks.check_whole_text_proof, lambda: "DEGX", "'X' is none of the ten"),
    (checks.check_whole_text_proof, lambda: "DEGGBFA", "Line G stands there twice"),
    (checks.check_whole_text_proof, lambda: 7, "a text of letters is expected"),
]


# ------------------------------------------------------------------ the token-wise rule


def test_a_students_rule_runs_in_the_loop_and_is_proved_or_refuted_there():
    small = exam(gamma=2, length=3)
    assert small.distance(Decoder(checks.as_rule(as_answer(token_wise)))) < 1e-12
    from_p = bug("resample from p").decoder
    mine = checks.as_rule(as_answer(from_p.rule.verify))
    assert small.distance(Decoder(mine)) == pytest.approx(small.distance(from_p))
    assert small.distance(from_p) > 0.01


# ------------------------------------------------------------------ what is taken for true


@pytest.mark.parametrize(
    ("decoder", "correction"),
    [(CORRECT, residual(P, Q)), (bug("resample from p").decoder, P)],
    ids=["residual", "p itself"],
)
def test_the_emitted_row_is_what_the_loop_emits(decoder, correction):
    row = np.zeros(5)
    for weight, r in Exam(TableModel(P), TableModel(Q), gamma=1).first_rounds(decoder):
        row[r.emitted[0]] += weight
    np.testing.assert_allclose(row, checks.emitted(P, Q, correction))


def test_no_draft_shares_less_than_the_least_likely_token():
    rng = np.random.default_rng(0)
    for p, q in rng.dirichlet(np.ones(6), (500, 2)):
        assert overlap(p, q) >= p.min() - 1e-12
        assert overlap(p, checks.check_worst_draft.right(p)) == pytest.approx(p.min())


def test_the_proof_may_go_through_its_cases_in_any_order_and_no_other():
    right = {
        "D" + "".join(middle) + "A"
        for middle in permutations("EGBF")
        if middle.index("E") < middle.index("G")
    }
    for letters in map("".join, permutations(PROOF)):
        passed = checks.check_whole_text_proof(lambda letters=letters: letters).status == "passed"
        assert passed == (letters in right)


def test_the_notebook_shows_the_lines_that_the_check_knows():
    (path,) = lesson_paths(["03_acceptance_rule"])
    text = "\n".join(cell.source for cell in read_lesson(path).cells)
    shown = re.findall(r"^\* \*\*([A-Z])\.\*\*", text, re.MULTILINE)
    assert shown == sorted(PROOF + "".join(WRONG_LINES))
    assert f'return "{PROOF}"' in text
