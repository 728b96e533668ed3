"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

from course_utils.classroom.rounds import round_of
from course_utils.decoding.loop import generate
from course_utils.edits import slip
from course_utils.lessons.start_here.checks import (
    by_gamma,
    check_by_gamma,
    check_report,
    check_token_kinds,
    course_report,
)


def round_by_round(gammas, target, tokens, drafter, settings):
    lines = []
    for gamma in gammas:
        line = {"calls": 0, "wasted": 0, "gamma": gamma}
        for r in generate(target, tokens, drafter, gamma=gamma, **settings):
            line["calls"] += 1
            line["wasted"] += len(r.drafted) - r.accepted
        lines.append(line)
    return lines


def lost_at_the_stop(rounds):
    report = course_report(rounds)
    return report if rounds[-1].stop_reason != "stop_token" else report | {"rate": 0.1}


RIGHT_ANSWERS = [
    (check_token_kinds, lambda d, a: round_of(d, a).kinds),
    (check_by_gamma, round_by_round),
]
WRONG_ANSWERS = [
    (check_report, lost_at_the_stop, "accepted 2, 2 tokens (a stop token ended the text)"),
    # the notebook's gamma, whatever it is, in place of the loop's
    (check_by_gamma, slip(by_gamma, ("gamma=gamma", "gamma=5")), "the gamma of your loop"),
]
