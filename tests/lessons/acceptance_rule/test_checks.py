"""The checks of lesson 03 about one round tell right from wrong, and wrong from wrong."""

import numpy as np
import pytest

from course_utils.decoding.rules import RECURSIVE_REJECTION, block, residual, token_wise
from course_utils.decoding.sampling import sample
from course_utils.lessons.acceptance_rule.checks import check_shared_and_residual
from course_utils.lessons.acceptance_rule.token_wise_check import CASES, check_token_wise, rows
from course_utils.proofs.bugs import BUGS, token_wise_from
from course_utils.proofs.decoders import CORRECT

CHECKS = (check_shared_and_residual, check_token_wise)


def norm(row):
    return row / row.sum()


def answer(verify):
    """A rule as the exercise wants it."""

    def function(p, q, drafted, uniforms):
        verdict = verify(p, q, drafted, uniforms)
        return verdict.accepted, verdict.token

    return function


def parts(**replaced):
    return answer(token_wise_from(**replaced))


def darts(p, q, drafted, uniforms):
    """Right, but calculates with a uniform."""
    for i, x in enumerate(drafted):
        if not uniforms[i] * q[i, x] < p[i, x]:
            return i, sample(residual(p[i], q[i]), uniforms[-1])
    return len(drafted), sample(p[-1], uniforms[-1])


def never_stops(p, q, drafted, uniforms):
    kept = sum(uniforms[i] < p[i, x] / q[i, x] for i, x in enumerate(drafted))
    return kept, sample(p[-1], uniforms[-1])


@pytest.mark.parametrize(
    ("check", "function"),
    [
        (check_shared_and_residual, lambda p, q: (np.minimum(p, q).sum(), residual(p, q))),
        (check_shared_and_residual, lambda p, q: [1 - abs(p - q).sum() / 2, [*residual(p, q)]]),
        (check_token_wise, answer(token_wise)),
        (check_token_wise, parts()),
    ],
)
def test_right_answers_pass(check, function):
    assert check(function).status == "passed"


def shared(p, q):
    return np.minimum(p, q).sum()


@pytest.mark.parametrize(
    ("mass", "words"),
    [
        (lambda p, q: abs(p - q).sum() / 2, "REJECTION"),
        (lambda p, q: p @ q, "independent draws"),
        (lambda p, q: np.maximum(p, q).sum(), "larger bar"),
        (lambda p, q: np.minimum(1, p / q).mean(), "weigh by q"),
        (lambda p, q: q[p >= q].sum(), "only tokens with p ≥ q"),
        (lambda p, q: np.minimum(p, q), "one number"),
        (lambda p, q: 0.123, "not 0.123"),
        (lambda p, q: ..., "still open"),
    ],
)
def test_the_shared_mass_names_the_mistake(mass, words):
    feedback = check_shared_and_residual(lambda p, q: (mass(p, q), residual(p, q)))
    assert feedback.status == "wrong"
    assert words in feedback.message


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (lambda p, q: (p - q).clip(min=0), "renormalise"),
        (lambda p, q: norm((q - p).clip(min=0)), "too much of"),
        (lambda p, q: p, "p itself"),
        (lambda p, q: norm(abs(p - q)), "|p − q|"),
        (lambda p, q: p - q, "negative"),
        (lambda p, q: norm((p - q).clip(min=0)), "Fall back to p"),
        (lambda p, q: np.eye(4)[0], "not [1."),
        (lambda p, q: 0.5, "shape"),
        (lambda p, q: None, "the residual is still open"),
    ],
)
def test_the_residual_names_the_mistake(row, words):
    feedback = check_shared_and_residual(lambda p, q: (shared(p, q), row(p, q)))
    assert feedback.status == "wrong"
    assert words in feedback.message


@pytest.mark.parametrize("answer", [residual, shared, lambda p, q: (1, 2, 3), lambda p, q: {}])
def test_one_thing_instead_of_two(answer):
    assert "Return two things" in check_shared_and_residual(answer).message


# ------------------------------------------------------------------ the token-wise rule


def no_return(p, q, drafted, uniforms):
    for i, x in enumerate(drafted):
        if not uniforms[i] < p[i, x] / q[i, x]:
            return i, sample(residual(p[i], q[i]), uniforms[-1])
    return None


def no_correction(p, q, drafted, uniforms):
    verdict = token_wise(p, q, drafted, uniforms)
    return (verdict.accepted, verdict.token) if verdict.accepted == 2 else None


def two_drafts_only(p, q, drafted, uniforms):
    for i in (0, 1):
        if not uniforms[i] < p[i, drafted[i]] / q[i, drafted[i]]:
            return i, sample(residual(p[i], q[i]), uniforms[-1])
    return 2, sample(p[2], uniforms[-1])


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (parts(accepts=lambda i, p, q, x, u: u[i] < q[i, x] / max(p[i, x], 1e-9)), "swapped"),
        (parts(accepts=lambda i, p, q, x, u: p[i, x] >= q[i, x]), "only if p ≥ q"),
        (parts(accepts=lambda i, p, q, x, u: True), "u = 0.6: rejected"),
        (parts(accepts=lambda i, p, q, x, u: u[i] <= p[i, x] / q[i, x]), "strict"),
        (parts(accepts=lambda i, p, q, x, u: u[i] < p[i + 1, x] / q[i, x]), "off by one"),
        (parts(accepts=lambda i, p, q, x, u: u[0] < p[i, x] / q[i, x]), "its own uniform"),
        (parts(accepts=lambda i, p, q, x, u: i or u[i] < p[i, x] / q[i, x]), "its own uniform"),
        (parts(corrects=lambda i, p, q, u: sample(p[i], u[-1])), "correction from p."),
        (parts(corrects=lambda i, p, q, u: int(residual(p[i], q[i]).argmax())), "*drawn*"),
        (parts(corrects=lambda i, p, q, u: int(p[i].argmax())), "*drawn*"),
        (parts(corrects=lambda i, p, q, u: sample(residual(p[i], q[i]), u[i])), "used up"),
        (parts(corrects=lambda i, p, q, u: sample(residual(q[i], p[i]), u[-1])), "too much of"),
        (
            parts(corrects=lambda i, p, q, u: sample(residual(p[1], q[1]), u[-1])),
            "of the next row",
        ),
        (
            parts(corrects=lambda i, p, q, u: sample(residual(p[0], q[0]), u[-1])),
            "from row 1",
        ),
        (parts(corrects=lambda i, p, q, u: 3), "are 0, 1, 0"),
        (parts(rewards=lambda p, u: int(p[-1].argmax())), "bonus is always the likeliest"),
        (parts(rewards=lambda p, u: sample(p[-2], u[-1])), "p[len(drafted)]"),
        (lambda p, q, x, u: (answer(token_wise)(p, q, x, u)[0] + 1, 0), "never the correction"),
        (lambda p, q, x, u: (n := answer(token_wise)(p, q, x, u)[0], x[min(n, 1)]), "is gone"),
        (never_stops, "ends the round"),
        (no_return, "there is a bonus to draw"),
        (no_correction, "After a rejection you return nothing"),
        (two_drafts_only, "wrong for 1 and 2"),
        (lambda *given: (*answer(token_wise)(*given), 0), "not of the expected kind"),
        (darts, "Only compare it"),
        (answer(block), "first rejection ends the round"),
    ],
)
def test_token_wise_names_the_mistake(function, words):
    feedback = check_token_wise(function)
    assert feedback.status == "wrong"
    assert words in feedback.message


RIGHT_RULES = {CORRECT.rule, RECURSIVE_REJECTION}
WRONG_RULES = [b for b in BUGS if b.decoder.rule not in RIGHT_RULES]


@pytest.mark.parametrize("specimen", WRONG_RULES, ids=lambda b: b.name)
def test_no_wrong_rule_of_the_zoo_passes_as_token_wise(specimen):
    assert check_token_wise(answer(specimen.decoder.rule.verify)).status == "wrong"


def test_the_cases_leave_the_rows_as_they_are():
    def vandal(p, q, drafted, uniforms):
        p[:], q[:] = 0.25, 0.25
        return 0, 0

    check_token_wise(vandal)
    p, q = rows()
    assert p[0].tolist() == [0.4, 0.3, 0.3, 0]
    np.testing.assert_allclose([*p.sum(-1), *q.sum(-1)], 1)
    assert all(len(drafted) + 1 == len(uniforms) for drafted, uniforms in CASES.values())


def test_an_answer_that_eats_its_uniforms_spoils_no_later_one():
    def eats(p, q, drafted, uniforms):
        return answer(token_wise)(p, q, drafted, [*uniforms[:-1], uniforms.pop()])

    assert check_token_wise(eats).status == check_token_wise(answer(token_wise)).status == "passed"
    assert check_token_wise(eats).status == "passed"
