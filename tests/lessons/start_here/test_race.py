"""The race: two runs on one clock, told truly at every moment."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.decoding.contracts import Round, Seconds, Verdict
from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.start_here.race import (
    BETS,
    LIMITS,
    difference,
    drafted_of,
    finish,
    question,
    race,
    race_data,
    ratio,
    result,
    run_of,
    track_at,
    where,
)
from course_utils.models.characters import CharacterModel

TARGET = CharacterModel()
decode = TARGET.alphabet.decode


def sentence(drafter=None, **settings):
    return list(generate(TARGET, [0], drafter, max_new_tokens=18, **settings))


PLAIN = sentence()
DRAFTED = sentence(Sampled(CharacterModel(accuracy=0.7)), gamma=3, seed=19)


def timed(rounds, seconds):
    """The same rounds with a clock of our own."""
    return [replace(r, seconds=s) for r, s in zip(rounds, seconds, strict=True)]


def both(plain=Seconds(0, 0.009, 0.001), drafted=Seconds(0.006, 0.010, 0.002)):
    """Plain decoding: 18 rounds of 10 ms; speculation: 7 rounds of 18 ms."""
    runs = timed(PLAIN, [plain] * len(PLAIN)), timed(DRAFTED, [drafted] * len(DRAFTED))
    return run_of("plain", runs[0], decode), run_of("drafted", runs[1], decode)


clocks = st.builds(Seconds, *[st.floats(0, 3)] * 3)
clocked = st.tuples(
    st.lists(clocks, min_size=18, max_size=18), st.lists(clocks, min_size=7, max_size=7)
)
shares = st.floats(0, 1)


@settings(deadline=None)
@given(clocked, shares, shares)
def test_at_every_moment_time_is_accounted_for_and_nothing_is_unwritten(seconds, early, late):
    if not all(sum(s.draft + s.verify + s.host for s in run) for run in seconds):
        return
    for rounds, times in zip((PLAIN, DRAFTED), seconds, strict=True):
        run = run_of("run", timed(rounds, times), decode)
        end = run.ends[-1]
        assert end == pytest.approx(sum(run.spent))
        moments = [end * share for share in sorted((early, late))]
        before, after = (track_at(run, moment) for moment in moments)
        assert before.tokens <= after.tokens
        assert before.calls <= after.calls
        for moment, track in zip(moments, (before, after), strict=True):
            assert sum(track.spent) == pytest.approx(track.elapsed, abs=1e-6)
            assert track.elapsed == min(moment, end)
            assert track.tokens == run.after[track.calls]
            assert all(e <= moment for e in run.ends[: track.calls])
            assert all(e > moment for e in run.ends[track.calls :])
        assert track_at(run, end).done


def test_a_turn_holds_what_was_drafted_thrown_away_and_written():
    run = both()[1]
    assert "".join(text for turn in run.turns for text, _ in turn.written) == decode([*run.tokens])
    for turn, one in zip(run.turns, DRAFTED, strict=True):
        assert "".join(text for text, _ in turn.drafted) == decode([*one.drafted])
        fates = [fate for _, fate in turn.drafted]
        thrown = len(one.drafted) - one.accepted
        assert fates == ["accepted"] * one.accepted + (["rejected"] + ["lost"] * thrown)[:thrown]
        assert [kind for _, kind in turn.written] == [*one.kinds]
    assert any("lost" in dict(map(reversed, turn.drafted)) for turn in run.turns)


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
        ({}, ["accepted", "rejected", "lost"]),
        ({"verdict": Verdict(3, 5), "emitted": (1, 2, 3, 5)}, ["accepted"] * 3),
        # a stop token ends the text: the rest was accepted for nothing
        ({"verdict": Verdict(3, 5), "emitted": (1,)}, ["accepted", "lost", "lost"]),
        ({"verdict": Verdict(0, 5), "emitted": (5,)}, ["rejected", "lost", "lost"]),
        # a tree: two candidates for the first place, one that follows the second of them
        (
            {"parents": (-1, -1, 1), "verdict": Verdict(2, 5, (1, 2)), "emitted": (2, 3, 5)},
            ["rejected", "accepted", "accepted"],
        ),
        (
            {"parents": (-1, -1, 1), "verdict": Verdict(1, 5, (0,)), "emitted": (1, 5)},
            ["accepted", "rejected", "lost"],
        ),
        ({"parents": (-1, -1, 0), "verdict": Verdict(0, 5), "emitted": (5,)},
         ["rejected", "rejected", "lost"]),
    ],
)  # fmt: skip
def test_what_became_of_each_guess(given, fates):
    assert [fate for _, fate in drafted_of(drafted_round(**given), str)] == fates


def test_the_sentences_of_a_race():
    runs = both()
    assert question(runs) == (
        "Drafted calls the target 7 times, plain 18 times. How many times as fast is drafted?"
    )
    assert finish(runs) == "Drafted is done at 126 ms; plain has 12 of 18 tokens"
    assert result(runs) == "Drafted is 1.43 times as fast: 126 ms against 180 ms"
    assert where(runs) == (
        "The calls went to 0.39 of plain's, the time to 0.70. Drafting took 33 % of the time, "
        "and a pass lasts 10.0 ms, not 9.0 ms."
    )
    equal = both(drafted=Seconds(0.005, 0.009, 0))
    assert where(equal).endswith("and a pass lasts 9.0 ms in both.")


def test_a_draft_that_costs_too_much_loses_the_race():
    dear = both(drafted=Seconds(0.03, 0.01, 0))
    assert finish(dear).startswith("Plain is done at 180 ms; drafted has ")
    assert result(dear) == "Plain is 1.56 times as fast: 180 ms against 280 ms"
    assert (ratio(dear), race_data(dear)["right"]) == (0.64, 0)
    even = both(drafted=Seconds(0.0157, 0.01, 0))
    assert result(even) == "Neither is faster: 180 ms against 180 ms"
    same = both()[0], both()[0]
    assert finish(same) == "Plain is done at 180 ms, and so is plain"


@pytest.mark.parametrize(("ms", "bet"), [(26, 0), (25.7, 1), (17.1, 2), (10, 3), (6.4, 4)])
def test_the_bet_that_was_right(ms, bet):
    runs = both(drafted=Seconds(0, ms / 1000, 0))
    data = race_data(runs)
    assert data["ratio"] == pytest.approx(180 / (7 * ms), abs=0.005)
    assert data["right"] == bet
    limits = (0, *LIMITS, 99)
    assert limits[bet] <= data["ratio"] < limits[bet + 1]
    assert len(BETS) == len(LIMITS) + 1


@pytest.mark.parametrize(
    ("factor", "said"),
    [
        (1e-2, "1.26 ms against 1.80 ms"),
        (1e-1, "12.6 ms against 18.0 ms"),
        (1e2, "12.6 s against 18.0 s"),
    ],
)
def test_times_are_told_in_a_unit_that_fits(factor, said):
    plain, drafted = Seconds(0, 0.01 * factor, 0), Seconds(0, 0.018 * factor, 0)
    assert said in result(both(plain, drafted))


def test_the_same_greedy_text_is_one_race_and_other_texts_are_said_to_differ(pair):
    tokens = pair.encode("def area(radius):\n    return")
    settings = {"sampling": GREEDY, "max_new_tokens": 24}
    plain = list(generate(pair.target, tokens, **settings))
    drafter = Sampled(pair.draft, GREEDY)
    drafted = list(generate(pair.target, tokens, drafter, gamma=4, **settings))
    two = run_of("plain", plain, pair.decode), run_of("drafted", drafted, pair.decode)
    data = race_data(two)
    assert data["differ"] == ""
    assert [run["tokens"] for run in data["runs"]] == [24, 24]
    assert len(two[0].turns) == 24 > len(two[1].turns)
    shorter = run_of("short", plain[:20], pair.decode)
    assert "20 tokens, the other 24" in race_data((shorter, two[1]))["differ"]
    assert "24 tokens, the other 20" in difference(two[1].tokens, shorter.tokens)
    other = replace(two[0], tokens=(*two[0].tokens[:6], -1, *two[0].tokens[7:]))
    assert "The texts differ from token 7 on" in race_data((other, two[1]))["differ"]


def test_the_scene_has_both_runs_and_the_machine_where_it_is_named():
    rounds = timed(PLAIN, [Seconds(0, 0.01, 0)] * 18), timed(DRAFTED, [Seconds(0, 0.018, 0)] * 7)
    scene = race(*rounds, decode, machine="an old laptop")
    assert scene.alt == f"A race. {scene.data['question']}"  # its picture is stored, too
    assert scene.data["machine"] == "an old laptop"
    assert [run["name"] for run in scene.data["runs"]] == ["plain decoding", "speculation"]
    turn = scene.data["runs"][1]["turns"][0]
    assert turn["times"] == [0, pytest.approx(18), 0]
    assert set(turn) == {"times", "written", "drafted"}


@pytest.mark.parametrize("rounds", [[], timed(PLAIN, [Seconds(0, 0, 0)] * 18)])
def test_a_run_without_rounds_or_clock_is_refused(rounds):
    with pytest.raises(ValueError, match=r"plain decoding has no recorded time: .*generate"):
        race(rounds, DRAFTED, decode)
