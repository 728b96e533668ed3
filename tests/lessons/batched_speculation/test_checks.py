"""Answers of students to lesson 11 that its checks do not list as mistakes."""

from course_utils.lessons.batched_speculation.checks import (
    check_row_differences,
    check_visible_columns,
)


def lists_of_columns(lengths, counts):
    ends = [n + i for n, count in zip(lengths, counts, strict=True) for i in range(count)]
    return [[column <= end for column in range(max(ends) + 1)] for end in ends]


def differences_as_a_list(batch, alone):
    return [
        (row, what)
        for row in alone
        for what, part in (("text", 0), ("accepted", 1))
        if _flat(batch.get(row, []), part) != _flat(alone[row], part)
    ]


def _flat(rounds, part):
    return [r[1] for r in rounds] if part else [token for r in rounds for token in r[0]]


RIGHT_ANSWERS = [
    (check_visible_columns, lists_of_columns),
    (check_row_differences, differences_as_a_list),
]
