"""The checks of lesson 03 tell right from wrong, and wrong from wrong."""

import numpy as np
import pytest

from course_utils.classroom.checks.lesson_03 import (
    CASES,
    check_acceptance_probability,
    check_residual,
    check_token_wise,
    rows,
)
from course_utils.classroom.checks.zoo import LOOK_AT, SPECIMENS, WOULD_SHOW, check_specimens
from course_utils.decoding.rules import RECURSIVE_REJECTION, block, residual, token_wise
from course_utils.decoding.sampling import sample
from course_utils.models.tables import TableModel
from course_utils.proofs.bugs import BUGS, bug, token_wise_from
from course_utils.proofs.decoders import CORRECT, Exam, acceptance_shown, tokens_a_round

CHECKS = (check_acceptance_probability, check_residual, check_token_wise)


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
        (check_acceptance_probability, lambda p, q: np.minimum(p, q).sum()),
        (check_acceptance_probability, lambda p, q: 1 - abs(p - q).sum() / 2),
        (check_residual, residual),
        (check_token_wise, answer(token_wise)),
        (check_token_wise, parts()),
    ],
)
def test_right_answers_pass(check, function):
    assert check(function).status == "passed"


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("stub", [lambda *_: None, lambda *_: ...])
def test_a_stub_is_not_attempted(check, stub):
    assert check(stub).status == "not attempted"


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("nonsense", [lambda *_: "hm", lambda: 1, lambda *_: [], lambda *_: {}, 3])
def test_nonsense_is_wrong_and_does_not_raise(check, nonsense):
    assert check(nonsense).status == "wrong"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda p, q: abs(p - q).sum() / 2, "REJECTION"),
        (lambda p, q: p @ q, "independent draws"),
        (lambda p, q: np.maximum(p, q).sum(), "larger bar"),
        (lambda p, q: np.minimum(1, p / q).mean(), "weigh by q"),
        (lambda p, q: q[p >= q].sum(), "only tokens with p ≥ q"),
        (lambda p, q: np.minimum(p, q), "One number"),
        (lambda p, q: 0.123, "not 0.123"),
    ],
)
def test_acceptance_probability_names_the_mistake(function, words):
    assert words in check_acceptance_probability(function).message


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda p, q: (p - q).clip(min=0), "renormalise"),
        (lambda p, q: norm((q - p).clip(min=0)), "too much of"),
        (lambda p, q: p, "p itself"),
        (lambda p, q: norm(abs(p - q)), "|p − q|"),
        (lambda p, q: p - q, "negative"),
        (lambda p, q: norm((p - q).clip(min=0)), "Fall back to p"),
        (lambda p, q: np.eye(4)[0], "not [1."),
        (lambda p, q: 0.5, "shape"),
    ],
)
def test_residual_names_the_mistake(function, words):
    assert words in check_residual(function).message


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


# ------------------------------------------------------------------ the specimens


def test_the_right_names_pass():
    assert check_specimens(dict(SPECIMENS)).status == "passed"


@pytest.mark.parametrize("stub", [dict.fromkeys("ABCDE", ...), dict.fromkeys("ABCDE"), {}])
def test_open_letters_are_not_attempted(stub):
    assert check_specimens(stub).status == "not attempted"


@pytest.mark.parametrize("letter", SPECIMENS)
@pytest.mark.parametrize("guess", WOULD_SHOW)
def test_each_wrong_choice_has_its_own_explanation(letter, guess):
    feedback = check_specimens(SPECIMENS | {letter: guess})
    if guess == SPECIMENS[letter]:
        assert feedback.status == "passed"
    else:
        assert WOULD_SHOW[guess] in feedback.message
        assert LOOK_AT[letter] in feedback.message


def test_an_open_letter_and_an_unknown_name_are_said():
    assert "C is still open" in check_specimens(SPECIMENS | {"C": ...}).message
    assert "is not on the list" in check_specimens(SPECIMENS | {"C": "no luck"}).message


@pytest.mark.parametrize("nonsense", ["hm", 3, ["no coin"], {"A": 1}])
def test_nonsense_names_are_wrong(nonsense):
    assert check_specimens(nonsense).status == "wrong"


def test_the_clues_are_true():
    """What the check says of each specimen is what the lesson's exam shows."""
    p = np.array([0.45, 0.25, 0.15, 0.10, 0.05])
    q = np.array([0.25, 0.10, 0.40, 0.15, 0.10])
    exam = Exam(TableModel(p), TableModel(q), gamma=2, length=3)
    shown = {letter: exam.first_rounds(bug(name).decoder) for letter, name in SPECIMENS.items()}
    right = exam.first_rounds(CORRECT)
    said = {k: {r.emitted[0] for _, r in rounds} for k, rounds in shown.items()}
    corrected = {
        k: {r.emitted[0] for _, r in rounds if r.kinds[0] == "correction"}
        for k, rounds in shown.items()
    }
    bonuses = {
        k: {r.emitted[-1] for _, r in rounds if r.kinds[-1] == "bonus"}
        for k, rounds in shown.items()
    }
    assert corrected["A"] == set(range(5))
    for letter in "AD":
        assert acceptance_shown(shown[letter]) == pytest.approx(acceptance_shown(right))
    assert exam.distance(bug(SPECIMENS["B"]).decoder) < 1e-12
    assert not bonuses["B"]
    assert said["C"] == {0, 1}
    assert acceptance_shown(shown["C"]) < 0.6 * acceptance_shown(right)
    assert bonuses["D"] == {0}
    assert not corrected["E"]
    assert tokens_a_round(shown["E"]) > tokens_a_round(right) + 0.5
