"""The feedback on two natural first attempts at the fewest tokens: brute force and recursion."""

from functools import cache

import pytest

from course_utils.classroom import limits
from course_utils.lessons.what_the_articles_got_wrong import checks


def every_split(data, vocabulary):
    if not data:
        return 0
    ends = range(len(data), 0, -1)
    return 1 + min(every_split(data[end:], vocabulary) for end in ends if data[:end] in vocabulary)


def memoised(data, vocabulary):
    @cache
    def behind(start):
        ends = range(start + 1, len(data) + 1)
        ways = (behind(end) for end in ends if data[start:end] in vocabulary)
        return 1 + min(ways) if start < len(data) else 0

    return behind(0)


@pytest.mark.parametrize(
    ("attempt", "why"),
    [(every_split, "too many splits to try each"), (memoised, "deeper than Python allows")],
)
def test_attempts_too_slow_or_too_deep_for_long_texts_are_explained(attempt, why, monkeypatch):
    monkeypatch.setattr(checks, "SECONDS", 0.2)
    monkeypatch.setattr(limits, "LOOK", 0.05)
    assert why in checks.check_fewest(attempt).message
