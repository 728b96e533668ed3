"""The race: two runs on one clock, and what is said of them."""

from dataclasses import replace

import numpy as np
import pytest

from course_utils.decoding.contracts import Round, Seconds, Verdict
from course_utils.decoding.loop import generate
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.start_here.race import (
    BETS,
    LIMITS,
    drafted_of,
    race,
    race_data,
    run_of,
)
from course_utils.models.toys.characters import CharacterModel

TARGET = CharacterModel()
decode = TARGET.alphabet.decode


def sentence(drafter=None, **settings):
    return list(generate(TARGET, [0], drafter, max_new_tokens=18, **settings))


PLAIN = sentence()
DRAFTED = sentence(Sampled(CharacterModel(accuracy=0.7)), gamma=3, seed=19)


def timed(rounds, *seconds):
    """The same rounds, each as long."""
    return [replace(r, seconds=Seconds(*seconds)) for r in rounds]


def both(plain=(0, 0.009, 0.001), drafted=(0.006, 0.010, 0.002)):
    """Plain decoding: 18 rounds of 10 ms; speculation: 7 rounds of 18 ms."""
    slow, fast = timed(PLAIN, *plain), timed(DRAFTED, *drafted)
    return run_of("plain", slow, decode), run_of("drafted", fast, decode)


def test_a_run_holds_what_was_drafted_thrown_away_and_written():
    run = both()[1]
    assert "".join(text for turn in run.turns for text, _ in turn.written) == decode([*run.tokens])
    assert run.ends == pytest.approx([18 * (i + 1) for i in range(7)])
    assert run.spent == pytest.approx((42, 70, 14))
    for turn, one, after in zip(run.turns, DRAFTED, run.after[1:], strict=True):
        assert "".join(text for text, _ in turn.drafted) == decode([*one.drafted])
        assert [kind for _, kind in turn.written] == [*one.kinds]
        assert after == sum(len(r.emitted) for r in DRAFTED[: one.index + 1])


def drafted_round(**given):
    made = {
        "index": 0, "context": 1, "drafted": (1, 2, 3), "p": np.ones((4, 9)), "q": None,
        "uniforms": (0.5,) * 4, "verdict": Verdict(1, 5), "emitted": (1, 5), "cache_before": 1,
        "cache_after": 2, "seconds": Seconds(0, 1, 0),
    }  # fmt: skip
    return Round(**{**made, **given})


@pytest.mark.parametrize(
    ("given", "fates"),
    [
        ({}, "accepted rejected lost"),
        ({"verdict": Verdict(3, 5), "emitted": (1, 2, 3, 5)}, "accepted accepted accepted"),
        # a stop token ends the text: the rest was accepted for nothing
        ({"verdict": Verdict(3, 5), "emitted": (1,)}, "accepted lost lost"),
        ({"verdict": Verdict(0, 5), "emitted": (5,)}, "rejected lost lost"),
    ],
)
def test_what_became_of_each_guess(given, fates):
    assert [fate for _, fate in drafted_of(drafted_round(**given), str)] == fates.split()


def test_the_sentences_of_a_race():
    data = race_data(both())
    assert data["question"] == (
        "Drafted calls the target 7 times, plain 18 times. How many times as fast is drafted?"
    )
    assert data["finish"] == "Drafted is done at 126 ms; plain has 12 of 18 tokens"
    assert data["result"] == "Drafted is 1.43 times as fast: 126 ms against 180 ms"
    assert data["where"] == (
        "0.39 of the calls, 0.70 of the time: drafting took 33 % of it, and a pass lasts 10.0 ms, "
        "not 9.0 ms."
    )
    equal = race_data(both(drafted=(0.005, 0.009, 0)))
    assert equal["where"].endswith("and a pass lasts 9.0 ms in both.")


def test_a_draft_that_costs_too_much_loses_the_race():
    dear = race_data(both(drafted=(0.03, 0.01, 0)))
    assert dear["finish"].startswith("Plain is done at 180 ms; drafted has ")
    assert dear["result"] == "Plain is 1.56 times as fast: 180 ms against 280 ms"
    assert (dear["ratio"], dear["right"]) == (0.64, 0)
    even = race_data(both(drafted=(0.0157, 0.01, 0)))
    assert even["result"] == "Neither is faster: 180 ms against 180 ms"
    assert race_data((both()[0],) * 2)["finish"] == "Plain is done at 180 ms, and so is plain"


@pytest.mark.parametrize(("ms", "bet"), [(26, 0), (25.7, 1), (17.1, 2), (10, 3), (6.4, 4)])
def test_the_bet_that_was_right(ms, bet):
    data = race_data(both(drafted=(0, ms / 1000, 0)))
    assert data["ratio"] == pytest.approx(180 / (7 * ms), abs=0.005)
    assert data["right"] == bet
    assert len(BETS) == len(LIMITS) + 1


@pytest.mark.parametrize(
    ("factor", "said"),
    [(1e-2, "1.26 ms against 1.80 ms"), (1e-1, "12.6 ms against 18.0 ms"),
     (1e2, "12.6 s against 18.0 s")],
)  # fmt: skip
def test_times_are_told_in_a_unit_that_fits(factor, said):
    assert said in race_data(both((0, 0.01 * factor, 0), (0, 0.018 * factor, 0)))["result"]


def test_the_scene_has_both_runs():
    rounds = timed(PLAIN, 0, 0.01, 0), timed(DRAFTED, 0, 0.018, 0)
    scene = race(*rounds, decode)
    assert scene.alt == f"A race. {scene.data['question']}"  # its picture is stored, too
    names = [(run["name"], run["tokens"]) for run in scene.data["runs"]]
    assert names == [("plain decoding", 18), ("speculation", 18)]
    assert scene.data["runs"][1]["turns"][0]["times"] == [0, pytest.approx(18), 0]


@pytest.mark.parametrize("rounds", [[], timed(PLAIN, 0, 0, 0)])
def test_a_run_without_rounds_or_clock_is_refused(rounds):
    with pytest.raises(ValueError, match=r"plain decoding has no recorded time: .*generate"):
        race(rounds, DRAFTED, decode)
