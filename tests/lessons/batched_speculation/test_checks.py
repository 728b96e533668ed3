"""Answers of students to lesson 11 that its checks do not list as mistakes."""

from course_utils.lessons.batched_speculation.checks import check_visible_columns


def lists_of_columns(lengths, counts):
    ends = [n + i for n, count in zip(lengths, counts, strict=True) for i in range(count)]
    return [[column <= end for column in range(max(ends) + 1)] for end in ends]


RIGHT_ANSWERS = [(check_visible_columns, lists_of_columns)]
