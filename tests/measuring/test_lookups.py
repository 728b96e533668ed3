"""What a proposal of a lookup costs: the same ids for all three."""

import pytest

from course_utils.measuring import lookups
from course_utils.measuring.lookups import measured

TEXTS = {"one token": [7] * 200, "two tokens": [7, 8] * 100}


def test_a_row_for_each_text_and_length(monkeypatch):
    monkeypatch.setattr(lookups, "now", iter([0.0, 2.0] * 4).__next__)
    rows = measured(TEXTS, lengths=(40, 100), rounds=5)
    assert [(row["text"], row["context"]) for row in rows] == [
        (name, length) for name in TEXTS for length in (40, 100)
    ]
    for row in rows:
        assert row["read once, us per token"] == 2e6 / row["context"]
        ratio = row["transformers"] / row["suffix automaton"]
        assert row["transformers / suffix automaton"] == pytest.approx(ratio)


def test_all_three_guess_after_the_same_ids():
    steps = lookups._proposers(TEXTS["one token"], 100)
    guessed = steps[lookups.AUTOMATON](0)
    assert steps[lookups.SEARCH](0).tokens == guessed.tokens == (7,) * lookups.GAMMA
    ids, _ = steps[lookups.THEIRS](1)
    assert ids.shape[1] == 100 + 2 * lookups.NEW + lookups.GAMMA


def test_a_text_that_is_too_short_is_refused():
    with pytest.raises(ValueError, match="too few for 100"):
        measured({"short": [1] * 100}, lengths=(100,), rounds=5)
