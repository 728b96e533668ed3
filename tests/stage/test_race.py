"""The race in the browser tells the time of each moment truly."""

from itertools import accumulate, pairwise

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.stage.node import called

times = st.tuples(*[st.one_of(st.just(0.0), st.floats(0, 3000))] * 3)
turns = st.builds(
    lambda times, written, drafted: {
        "times": times,
        "written": [["a", "accepted"]] * written,
        "drafted": [["b", "lost"]] * drafted,
    },
    times, st.integers(1, 6), st.integers(0, 5),
)  # fmt: skip


@settings(deadline=None, max_examples=12, phases=[Phase.generate])  # shrinking calls node
@given(st.lists(turns, min_size=1, max_size=9))
def test_a_moment_of_a_run(made):
    ends = list(accumulate(sum(turn["times"]) for turn in made))
    after = list(accumulate((len(turn["written"]) for turn in made), initial=0))
    # every 20th of it, beyond it, and each end to the last bit
    moments = sorted([ends[-1] * share / 20 for share in range(23)] + ends)
    found = called("formulas/race.mjs", "track", [[{"turns": made}, at] for at in moments])
    for moment, now in zip(moments, found, strict=True):
        assert now["calls"] == sum(end <= moment for end in ends)
        assert now["tokens"] == after[now["calls"]]
        assert now["elapsed"] == pytest.approx(min(moment, ends[-1]), rel=1e-12)
        assert sum(now["spent"]) == pytest.approx(now["elapsed"], rel=1e-9, abs=1e-9)
        finished = [turn["times"] for turn in made[: now["calls"]]]
        for spent, *phases in zip(now["spent"], *finished, strict=True):
            assert spent >= sum(phases) - 1e-9
        assert now["done"] == (now["phase"] is None) == (now["calls"] == len(made))
        drafted = 0 if now["done"] else len(made[now["calls"]]["drafted"])
        assert 0 <= now["guesses"] <= drafted
    for before, later in pairwise(found):
        assert all(a <= b + 1e-9 for a, b in zip(before["spent"], later["spent"], strict=True))


def test_guesses_appear_one_by_one_while_they_are_drafted():
    turn = {"times": [8, 5, 1], "written": [["a", "bonus"]], "drafted": [["b", "lost"]] * 4}
    moments = [0, 1.9, 2, 4, 7.9, 8, 13, 14]
    found = called("formulas/race.mjs", "track", [[{"turns": [turn]}, at] for at in moments])
    assert [one["guesses"] for one in found] == [0, 0, 1, 2, 3, 4, 4, 0]
    assert [one["phase"] for one in found] == [0, 0, 0, 0, 0, 1, 2, None]
