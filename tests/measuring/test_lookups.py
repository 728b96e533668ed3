"""The cost of one lookup proposal."""

import pytest

from course_utils.measuring import lookups


def test_all_lookups_guess_after_the_same_ids():
    steps = lookups._proposers([7] * 200, 100)
    guessed = steps[lookups.AUTOMATON](0)
    assert steps[lookups.SEARCH](0).tokens == guessed.tokens == (7,) * lookups.GAMMA
    ids, _ = steps[lookups.THEIRS](1)
    assert ids.shape[1] == 100 + 2 * lookups.NEW + lookups.GAMMA
    with pytest.raises(ValueError, match="too few for length 100"):
        lookups.measured({"short": [1] * 100}, lengths=(100,), rounds=5)
