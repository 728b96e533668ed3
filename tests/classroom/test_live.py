"""The live decoder: it runs what was asked for, in turns, and says what became of it."""

import time

import pytest

from course_utils.classroom.live import Side, compared, live
from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.tables import TableModel

LETTERS = "abcdefgh"
TARGET, DRAFT = TableModel.random(8, 1, seed=1), TableModel.random(8, 1, seed=2)


def encode(text):
    return [LETTERS.index(letter) for letter in text]


def decode(tokens):
    return "".join(LETTERS[token] for token in tokens)


class Fails:
    """A drafter that works twice."""

    def __init__(self):
        self.calls, self.drafter = 0, Sampled(DRAFT)

    def propose(self, *arguments):
        self.calls += 1
        if self.calls > 2:
            raise RuntimeError("no more <guesses>")
        return self.drafter.propose(*arguments)


DRAFTERS = {"draft model": lambda: Sampled(DRAFT), "none": lambda: None, "fails": Fails}


@pytest.fixture
def card():
    return live(TARGET, DRAFTERS, encode, decode, prompt="ab", max_new_tokens=20, temperature=1.0)


def click(card, do="start", wait=True, **asked):
    values = {name: one["value"] for name, one in card.data["sliders"].items()}
    click.count = getattr(click, "count", 0) + 1
    given = {"prompt": "ab", "drafters": ["draft model", "none"], "at": click.count}
    card.command = {"do": do, **values, **given, **asked}
    end = time.monotonic() + 20
    while wait and card.run_state["busy"]:
        assert time.monotonic() < end
        time.sleep(0.01)
    return card.run_state["status"]


def test_nothing_runs_before_start_and_then_what_the_controls_say(card):
    assert card.run_state["sides"] == []
    assert card.run_state["status"] == "Nothing decoded yet. Press Start."
    click(card, gamma=3, seed=7)
    for side, drafter in zip(card.run_state["sides"], (Sampled(DRAFT), None), strict=True):
        how = {"gamma": 3, "seed": 7, "max_new_tokens": 20, "sampling": Sampling(1.0)}
        rounds = list(generate(TARGET, encode("ab"), drafter, **how))
        emitted = [pair for r in rounds for pair in zip(r.emitted, r.kinds, strict=True)]
        assert side["said"] == [[LETTERS[token], kind] for token, kind in emitted]
        assert side["numbers"]["tokens"] == 20
        assert side["numbers"]["calls"] == len(rounds)
        assert side["ending"] == "Ended: the length asked for is reached."


def test_a_comparison_says_what_was_seen():
    def side(text, heat, seconds):
        numbers = {"tokens": 10, "seconds": seconds}
        said = [(text, "target")]
        return Side(1, "", f"in {seconds}", 4, heat, 9, 0, said, numbers, "Ended: so.")

    fast = "in 1: 2.00 times as fast as in 2."
    assert compared([side("a", 0, 1), side("a", 0, 2)]) == f"Both texts are the same. {fast}"
    assert "numerical tie" in compared([side("a", 0, 1), side("b", 0, 2)])
    assert "they may differ" in compared([side("a", 1, 1), side("b", 1, 2)])


def test_one_side_that_fails_is_told_and_does_not_keep_the_other_from_running(card):
    status = click(card, drafters=["fails", "none"])
    assert "An error ended the run: RuntimeError: no more <guesses>" in status
    assert card.run_state["sides"][1]["numbers"]["tokens"] == 20
    assert "the prompt is empty" in click(card, prompt="")


def test_a_start_that_makes_no_sense_is_told_and_the_text_stays(card):
    click(card)
    before = card.run_state["sides"]
    assert "The new run did not start: ValueError: " in click(card, prompt="a?")
    assert card.run_state["sides"] == before


def test_stop_takes_effect_after_the_round_and_nothing_starts_meanwhile():
    class Slow(TableModel):
        def start(self, prompt):
            session = super().start(prompt)
            extend = session.extend
            session.extend = lambda tokens: (time.sleep(0.05), extend(tokens))[1]
            return session

    card = live(Slow(TARGET.table), DRAFTERS, encode, decode, max_new_tokens=500)
    click(card, wait=False)
    assert "stop this run first" in click(card, wait=False)
    assert "Stopping after the round under way" in click(card, "stop", wait=False)
    assert "Stopped before its end." in click(card, "stop")
