"""The race in the browser is at every moment where Python says it is."""

from dataclasses import asdict
from itertools import pairwise

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from course_utils.lessons.start_here.race import Run, Turn, track_at
from tests.stage.node import called

times = st.tuples(*[st.one_of(st.just(0.0), st.floats(0, 3000))] * 3)
turns = st.builds(
    lambda times, written, drafted: Turn(
        times, (("a", "accepted"),) * written, (("b", "lost"),) * drafted
    ),
    times, st.integers(1, 6), st.integers(0, 5),
)  # fmt: skip


def run_with(made):
    """A run of these turns, its clock as `run_of` sets it."""
    ends, after = [], [0]
    for turn in made:
        ends.append((ends[-1] if ends else 0) + sum(turn.times))
        after.append(after[-1] + len(turn.written))
    return Run("run", (0,) * after[-1], tuple(made), tuple(ends), tuple(after))


@settings(deadline=None, max_examples=12, phases=[Phase.generate])  # shrinking calls node
@given(st.lists(turns, min_size=1, max_size=9))
def test_a_moment_of_a_run(made):
    run = run_with(made)
    told = {"turns": [vars(turn) for turn in made]}
    # every 20th of it, beyond it, and each end to the last bit
    moments = [run.ends[-1] * share / 20 for share in range(23)] + [*run.ends]
    found = called("formulas/race.mjs", "track", [[told, moment] for moment in moments])
    for moment, browser in zip(moments, found, strict=True):
        python = asdict(track_at(run, moment))
        guesses, phase = browser.pop("guesses"), browser.pop("phase")
        assert browser.pop("spent") == pytest.approx(python.pop("spent"), rel=1e-12, abs=1e-12)
        assert browser.pop("elapsed") == pytest.approx(python.pop("elapsed"), rel=1e-12)
        assert browser == python
        assert (phase is None) == python["done"]
        drafted = 0 if python["done"] else len(run.turns[python["calls"]].drafted)
        assert 0 <= guesses <= drafted


def test_guesses_appear_one_by_one_while_they_are_drafted():
    turn = {"times": [8, 5, 1], "written": [["a", "bonus"]], "drafted": [["b", "lost"]] * 4}
    moments = [0, 1.9, 2, 4, 7.9, 8, 13, 14]
    found = called("formulas/race.mjs", "track", [[{"turns": [turn]}, at] for at in moments])
    assert [one["guesses"] for one in found] == [0, 0, 1, 2, 3, 4, 4, 0]
    assert [one["phase"] for one in found] == [0, 0, 0, 0, 0, 1, 2, None]


def test_the_axis_reaches_beyond_now_and_tells_nothing_of_the_end():
    moments = [i / 7 for i in range(700)]
    limits = called("formulas/race.mjs", "reach", [[now, 3] for now in moments])
    assert limits[0] == 3
    assert all(now < limit <= max(3, 2 * now) for now, limit in zip(moments, limits, strict=True))
    steps = [b - a for a, b in pairwise(limits)]
    assert 0 <= min(steps) <= max(steps) < 0.7  # it never jumps
