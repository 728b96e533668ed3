"""The live decoder: computed, told, driven by the commands of its scene."""

import json
import time
from dataclasses import replace
from threading import active_count
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.classroom.live import RATE, live
from course_utils.classroom.live_runs import (
    LiveView,
    Runs,
    Setting,
    Side,
    compared,
    follow,
    numbers_of,
)
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.tables import SequenceSession, TableModel
from tests import hostile

LETTERS = "ab<&"
TARGET = TableModel(TableModel.random(4, order=2, seed=0).table, context=100)
DRAFT = TableModel.random(4, order=2, seed=1)


def encode(text):
    return [LETTERS.index(letter) for letter in text]


def decode(tokens):
    return "".join(LETTERS[token] for token in tokens)


class Says:
    """A target that says `text` byte by byte, `seconds` a pass."""

    vocabulary_size, context = 256, 600

    def __init__(self, text, seconds=0.0):
        self.said, self.seconds = text.encode(), seconds

    def start(self, prompt):
        return SequenceSession(self._distribution, prompt)

    def _distribution(self, tokens):
        time.sleep(self.seconds)
        return np.eye(256)[self.said[(len(tokens) - 1) % len(self.said)]]

    @staticmethod
    def encode(text):
        return list(text.encode())

    @staticmethod
    def decode(tokens):
        return bytes(tokens).decode(errors="replace")


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


class Driven:
    """A live decoder and what a reader does with it; one run alone unless told."""

    def __init__(self, target=TARGET, drafters=DRAFTERS, encode=encode, decode=decode, **options):
        self.card = live(target, drafters, encode, decode, **options)
        self.asked = {name: one["value"] for name, one in self.card.data["sliders"].items()}
        self.asked |= {"prompt": self.card.data["prompt"], "drafters": [next(iter(drafters))]}
        self.states = [self.card.run_state]
        self.card.observe(lambda event: self.states.append(event["new"]), "run_state")
        self.clicks = 0

    def click(self, do, **asked):
        self.asked |= asked
        self.clicks += 1
        self.card.command = {"do": do, **self.asked, "at": self.clicks}

    def wait(self, seconds=20.0):
        end = time.monotonic() + seconds
        while self.busy:
            assert time.monotonic() < end, self.status
            time.sleep(0.01)
        return self.status

    def run(self, **asked):
        """Start and wait; the last sentence."""
        self.click("start", **asked)
        return self.wait()

    @property
    def busy(self):
        return self.card.run_state["busy"]

    @property
    def status(self):
        return self.card.run_state["status"]

    @property
    def sides(self):
        return self.card.run_state["sides"]

    @property
    def text(self):
        return text_of(self.sides[0])


def text_of(side):
    return side["prompt"] + "".join(text for text, _ in side["said"])


def run(drafter=None, count=20, gamma=3, seed=0, temperature=1.0):
    sampling = Sampling(temperature)
    drafter = Sampled(DRAFT) if drafter else None
    options = {"sampling": sampling, "gamma": gamma, "max_new_tokens": count, "seed": seed}
    return list(generate(TARGET, encode("ab"), drafter, **options))


@settings(max_examples=40, deadline=None)
@given(
    drafter=st.booleans(), count=st.integers(1, 40), gamma=st.integers(1, 8),
    seed=st.integers(0, 99), heat=st.integers(0, 20),
)  # fmt: skip
def test_what_is_shown_are_the_metrics_and_the_text_of_the_rounds_so_far(
    drafter, count, gamma, seed, heat
):
    rounds = run(drafter, count, gamma, seed, heat / 10)
    for i, shown in enumerate(follow(rounds, decode, "ab"), start=1):
        whole, got = summarise(rounds[:i]), shown.metrics
        times = ("draft_seconds", "verify_seconds", "host_seconds")
        for name in (*times, "overlap"):
            assert getattr(got, name) == pytest.approx(getattr(whole, name))
        same = {name: getattr(whole, name) for name in (*times, "overlap")}
        assert replace(got, **same) == whole
        emitted = [
            (t, kind) for r in rounds[:i] for t, kind in zip(r.emitted, r.kinds, strict=True)
        ]
        assert shown.said == tuple((LETTERS[t], kind) for t, kind in emitted)
        numbers = numbers_of(got)
        assert numbers.pop("seconds") == pytest.approx(whole.seconds)
        assert list(numbers.values()) == [
            whole.tokens, whole.target_forwards, whole.accepted, whole.examined,
        ]  # fmt: skip


def test_a_chats_filters_hold_at_every_temperature():
    filters = Sampling(0.6, top_k=2)
    driven = Driven(prompt="ab", sampling=filters, temperature=0.6)
    driven.run(temperature=1.3, drafters=["none"], max_new_tokens=20)
    expected = generate(TARGET, encode("ab"), sampling=Sampling(1.3, top_k=2), max_new_tokens=20)
    assert driven.text == "ab" + "".join(decode(r.emitted) for r in expected)


@pytest.mark.parametrize("others", [["x"], ["x", "y"], ["x", "none", "y"]])
def test_beside_the_first_drafter_stands_none_or_the_second(others):
    drafters = dict.fromkeys(others, lambda: None)
    beside = live(TARGET, drafters, encode, decode).data["beside"]
    assert beside == ("none" if "none" in others else others[-1])


@pytest.mark.parametrize("high", [{"gamma": 9}, {"temperature": 2.5}, {"seed": 123}])
def test_a_lessons_parameters_may_be_larger_than_the_sliders(high):
    ((name, value),) = high.items()
    slider = live(TARGET, DRAFTERS, encode, decode, **high).data["sliders"][name]
    assert slider["value"] == slider["max"] == value


@pytest.mark.parametrize(
    "wrong", [{"gamma": 0}, {"temperature": -1}, {"max_new_tokens": 0}, {"seed": -1}]
)
def test_a_default_below_its_slider_is_refused(wrong):
    with pytest.raises(ValueError, match="slider begins at"):
        live(TARGET, DRAFTERS, encode, decode, **wrong)
    with pytest.raises(ValueError, match="no drafter"):
        live(TARGET, {}, encode, decode)


def test_nothing_runs_before_start_is_pressed():
    threads = active_count()
    driven = Driven(prompt="ab")
    assert active_count() == threads
    assert driven.status == "Nothing decoded yet. Press Start."
    assert not driven.busy
    driven.click("stop")
    assert "Nothing is running" in driven.status
    driven.click("dance")
    assert active_count() == threads


@settings(max_examples=12, deadline=None)
@given(
    gamma=st.integers(1, 8), heat=st.integers(0, 20), count=st.integers(1, 60),
    seed=st.integers(0, 99), drafter=st.booleans(),
)  # fmt: skip
def test_start_decodes_what_the_controls_say(gamma, heat, count, seed, drafter):
    driven = Driven(prompt="a")
    status = driven.run(
        prompt="ab", gamma=gamma, temperature=heat / 10, seed=seed, max_new_tokens=count,
        drafters=["draft model" if drafter else "none", None],
    )  # fmt: skip
    assert status.endswith("Ended: the length asked for is reached.")
    rounds = run(drafter, count, gamma, seed, heat / 10)
    assert driven.text == "ab" + "".join(decode(r.emitted) for r in rounds)
    assert f"{count} token{'s' * (count > 1)} from {len(rounds)} target call" in driven.status
    (row,) = driven.card.log
    asked = (row["drafter"], row["gamma"], row["temperature"], row["seed"])
    assert asked == ("draft model" if drafter else "none", gamma, heat / 10, seed)
    assert (row["numbers"]["tokens"], row["numbers"]["calls"]) == (count, len(rounds))


def test_the_next_round_is_of_the_run_whose_own_clock_is_behind():
    settings = [Setting(name, 3, 1.0, 20, 0) for name in ("draft model", "none")]
    waiting = tuple(Side(1, setting, LiveView("ab")) for setting in settings)
    before = [0.0, 0.0]
    for sides in Runs(TARGET, DRAFTERS, encode, decode).sides(waiting, ()):
        ages = [side.view.metrics.seconds if side.view.metrics else 0.0 for side in sides]
        if not any(side.ending for side in sides):
            (stepped,) = (i for i in (0, 1) if ages[i] > before[i])
            assert before[stepped] == min(before)
        before = ages
    assert [side.view.metrics.tokens for side in sides] == [20, 20]


def test_two_runs_of_one_click_are_compared():
    driven = Driven(prompt="ab", temperature=0.0, max_new_tokens=40)
    told = driven.run(drafters=["draft model", "none"])
    assert told.startswith("Both texts are the same.")
    assert "times the tokens per second of" in told
    left, right = driven.sides
    assert text_of(left) == text_of(right)
    assert {kind for _, kind in right["said"]} == {"target"}
    assert {row["drafter"] for row in driven.card.log} == {"draft model", "none"}
    assert "one distribution" in driven.run(temperature=1.0)
    assert [row["run"] for row in driven.card.log] == [1, 1, 2, 2]
    driven.click("clear")
    assert driven.card.log == []


def test_a_comparison_says_what_was_seen():
    def side(said, temperature, seconds, run=1):
        metrics = replace(
            summarise(run_of_two), draft_seconds=0.0, verify_seconds=seconds, host_seconds=0.0
        )
        setting = Setting(f"d{seconds:g}", 4, temperature, 8, 0)
        return Side(run, setting, LiveView("", ((said, "target"),), metrics), "Ended.")

    run_of_two = run(count=2)
    assert compared([side("x", 0, 2), side("x", 0, 1)]) == (
        "Both texts are the same. d1: 2.00 times the tokens per second of d2, "
        "in turns, each by its own clock."
    )
    assert "look for a numerical tie" in compared([side("x", 0, 2), side("y", 0, 1)])
    assert "one distribution: at temperature 0.5" in compared(
        [side("x", 0.5, 2), side("y", 0.5, 1)]
    )
    assert compared([side("x", 0, 2)]) == ""
    assert compared([side("x", 0, 2, run=1), side("x", 0, 1, run=2)]) == ""


def test_updates_are_throttled_the_last_round_is_shown_and_every_run_logged_once():
    target, none = Says("0123456789", seconds=0.005), lambda: None
    driven = Driven(target, {"a": none, "b": none}, target.encode, target.decode, prompt="x",
                    max_new_tokens=150)  # fmt: skip
    begin = time.monotonic()
    driven.run(drafters=["a", "b"])
    elapsed = time.monotonic() - begin
    assert 5 < len(driven.states) <= 15 * elapsed + 3
    assert [text_of(side) for side in driven.sides] == ["x" + "0123456789" * 15] * 2
    assert {row["drafter"] for row in driven.card.log} == {"a", "b"}
    assert RATE <= 12


def test_stop_shows_at_once_and_takes_effect_after_the_round():
    target = Says("0123456789", seconds=0.1)
    none = {"none": lambda: None, "also none": lambda: None}
    driven = Driven(target, none, target.encode, target.decode, prompt="x")
    driven.click("start", drafters=["none", "also none"])
    assert driven.busy
    assert driven.status == "Reading the prompt …"
    while not (driven.sides and all(len(text_of(side)) > 1 for side in driven.sides)):
        time.sleep(0.01)
    driven.click("start")
    updates = len(driven.states)
    while len(driven.states) < updates + 2:
        time.sleep(0.01)
    assert "To start anew, stop this run first." in driven.status
    driven.click("stop")
    assert driven.card.run_state["stopping"]
    assert "Stopping after the round under way …" in driven.status
    assert "Stopped before its end." in driven.wait()
    assert "To start anew" not in driven.status
    assert not any("Decoding" in state["status"] for state in driven.states[-2:])
    driven.click("start", drafters=["none"])
    driven.click("stop")
    assert "1 token from 1 target call" in driven.wait()


def test_mistakes_are_told_in_words_and_the_text_stays():
    driven = Driven(prompt="ab", max_new_tokens=30, temperature=1.0)
    assert driven.run(prompt="").startswith(
        "Nothing decoded yet. Press Start. The new run did not start: the prompt is empty: give"
    )
    driven.run(prompt="ab")
    text = driven.text
    for prompt, why in (
        ("", "The new run did not start: the prompt is empty: give at least one token"),
        ("a?", "The new run did not start: substring not found"),
        ("a" * TARGET.context, "the context holds"),
    ):
        assert why in driven.run(prompt=prompt)
        assert driven.text == text
        assert "30 tokens from" in driven.status
    assert len(driven.card.log) == 1
    told = driven.run(prompt="ab", drafters=["fails"])
    assert "An error ended the run: RuntimeError: no more <guesses>" in told
    assert "from 2 target calls" in driven.status
    assert driven.text.startswith("ab")
    assert len(driven.text) > 3


def test_one_side_that_fails_does_not_keep_the_other_from_running():
    driven = Driven(prompt="ab", max_new_tokens=12, drafters={"x": lambda: 1 / 0} | DRAFTERS)
    driven.run(drafters=["none", "none"])
    first = text_of(driven.sides[0])
    told = driven.run(drafters=["x", "draft model"], prompt="ba")
    assert "The new run did not start: ZeroDivisionError" in told
    assert text_of(driven.sides[0]) == first
    assert driven.sides[1]["ending"].startswith("Ended")
    assert text_of(driven.sides[1]).startswith("ba")
    assert "did not start" not in driven.run(drafters=["none", "none"])


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"drafters": []}, "0 runs were asked for"),
        ({"drafters": ["none"] * 3}, "3 runs were asked for"),
        ({"drafters": ["nobody"]}, "KeyError: 'nobody'"),
        ({"gamma": "many"}, "invalid literal"),
        ({"seed": None}, "TypeError"),
        ({"gamma": 0}, "gamma"),
        ({"temperature": -1}, "temperature"),
    ],
)
def test_a_command_that_makes_no_sense_is_told(asked, why):
    told = Driven(prompt="ab").run(**asked)
    assert "The new run did not start: " in told
    assert why in told


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (SystemExit(), "SystemExit"),
        (SystemExit("<bye>"), "SystemExit: <bye>"),
        (GeneratorExit(), "GeneratorExit"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (hostile.NotAnException("gone"), "NotAnException: gone"),
        (hostile.Untold(), "Untold"),
        (ValueError(), "ValueError"),
        (ValueError("\x00\ud800"), "\ufffd\ufffd"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("when", ["made", "asked"])
def test_whatever_a_drafter_raises_is_told_and_the_next_run_starts(error, says, when):
    def broken():
        if when == "made":
            raise error
        return SimpleNamespace(propose=hostile.raising(error))

    driven = Driven(drafters={"broken": broken, "none": lambda: None}, prompt="ab",
                    max_new_tokens=5)  # fmt: skip
    assert driven.run().endswith(f"The new run did not start: {says}")
    assert "Ended: the length asked for is reached." in driven.run(drafters=["none"])


def test_whatever_is_said_can_be_sent():
    words = "<b>&\x00\u202e\ud800"
    driven = Driven(decode=lambda tokens: words * len(tokens), prompt="ab", max_new_tokens=3)
    driven.run()
    for sent in (driven.card.data, driven.card.run_state, driven.card.log):
        text = json.dumps(sent, ensure_ascii=False)
        text.encode()
        assert "\\u0000" not in text
        assert "\u202e" not in text
    assert "<b>&" in driven.text
