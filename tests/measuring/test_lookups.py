"""The rows of `bench --lookup`: the same ids for all three, and what is printed of them."""

import pytest

from course_utils.measuring import lookups
from course_utils.measuring.lookups import hard_texts, measured
from workshop.bench.pages import lookups_page


def test_a_row_for_each_text_and_length():
    rows = measured(hard_texts(200, 50), lengths=(40, 100), rounds=5)
    assert [(row["text"], row["context"]) for row in rows] == [
        (name, length)
        for name in ("one token", "Fibonacci word", "random tokens")
        for length in (40, 100)
    ]
    assert all(row["suffix automaton"] > 0 for row in rows)
    page = lookups_page({"rows": rows, "new_tokens": 3, "gamma": 4, "longest": 3})
    assert len(page.splitlines()) == len(rows) + 4
    assert "one token" in page


def test_all_three_guess_after_the_same_ids():
    text = hard_texts(200, 50)["one token"]
    steps = lookups._proposers(text, 100)
    guessed = steps[lookups.AUTOMATON](0)
    assert steps[lookups.SEARCH](0).tokens == (7,)  # the copy ends with the text
    assert guessed.tokens == (7,) * lookups.GAMMA
    ids, _ = steps[lookups.THEIRS](0)
    assert ids.shape[1] == 100 + lookups.NEW + lookups.GAMMA


def test_a_text_that_is_too_short_is_refused():
    with pytest.raises(ValueError, match="too few for 100"):
        measured({"short": [1] * 100}, lengths=(100,), rounds=5)
