"""Answers that the exercises of this room do not hold themselves."""

from course_utils.lessons.who_waits_for_whom.checks import check_finished_at, check_slowest_of


def finished_turn_by_turn(rounds, slots):
    ends, work, waiting, turn = [0] * len(rounds), {}, list(enumerate(rounds)), 0
    while work or waiting:
        while waiting and len(work) < slots:
            text, needed = waiting.pop(0)
            work[text] = needed
        turn += 1
        for text in list(work):
            work[text] -= 1
            if not work[text]:
                ends[text] = turn
                del work[text]
    return ends


RIGHT_ANSWERS = [(check_finished_at, finished_turn_by_turn)]

WRONG_ANSWERS = [(check_slowest_of, lambda rounds, rows: 0.0, "rows = ")]
