"""Lesson 11's checks: the right answer passes, each likely mistake gets its own message."""

import pytest

from course_utils.classroom.checks.lesson_11 import (
    check_best_gamma,
    check_statistics,
    check_true_accepted,
)
from course_utils.decoding.theory import expected_tokens

CHECKS = (check_statistics, check_best_gamma, check_true_accepted)


def statistics(rounds, **wrong):
    accepted = sum(r.accepted for r in rounds)
    right = {
        "drafted": sum(len(r.drafted) for r in rounds),
        "accepted": accepted,
        "examined": accepted + sum("correction" in r.kinds for r in rounds),
        "new": sum(len(r.emitted) for r in rounds),
    }
    return right | {name: count(rounds) for name, count in wrong.items()}


def chosen(cost, tokens=expected_tokens):
    def best_gamma(alpha, c, v, o):
        return max(range(1, 9), key=lambda g: tokens(alpha, g) / cost(g, c, v, o))

    return best_gamma


best = chosen(lambda g, c, v, o: g * c + v(g + 1) + o)


def total(rounds, kind):
    return sum(r.kinds.count(kind) for r in rounds)


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (check_statistics, statistics),
        (check_best_gamma, best),
        (check_true_accepted, lambda counted, rounds, full: counted - rounds + full),
    ],
)
def test_the_right_answer_passes(check, answer):
    assert check(answer).status == "passed"


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("answer", [lambda *_: None, lambda *_: ...])
def test_a_stub_is_not_attempted(check, answer):
    assert check(answer).status == "not attempted"


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(
    "answer",
    [lambda *_: "nonsense", lambda *_: object(), lambda *_: 1 / 0, lambda: 1, lambda *_: -7],
)
def test_nonsense_is_wrong_and_never_raises(check, answer):
    feedback = check(answer)
    assert feedback.status == "wrong"
    assert feedback.message


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"drafted": lambda rounds: 3}, "every guess"),
        ({"new": lambda rounds: sum(len(r.drafted) for r in rounds)}, "not what was emitted"),
        ({"new": lambda rounds: 0}, "emitted tokens of every round"),
        ({"accepted": lambda rounds: sum(len(r.emitted) for r in rounds)}, "never drafted"),
        (
            {
                "accepted": lambda rounds: (
                    statistics(rounds)["accepted"] + total(rounds, "correction")
                )
            },
            "as the article",
        ),
        (
            {"accepted": lambda rounds: statistics(rounds)["accepted"] + total(rounds, "bonus")},
            "bonuses as accepted",
        ),
        ({"accepted": lambda rounds: sum(r.verdict.accepted for r in rounds)}, "stop token"),
        ({"examined": lambda rounds: sum(len(r.drafted) for r in rounds)}, "unexamined"),
        ({"examined": lambda rounds: sum(r.accepted for r in rounds)}, "examined, too"),
        ({"examined": lambda rounds: sum(len(r.emitted) for r in rounds)}, "examine the bonus"),
    ],
)
def test_mistakes_in_the_statistics(wrong, says):
    feedback = check_statistics(lambda rounds: statistics(rounds, **wrong))
    assert feedback.status == "wrong"
    assert says in feedback.message


def test_a_missing_field_is_named():
    assert "'examined'" in check_statistics(lambda rounds: {"drafted": 1, "accepted": 1}).message


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (chosen(lambda g, c, v, o: 1), "most tokens a round"),
        (chosen(lambda g, c, v, o: g * c + v(g) + o), "v(gamma + 1), not"),
        (chosen(lambda g, c, v, o: g * c + 1 + o), "v = 1"),
        (chosen(lambda g, c, v, o: g * c + v(g + 1)), "left out o"),
        (chosen(lambda g, c, v, o: c + v(g + 1) + o), "gamma times c"),
        (lambda *costs: best(*costs) - 1, "begin at 0"),
        (
            lambda alpha, c, v, o: max(
                expected_tokens(alpha, g) / (g * c + v(g + 1) + o) for g in range(1, 9)
            ),
            "Return the gamma",
        ),
        (lambda *_: 3, "is faster"),
    ],
)
def test_mistakes_in_the_choice_of_gamma(answer, says):
    feedback = check_best_gamma(answer)
    assert feedback.status == "wrong"
    assert says in feedback.message


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda counted, rounds, full: counted, "the miscount itself"),
        (lambda counted, rounds, full: counted - rounds, "Not every round"),
        (lambda counted, rounds, full: counted - full, "other way round"),
        (lambda counted, rounds, full: counted + rounds - full, "subtract"),
        (lambda counted, rounds, full: 7, "How many corrections"),
    ],
)
def test_mistakes_in_the_true_count(answer, says):
    feedback = check_true_accepted(answer)
    assert feedback.status == "wrong"
    assert says in feedback.message
