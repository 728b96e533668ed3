"""Answers that the exercises of this room do not hold themselves."""

import numpy as np

from course_utils.lessons.batched_speculation.checks import (
    check_batch_rate,
    check_committed_lengths,
    check_judged_rows,
    check_repaired_row,
    check_rows_placed,
    check_seen_columns,
)


def placed_by_repeating(lengths, counts):
    rows = np.repeat(np.arange(len(counts)), counts)
    turns = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rows, np.array(lengths)[rows] + turns


def lists_of_columns(lengths, counts):
    ends = [n + i for n, count in zip(lengths, counts, strict=True) for i in range(count)]
    return [[column <= end for column in range(max(ends) + 1)] for end in ends]


def committed_in_place(lengths, accepted, ended):
    for i in range(len(lengths)):
        lengths[i] = 0 if ended[i] else lengths[i] + accepted[i] + 1
    return lengths


def judged_as_a_list(batch, alone):
    return [
        (row, what)
        for row in alone
        for what, part in (("text", 0), ("accepted", 1))
        if _flat(batch.get(row, []), part) != _flat(alone[row], part)
    ]


def _flat(rounds, part):
    return [r[1] for r in rounds] if part else [token for r in rounds for token in r[0]]


def repaired_token_by_token(guesses, said):
    emitted = []
    for guess, token in zip(guesses, said, strict=False):
        emitted.append(token)
        if guess != token:
            return emitted
    return [*emitted, said[-1]]


def rate_of_a_row_at_a_time(rows, gamma, tau, c, v, o):
    turn = sum(c(rows) for _ in range(gamma)) + v(rows + rows * gamma) + o(rows, gamma)
    return sum(tau / turn for _ in range(rows))


RIGHT_ANSWERS = [
    (check_rows_placed, placed_by_repeating),
    (check_seen_columns, lists_of_columns),
    (check_committed_lengths, committed_in_place),
    (check_judged_rows, judged_as_a_list),
    (check_repaired_row, repaired_token_by_token),
    (check_batch_rate, rate_of_a_row_at_a_time),
]


def judged_by_sorted_numbers(batch, alone):
    found = set(judged_as_a_list(batch, alone))
    for row in alone:
        if sorted(_flat(batch.get(row, []), 1)) == sorted(_flat(alone[row], 1)):
            found.discard((row, "accepted"))
    return found


WRONG_ANSWERS = [
    (check_judged_rows, judged_by_sorted_numbers, "the numbers without their order"),
    (check_seen_columns, lambda lengths, counts: np.ones((2, 2), bool), "the array has the shape"),
    (check_committed_lengths, lambda lengths, accepted, ended: lengths, "For lengths"),
    (check_judged_rows, lambda batch, alone: set(), "For batch"),
]
