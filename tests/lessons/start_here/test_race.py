"""The race: two runs on one clock, and the sentences about them."""

from dataclasses import replace

import numpy as np
import pytest

from course_utils.decoding.contracts import Round, Seconds, Verdict
from course_utils.decoding.loop import generate
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.start_here.race import drafted_of, race, race_data, run_of
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
    run = both()[1]
    assert run.ends == pytest.approx([18 * (i + 1) for i in range(7)])
    for turn, one in zip(run.turns, DRAFTED, strict=True):
        assert "".join(text for text, _ in turn.written) == decode([*one.emitted])
        assert "".join(text for text, _ in turn.drafted) == decode([*one.drafted])
        assert [kind for _, kind in turn.written] == [*one.kinds]


@pytest.mark.parametrize(
    ("verdict", "emitted", "fates"),
    [
        (Verdict(1, 5), (1, 5), "accepted rejected lost"),
        (Verdict(3, 5), (1, 2, 3, 5), "accepted accepted accepted"),
        # a stop token ends the text: the guesses after it are lost
        (Verdict(3, 5), (1,), "accepted lost lost"),
    ],
)
def test_the_fate_of_each_guess(verdict, emitted, fates):
    p = np.ones((4, 9))
    one = Round(0, 1, (1, 2, 3), p, None, (0.5,) * 4, verdict, emitted, 1, 2, Seconds(0, 1, 0))
    assert [fate for _, fate in drafted_of(one, str)] == fates.split()


def test_the_sentences_of_a_race():
    data = race_data(*both())
    assert data["question"] == (
        "Drafted calls the target 7 times, plain 18 times. How many times as fast is drafted?"
    )
    assert data["finish"] == "Drafted is done at 126 ms; plain has 12 of 18 tokens"
    assert data["result"] == "180 ms for plain against 126 ms for drafted"
    assert data["punch"] == "Same text. 7 calls instead of 18. 1.43 times as fast."
    assert data["where"] == (
        "39 % of the calls, 70 % of the time: drafting took 33 % of it, and a pass over 4 tokens "
        "takes 10.0 ms instead of 9.0."
    )


def test_a_draft_that_costs_too_much_loses_the_race():
    slower = race_data(*both(drafted=(0.03, 0.01, 0)))
    assert slower["finish"].startswith("Plain is done at 180 ms; drafted has ")
    assert slower["result"] == "180 ms for plain against 280 ms for drafted"
    assert slower["right"] == 0
    assert slower["punch"].endswith("Slower: 0.64 times as fast.")
    even = race_data(*both(drafted=(0.0157, 0.01, 0)))
    assert even["punch"] == "Same text. 7 calls instead of 18. No faster."


@pytest.mark.parametrize("rounds", [[], with_seconds(PLAIN, 0, 0, 0)])
def test_a_run_without_rounds_or_clock_is_refused(rounds):
    with pytest.raises(ValueError, match=r"plain decoding has no recorded time: .*generate"):
        race(rounds, DRAFTED, decode)
