"""What is said to an honest first try: every way, recursion, an answer of another form."""

from functools import cache

import pytest

from course_utils.classroom import limits
from course_utils.decoding.theory import speedup
from course_utils.lessons.what_the_articles_got_wrong import checks
from course_utils.lessons.what_the_articles_got_wrong.checks import (
    FAULTS,
    best_count,
    check_best_count,
    check_faults,
    check_fewest,
)

WRONG_ANSWERS = [
    (
        check_best_count,
        lambda *point: (best_count(*point), speedup(*point[:1], 4, 0.1)),
        "one numb",
    ),
    (check_faults, FAULTS | {"A": None}, 'Write "none" in quotes'),
    (check_faults, [*FAULTS.values()], "stays a dict with the keys A, B, C"),
    (check_faults, {"A": "none", "B": "draft"}, "stays a dict"),
    (check_faults, FAULTS | {"A": "None"}, "'None' is none of the places"),
]


def every_way(data, vocabulary):
    if not data:
        return 0
    ends = range(len(data), 0, -1)
    return 1 + min(every_way(data[end:], vocabulary) for end in ends if data[:end] in vocabulary)


def kept_by_recursion(data, vocabulary):
    @cache
    def behind(start):
        ends = range(start + 1, len(data) + 1)
        found = (behind(end) for end in ends if data[start:end] in vocabulary)
        return 1 + min(found) if start < len(data) else 0

    return behind(0)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(checks, "SECONDS", 0.2)
    monkeypatch.setattr(limits, "LOOK", 0.05)


def test_who_tries_every_way_hears_that_there_are_too_many(quick):
    assert "too many ways to try each" in check_fewest(every_way).message


def test_who_recurses_hears_that_python_does_not_go_so_deep(quick):
    assert "deeper than Python allows" in check_fewest(kept_by_recursion).message


def test_a_loop_that_never_ends_is_asked_for(quick):
    def endless(data, vocabulary):
        while True:
            pass

    said = check_fewest(endless).message
    assert said.startswith("Your code was stopped.")
    assert "Does a loop in it never end?" in said


def test_nobody_waits_long_for_this_check():
    assert checks.SECONDS <= 5
