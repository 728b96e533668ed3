"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

from course_utils.classroom.rounds import round_of
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.start_here.checks import (
    check_report,
    check_run_with,
    check_token_kinds,
)
from course_utils.lessons.start_here.reports import KINDS, course_report
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


def by_hand(rounds):
    """As a student may write it, without the course's metrics."""
    kinds = [kind for r in rounds for kind in r.kinds]
    counts = {kind: kinds.count(kind) for kind in KINDS}
    accepted = sum(r.accepted for r in rounds)
    examined = sum(len(r.emitted) - (r.kinds[-1] in ("bonus", "target")) for r in rounds)
    return {
        "tokens": len(kinds),
        "calls": len(rounds),
        "saved": (len(kinds) - len(rounds)) / len(kinds),
        **counts,
        "examined": examined,
        "rate": accepted / examined if examined else None,
        "a key of one's own": 1,
    }


def by_the_length_of_the_draft(rounds):
    """What lesson 00 once taught: wrong in a round that a stop token ended."""
    examined = sum(r.accepted + (r.accepted < len(r.drafted)) for r in rounds)
    rate = sum(r.accepted for r in rounds) / examined if examined else None
    return course_report(rounds) | {"examined": examined, "rate": rate}


def no_bonus_at_a_stop(rounds):
    """Forgets that the bonus itself may be the stop token."""
    whole = [r for r in rounds if 0 < len(r.drafted) == r.accepted]
    return course_report(rounds) | {"bonus": sum(r.stop_reason != "stop_token" for r in whole)}


def lost_at_the_stop(rounds):
    said = course_report(rounds)
    return said | {"examined": said["examined"] - 2 * (rounds[-1].stop_reason == "stop_token")}


def told(**wrong):
    return lambda rounds: course_report(rounds) | wrong


RIGHT_ANSWERS = [
    (check_token_kinds, lambda d, a: round_of(d, a).kinds),
    (check_report, by_hand),
    (check_run, lambda gamma: run(gamma=gamma)),
]
A = ["accepted"]
WRONG_ANSWERS = [
    (check_token_kinds, lambda d, a: A * a + ["rejected"] * (d - a), "not in the text"),
    (check_token_kinds, lambda d, a: A * a + ["end"], "'end' is none of"),
    (check_token_kinds, lambda d, a: "bonus", "a list with one word"),
    (check_token_kinds, lambda d, a: [], "drafted = 5, accepted = 2"),
    (check_report, lambda rounds: course_report(rounds)["rate"], "Return a dict with tokens"),
    (check_report, lambda rounds: course_report(rounds) | {"rate": ...}, "rate is still open"),
    (check_report, told(rate=2.0), "rate: For rounds that drafted 4, 4, 4, 4"),
    (check_report, lost_at_the_stop, "accepted 2, 2 tokens (a stop token ended the text)"),
    (check_report, told(rate=float("nan")), "not nan"),
    (check_report, no_bonus_at_a_stop, "bonus: For rounds that drafted 4, 3"),
    (check_report, by_the_length_of_the_draft, "guess that nobody looked at"),
    (check_run, lambda gamma: generate(TARGET, PROMPT, Sampled(DRAFT), gamma=gamma), "list(...)"),
    (check_run, lambda gamma: summarise(run(gamma=gamma)), "list of its rounds"),
    (check_run, lambda gamma: run(drafter=None), "Nothing was drafted"),
    (check_run, lambda gamma: run(), "gamma=gamma"),
    (check_run, lambda gamma: run(gamma=gamma, max_new_tokens=9), "**settings"),
    (check_run, lambda gamma: run(OTHER, Sampled(OTHER, GREEDY), gamma=gamma), "target's place"),
    (check_run, lambda gamma: run(target=DRAFT, gamma=gamma, sampling=HOT), "**settings"),
    (check_run, lambda gamma: run(gamma=gamma) if gamma == 2 else None, "gamma = 3 nothing comes"),
]
