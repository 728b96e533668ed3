"""The checks of lesson 00 pass what is right and name what is likely wrong."""

import pytest

from course_utils.classroom.diagnosis import round_of
from course_utils.classroom.feedback import PASSED, WRONG
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.start_here.checks import (
    check_run_with,
    check_share_saved,
    check_survival_rate,
    check_token_kinds,
)
from course_utils.models.characters import SENTENCE, CharacterModel

TARGET, DRAFT = CharacterModel(accuracy=1.0), CharacterModel(accuracy=0.0)
OTHER = CharacterModel(SENTENCE[0] * len(SENTENCE))
PROMPT = TARGET.alphabet.encode("")
SETTINGS = {"sampling": GREEDY, "max_new_tokens": len(SENTENCE)}
HOT = Sampling(temperature=1.0)
PLAIN = list(generate(TARGET, PROMPT, **SETTINGS))


def check_run(function):
    return check_run_with(function, PLAIN)


def run(target=TARGET, drafter=Sampled(DRAFT, GREEDY), prompt=PROMPT, **changed):
    return list(generate(target, prompt, drafter, **SETTINGS | changed))


def kinds(drafted, accepted):
    return list(round_of(drafted, accepted).kinds)


def kept(rounds):
    return sum(r.accepted for r in rounds)


def examined(rounds):
    return sum(min(r.accepted + 1, len(r.drafted)) for r in rounds)


RIGHT = [
    (check_share_saved, lambda tokens, calls: 1 - calls / tokens),
    (check_share_saved, lambda tokens, calls: (tokens - calls) / tokens),
    (check_token_kinds, kinds),
    (check_token_kinds, lambda d, a: round_of(d, a).kinds),
    (check_survival_rate, lambda rounds: summarise(rounds).accepted_per_examined),
    (check_survival_rate, lambda rounds: kept(rounds) / examined(rounds)),
    (check_run, lambda gamma: run(gamma=gamma)),
]
A = ["accepted"]
WRONG_ANSWERS = [
    (check_share_saved, lambda tokens, calls: tokens / calls, "tokens a call"),
    (check_share_saved, lambda tokens, calls: calls / tokens, "still made"),
    (check_share_saved, lambda tokens, calls: tokens - calls, "counts calls"),
    (check_share_saved, lambda tokens, calls: 100 - 100 * calls / tokens, "in percent"),
    (check_share_saved, lambda tokens, calls: tokens / calls - 1, "by the calls that were made"),
    (check_share_saved, lambda tokens, calls: 0.75, "90 tokens from 60 calls"),
    (check_share_saved, lambda tokens, calls: float("nan"), "not nan"),
    (check_share_saved, lambda tokens, calls: "many", "not 'many'"),
    (check_token_kinds, lambda d, a: A * a, "left out the token"),
    (check_token_kinds, lambda d, a: A * a + ["correction"], "none was corrected"),
    (check_token_kinds, lambda d, a: A * a + ["bonus"], "stood as a whole"),
    (
        check_token_kinds,
        lambda d, a: A * a + ["correction" if a == d else "bonus"],
        "other way round",
    ),
    (
        check_token_kinds,
        lambda d, a: A * a + (["correction"] * (d - a) or ["bonus"]),
        "corrects one guess",
    ),
    (check_token_kinds, lambda d, a: A * (a + 1), "not accepted as well"),
    (check_token_kinds, lambda d, a: A * a + ["rejected"] * (d - a), "not in the text"),
    (check_token_kinds, lambda d, a: A * a + ["end"], "'end' is none of"),
    (check_token_kinds, lambda d, a: kinds(d, a)[-1], "a list with one word"),
    (check_token_kinds, lambda d, a: [], "5 drafted and 2 accepted"),
    (check_survival_rate, lambda rounds: summarise(rounds).accepted_per_drafted, "all drafted"),
    (check_survival_rate, lambda rounds: summarise(rounds).accepted_per_emitted, "no guess"),
    (
        check_survival_rate,
        lambda rounds: sum(len(r.emitted) for r in rounds) / sum(len(r.drafted) for r in rounds),
        "corrections and bonuses",
    ),
    (
        check_survival_rate,
        lambda rounds: sum(kept([r]) / examined([r]) for r in rounds) / len(rounds),
        "mean of the rates",
    ),
    (check_survival_rate, lambda rounds: 2.0, "rounds that drafted 4, 4, 4, 4"),
    (check_run, lambda gamma: generate(TARGET, PROMPT, Sampled(DRAFT), gamma=gamma), "list(...)"),
    (check_run, lambda gamma: summarise(run(gamma=gamma)), "list of its rounds"),
    (check_run, lambda gamma: run(drafter=None), "Nothing was drafted"),
    (check_run, lambda gamma: run(), "gamma=gamma"),
    (check_run, lambda gamma: run(gamma=gamma, max_new_tokens=9), "**settings"),
    (check_run, lambda gamma: run(OTHER, Sampled(OTHER, GREEDY), gamma=gamma), "target's place"),
    (check_run, lambda gamma: run(target=DRAFT, gamma=gamma, sampling=HOT), "**settings"),
]
CHECKS = [check_share_saved, check_token_kinds, check_survival_rate, check_run]


@pytest.mark.parametrize(("check", "answer"), RIGHT)
def test_right_answers_pass(check, answer):
    assert check(answer).status == PASSED


@pytest.mark.parametrize(("check", "answer", "hint"), WRONG_ANSWERS)
def test_each_typical_mistake_is_named(check, answer, hint):
    feedback = check(answer)
    assert feedback.status == WRONG
    assert hint in feedback.message
