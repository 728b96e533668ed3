"""Lesson 11's checks: the right answer passes, each likely mistake gets its own message."""

from types import SimpleNamespace

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.decoding.theory import expected_tokens
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.qwen3_speculative_decoder.checks import (
    check_fastest_gamma,
    check_statistics,
    check_true_accepted,
)
from course_utils.lessons.qwen3_speculative_decoder.decoder_check import check_speculate
from course_utils.models.tables import TableModel

TOY = SimpleNamespace(
    target=TableModel.random(6, order=1, seed=2), draft=TableModel.random(6, order=1, seed=5)
)
CHECKS = (
    check_statistics,
    check_fastest_gamma,
    check_true_accepted,
    lambda answer: check_speculate(answer, TOY),
)


def statistics(rounds, **wrong):
    accepted = sum(r.accepted for r in rounds)
    right = {
        "drafted": sum(len(r.drafted) for r in rounds),
        "accepted": accepted,
        "examined": accepted + sum("correction" in r.kinds for r in rounds),
        "new": sum(len(r.emitted) for r in rounds),
    }
    return right | {name: count(rounds) for name, count in wrong.items()}


def speculate(pair, ids, gamma, temperature, drafter=None, **wrong):
    sampling = Sampling(temperature=temperature)
    settings = dict(gamma=gamma, sampling=sampling) | wrong
    drafter = drafter or Sampled(pair.draft, sampling)
    return list(generate(pair.target, ids, drafter, **settings))


def swapped(pair, *rest):
    return speculate(SimpleNamespace(target=pair.draft, draft=pair.target), *rest)


def chosen(cost, tokens=expected_tokens):
    def fastest_gamma(alpha, c, v, o):
        return max(range(1, 9), key=lambda g: tokens(alpha, g) / cost(g, c, v, o))

    return fastest_gamma


best = chosen(lambda g, c, v, o: g * c + v(g + 1) + o)


def total(rounds, kind):
    return sum(r.kinds.count(kind) for r in rounds)


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (check_statistics, statistics),
        (check_fastest_gamma, best),
        (check_true_accepted, lambda counted, rounds, full: counted - rounds + full),
    ],
)
def test_the_right_answer_passes(check, answer):
    assert check(answer).status == "passed"


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
    feedback = check_fastest_gamma(answer)
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


def test_the_right_decoder_passes_with_any_length_and_seed():
    assert check_speculate(speculate, TOY).status == "passed"
    shorter = lambda *each: speculate(*each, seed=3, max_new_tokens=20)  # noqa: E731
    assert check_speculate(shorter, TOY).status == "passed"


def test_the_right_decoder_passes_on_the_trained_pair(pair):
    short = lambda *each: speculate(*each, max_new_tokens=12)  # noqa: E731
    assert check_speculate(short, pair).status == "passed"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda pair, ids, g, t: generate(pair.target, ids), "one by one"),
        (lambda *each: emitted_tokens(speculate(*each)), "rounds themselves"),
        (
            lambda pair, ids, g, t: list(generate(pair.target, ids, sampling=Sampling(t))),
            "standard decoding",
        ),
        (lambda pair, ids, g, t: speculate(pair, ids, 4, t), "Hand gamma on"),
        (lambda pair, ids, *rest: speculate(pair, ids[:1], *rest), "the prompt has 3"),
        (swapped, "exchanged target and draft"),
        (lambda *each: speculate(*each, sampling=Sampling()), "target speaks at temperature 1"),
        (lambda *each: speculate(*each, sampling=GREEDY), "target decodes greedily"),
        (lambda *each: speculate(*each, sampling=Sampling(3.0)), "p is not the target's law"),
        (
            lambda pair, ids, g, t: speculate(
                pair, ids, g, t, Sampled(pair.target, Sampling(temperature=t))
            ),
            "target's own law",
        ),
        (
            lambda pair, *rest: speculate(pair, *rest, Sampled(pair.draft)),
            "draft samples at temperature 1",
        ),
        (
            lambda pair, *rest: speculate(pair, *rest, Sampled(pair.draft, GREEDY)),
            "draft samples at temperature 0",
        ),
        (
            lambda pair, *rest: speculate(pair, *rest, Sampled(pair.draft, Sampling(3.0))),
            "q is not the draft",
        ),
        (lambda pair, *rest: speculate(pair, *rest, PromptLookup()), "did not sample"),
    ],
)
def test_mistakes_in_the_decoder(answer, says):
    feedback = check_speculate(answer, TOY)
    assert feedback.status == "wrong"
    assert says in feedback.message


def test_a_decoder_that_runs_the_lessons_own_pair_is_told_so():
    own = SimpleNamespace(target=TableModel.random(9, 0, 0), draft=TableModel.random(9, 0, 1))
    feedback = check_speculate(lambda pair, *rest: speculate(own, *rest), TOY)
    assert "lesson's own pair" in feedback.message
