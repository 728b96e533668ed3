"""What is said to an honest first try at the fewest tokens: every way, and recursion."""

from functools import cache

import pytest

from course_utils.classroom import limits
from course_utils.lessons.what_the_articles_got_wrong import checks


def every_way(data, vocabulary):
    if not data:
        return 0
    ends = range(len(data), 0, -1)
    return 1 + min(every_way(data[end:], vocabulary) for end in ends if data[:end] in vocabulary)


def memoised(data, vocabulary):
    @cache
    def behind(start):
        ends = range(start + 1, len(data) + 1)
        ways = (behind(end) for end in ends if data[start:end] in vocabulary)
        return 1 + min(ways) if start < len(data) else 0

    return behind(0)


@pytest.mark.parametrize(
    ("attempt", "why"),
    [(every_way, "too many ways to try each"), (memoised, "deeper than Python allows")],
)
def test_what_is_right_for_short_texts_hears_why_not_for_long_ones(attempt, why, monkeypatch):
    monkeypatch.setattr(checks, "SECONDS", 0.2)
    monkeypatch.setattr(limits, "LOOK", 0.05)
    assert why in checks.check_fewest(attempt).message
