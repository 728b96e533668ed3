"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

from course_utils.classroom.rounds import round_of
from course_utils.decoding.loop import generate
from course_utils.edits import slip
from course_utils.lessons.start_here.checks import (
    by_gamma,
    check_by_gamma,
    check_token_kinds,
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


RIGHT_ANSWERS = [
    (check_token_kinds, lambda d, a: round_of(d, a).kinds),
    (check_by_gamma, round_by_round),
]
WRONG_ANSWERS = [
    # the notebook's gamma, whatever it is, in place of the loop's
    (check_by_gamma, slip(by_gamma, ("gamma=gamma", "gamma=5")), "the gamma of your loop"),
]
