"""The live decoder: it alternates between the requested runs and reports how they ended."""

import time

import pytest

from course_utils.classroom.live import Side, comparison, live
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


def click(card, do="start", wait=True, **changes):
    values = {name: one["value"] for name, one in card.data["sliders"].items()}
    click.count = getattr(click, "count", 0) + 1
    click_data = {"prompt": "ab", "drafters": ["draft model", "none"], "at": click.count}
    card.command = {"do": do, **values, **click_data, **changes}
    end = time.monotonic() + 20
    while wait and card.run_state["busy"]:
        assert time.monotonic() < end
        time.sleep(0.01)
    return card.run_state["status"]


def test_nothing_runs_before_start_and_the_controls_set_the_run(card):
    assert card.run_state["sides"] == []
    click(card, gamma=3, seed=7)
    for side, drafter in zip(card.run_state["sides"], (Sampled(DRAFT), None), strict=True):
        how = {"gamma": 3, "seed": 7, "max_new_tokens": 20, "sampling": Sampling(1.0)}
        rounds = list(generate(TARGET, encode("ab"), drafter, **how))
        emitted = [pair for r in rounds for pair in zip(r.emitted, r.kinds, strict=True)]
        assert side["pieces"] == [[LETTERS[token], kind] for token, kind in emitted]
        assert side["numbers"]["tokens"] == 20
        assert side["numbers"]["calls"] == len(rounds)


def test_the_comparison_of_two_runs():
    def side(text, heat, seconds):
        numbers = {"tokens": 10, "seconds": seconds}
        pieces = [(text, "target")]
        return Side(1, "", f"in {seconds}", 4, heat, 9, 0, pieces, numbers, "Ended: so.")

    assert "2.00 times as fast" in comparison([side("a", 0, 1), side("a", 0, 2)])
    assert "numerical tie" in comparison([side("a", 0, 1), side("b", 0, 2)])
    assert "they may differ" in comparison([side("a", 1, 1), side("b", 1, 2)])


def test_an_error_on_one_side_is_reported_and_the_other_side_runs(card):
    assert "RuntimeError: no more <guesses>" in click(card, drafters=["fails", "none"])
    before = card.run_state["sides"]
    assert before[1]["numbers"]["tokens"] == 20
    assert "ValueError" in click(card, prompt="a?")  # which cannot be encoded
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
    click(card, wait=False)
    assert len(card.run_state["sides"]) == 2
    click(card, "stop", wait=False)
    assert card.run_state["stopping"]
    assert "Stopped" in click(card, "stop")
