"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

from course_utils.classroom.rounds import round_of
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.start_here.checks import (
    check_acceptance_rate,
    check_run_with,
    check_share_saved,
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


CHECKS = [check_run]  # not a value: it needs the lesson's own run


def run(target=TARGET, drafter=Sampled(DRAFT, GREEDY), prompt=PROMPT, **changed):
    return list(generate(target, prompt, drafter, **SETTINGS | changed))


def accepted(rounds):
    return sum(r.accepted for r in rounds)


def examined(rounds):
    return sum(min(r.accepted + 1, len(r.drafted)) for r in rounds)


RIGHT_ANSWERS = [
    (check_share_saved, lambda tokens, calls: (tokens - calls) / tokens),
    (check_token_kinds, lambda d, a: round_of(d, a).kinds),
    (check_acceptance_rate, lambda rounds: accepted(rounds) / examined(rounds)),
    (check_run, lambda gamma: run(gamma=gamma)),
]
A = ["accepted"]
WRONG_ANSWERS = [
    (check_share_saved, lambda tokens, calls: 0.75, "tokens = 90, calls = 60"),
    (check_share_saved, lambda tokens, calls: float("nan"), "not nan"),
    (check_share_saved, lambda tokens, calls: "many", "not 'many'"),
    (check_token_kinds, lambda d, a: A * a + ["rejected"] * (d - a), "not in the text"),
    (check_token_kinds, lambda d, a: A * a + ["end"], "'end' is none of"),
    (check_token_kinds, lambda d, a: "bonus", "a list with one word"),
    (check_token_kinds, lambda d, a: [], "drafted = 5, accepted = 2"),
    (check_acceptance_rate, lambda rounds: 2.0, "rounds that drafted 4, 4, 4, 4"),
    (check_run, lambda gamma: generate(TARGET, PROMPT, Sampled(DRAFT), gamma=gamma), "list(...)"),
    (check_run, lambda gamma: summarise(run(gamma=gamma)), "list of its rounds"),
    (check_run, lambda gamma: run(drafter=None), "Nothing was drafted"),
    (check_run, lambda gamma: run(), "gamma=gamma"),
    (check_run, lambda gamma: run(gamma=gamma, max_new_tokens=9), "**settings"),
    (check_run, lambda gamma: run(OTHER, Sampled(OTHER, GREEDY), gamma=gamma), "target's place"),
    (check_run, lambda gamma: run(target=DRAFT, gamma=gamma, sampling=HOT), "**settings"),
    (check_run, lambda gamma: run(gamma=gamma) if gamma == 2 else None, "gamma = 3 nothing comes"),
]
