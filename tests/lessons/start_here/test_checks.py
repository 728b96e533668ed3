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


def by_hand(rounds):
    """As a student may write it, round by round."""
    tokens = sum(len(r.emitted) for r in rounds)
    accepted = sum(r.accepted for r in rounds)
    examined = sum(len(r.emitted) - (r.kinds[-1] in ("bonus", "target")) for r in rounds)
    return {
        "saved": (tokens - len(rounds)) / tokens,
        "rate": accepted / examined if examined else None,
    }


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
    said = course_report(rounds)
    return said | {"rate": said["rate"] if rounds[-1].stop_reason != "stop_token" else 0.1}


RIGHT_ANSWERS = [
    (check_token_kinds, lambda d, a: round_of(d, a).kinds),
    (check_report, by_hand),
    (check_by_gamma, round_by_round),
]
A = ["accepted"]
WRONG_ANSWERS = [
    (check_token_kinds, lambda d, a: A * a + ["rejected"] * (d - a), "not in the text"),
    (check_token_kinds, lambda d, a: A * a + ["end"], "'end' is none of"),
    (check_token_kinds, lambda d, a: "bonus", "a list with one word"),
    (check_report, lost_at_the_stop, "accepted 2, 2 tokens (a stop token ended the text)"),
    (check_by_gamma, lambda gammas, *_: dict.fromkeys(gammas, 1), "one dict for each gamma"),
    (check_by_gamma, lambda gammas, *_: [{"gamma": g} for g in gammas], "one dict for each"),
    (check_by_gamma, slip(by_gamma, ("**settings", "settings=settings")), "keyword argument 's"),
    (
        check_by_gamma,
        slip(by_gamma, ("**settings)", "**settings | {'max_new_tokens': 9})")),
        "wasted: For gammas = [1, 2, 3, 6] and a draft that",
    ),
]
