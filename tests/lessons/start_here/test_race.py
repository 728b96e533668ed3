"""The race: two runs on one clock, and the sentences about them."""

from dataclasses import replace

import pytest

from course_utils.decoding.contracts import Seconds
from course_utils.decoding.loop import generate
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.start_here.race import race, race_data, run_of
from course_utils.models.toys.characters import CharacterModel

TARGET = CharacterModel()
decode = TARGET.alphabet.decode
PLAIN = list(generate(TARGET, [0], max_new_tokens=18))
DRAFTER = Sampled(CharacterModel(accuracy=0.7))
DRAFTED = list(generate(TARGET, [0], DRAFTER, gamma=3, seed=19, max_new_tokens=18))


def with_seconds(rounds, *seconds):
    """Return the rounds with these seconds in each."""
    return [replace(r, seconds=Seconds(*seconds)) for r in rounds]


def both(plain=(0, 0.009, 0.001), drafted=(0.006, 0.010, 0.002)):
    """Return two runs: plain decoding, 18 rounds of 10 ms; speculation, 7 rounds of 18 ms."""
    slow, fast = with_seconds(PLAIN, *plain), with_seconds(DRAFTED, *drafted)
    return run_of("plain", slow, decode), run_of("drafted", fast, decode)


def test_a_run_has_the_drafted_and_the_written_text_of_each_round():
    for turn, r in zip(both()[1]["turns"], DRAFTED, strict=True):
        assert turn["times"] == pytest.approx([6, 10, 2])
        assert "".join(text for text, _ in turn["written"]) == decode([*r.emitted])
        assert "".join(text for text, _ in turn["drafted"]) == decode([*r.drafted])
        assert [kind for _, kind in turn["written"]] == [*r.kinds]


def test_the_sentences_name_calls_times_and_shares():
    data = race_data(*both())
    assert "7 times, plain 18 times" in data["question"]
    assert data["finish"] == "Drafted is done at 126 ms; plain has 12 of 18 tokens"
    assert data["result"] == "180 ms for plain against 126 ms for drafted"
    assert "1.43 times as fast" in data["punch"]
    for share in ("39 %", "70 %", "33 %", "10.0 ms instead of 9.0"):
        assert share in data["where"]


@pytest.mark.parametrize(
    ("drafting", "punch", "right"), [(0.03, "Slower: 0.64 times", 0), (0.0157, "No faster", 1)]
)
def test_a_draft_that_costs_too_much_wins_no_race(drafting, punch, right):
    data = race_data(*both(drafted=(drafting, 0.01, 0)))
    assert punch in data["punch"]
    assert data["right"] == right


@pytest.mark.parametrize("rounds", [[], with_seconds(PLAIN, 0, 0, 0)])
def test_a_run_without_rounds_or_clock_is_refused(rounds):
    with pytest.raises(ValueError, match="plain decoding"):
        race(rounds, DRAFTED, decode)
