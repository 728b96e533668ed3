"""The live decoder: computed, drawn, driven by its buttons, and in a real kernel."""

import re
import time
from dataclasses import replace
from html import unescape
from threading import Event, active_count
from types import SimpleNamespace

import ipywidgets as widgets
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.classroom.live import live
from course_utils.classroom.live_view import LiveView, follow, live_html
from course_utils.classroom.tokens import pieces
from course_utils.classroom.worker import RATE, Worker
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models.sequence import SequenceSession
from course_utils.models.tables import TableModel
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

    def __init__(self, sampling):
        self.calls, self.drafter = 0, Sampled(DRAFT, sampling)

    def propose(self, *arguments):
        self.calls += 1
        if self.calls > 2:
            raise RuntimeError("no more <guesses>")
        return self.drafter.propose(*arguments)


DRAFTERS = {"draft model": lambda s: Sampled(DRAFT, s), "none": lambda s: None, "fails": Fails}


class Driven:
    """A live decoder and what a reader does with it."""

    def __init__(self, target=TARGET, drafters=DRAFTERS, encode=encode, decode=decode, **options):
        self.card = live(target, drafters, encode, decode, **options)
        _, self.prompt, controls, buttons, self.view = self.card.children
        self.controls = {control.description: control for control in controls.children}
        self.start, self.stop = buttons.children
        self.states = [self.view.value]
        self.view.observe(lambda event: self.states.append(event["new"]), "value")

    def wait(self, seconds=20.0):
        end = time.monotonic() + seconds
        while self.start.disabled:
            assert time.monotonic() < end, self.status
            time.sleep(0.01)
        return self.status

    @property
    def status(self):
        return unescape(re.sub("<.*?>", "", re.search('"status">(.*?)</div>', self.view.value)[1]))

    @property
    def text(self):
        shown = re.search("<pre>(.*?)</pre>", self.view.value, re.DOTALL)[1]
        return unescape(re.sub("<.*?>", "", shown))


def run(drafter=None, count=20, gamma=3, seed=0, temperature=1.0):
    sampling = Sampling(temperature)
    drafter = Sampled(DRAFT, sampling) if drafter else None
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
        html = live_html(shown, "Decoding …")
        assert f"{whole.tokens_per_round:.2f} tokens per call" in html
        if whole.examined:
            assert f"{whole.accepted} / {whole.examined}" in html
        assert not re.search("nan|inf|<script", html)
        assert html.count("&lt;") == [text for text, _ in shown.said].count("<")


def test_a_character_of_several_tokens_appears_when_it_is_whole():
    target = Says("人工智能")
    rounds = list(generate(target, [0], max_new_tokens=13))
    shown = list(follow(rounds, target.decode))
    assert ["".join(text for text, _ in s.said) for s in shown[:4]] == ["", "", "人", "人"]
    tokens = [token for r in rounds for token in r.emitted]
    assert "".join(text for text, _ in shown[-1].said) == "".join(pieces(tokens, target.decode))


def test_a_long_prompt_is_cut_at_its_beginning():
    html = live_html(LiveView("<" + "x" * 10_000 + "the end"))
    assert "xthe end</span></pre>" in html
    assert len(html) < 5000


def test_on_paper_stands_the_text_with_its_metrics():
    rounds, metrics = run(True), summarise(run(True))
    still = printed(rounds)
    assert "Ended: the length asked for is reached." in still.html
    assert f"20 tokens from {metrics.rounds} target calls" in still.text
    assert still.text.endswith("ab" + "".join(decode(r.emitted) for r in rounds))
    assert "Stopped before its end." in printed(rounds[:-1]).html
    assert "run this cell" in printed([]).html  # nothing was run, so nothing is said of a run


def printed(rounds):
    return live(TARGET, DRAFTERS, encode, decode, prompt="ab", still=rounds).still


@pytest.mark.parametrize("high", [{"gamma": 9}, {"temperature": 2.5}, {"seed": 123}])
def test_a_lessons_parameters_may_be_larger_than_the_sliders(high):
    (value,) = high.values()
    settings = live(TARGET, DRAFTERS, encode, decode, **high).children[2].children
    assert value in [control.value for control in settings]


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
    assert driven.status == "Nothing decoded yet. Press Start. "
    assert (driven.start.disabled, driven.stop.disabled) == (False, True)
    driven.stop.click()
    assert "Nothing is running" in driven.status


@settings(max_examples=12, deadline=None)
@given(
    gamma=st.integers(1, 8), heat=st.integers(0, 20), count=st.integers(1, 60),
    seed=st.integers(0, 99), drafter=st.booleans(),
)  # fmt: skip
def test_start_decodes_what_the_controls_say(gamma, heat, count, seed, drafter):
    driven = Driven(prompt="a")
    driven.prompt.value = "ab"
    for name, value in (
        ("guesses per round, γ", gamma), ("temperature", heat / 10), ("seed", seed),
        ("new tokens at most", count), ("drafter", "draft model" if drafter else "none"),
    ):  # fmt: skip
        driven.controls[name].value = value
    driven.start.click()
    assert driven.wait().strip().endswith("Ended: the length asked for is reached.")
    rounds = run(drafter, count, gamma, seed, heat / 10)
    wanted = "ab" + "".join(decode(r.emitted) for r in rounds)
    assert driven.text == wanted
    assert f"{count} token{'s' * (count > 1)} from {len(rounds)} target call" in driven.status
    assert driven.stop.disabled


def test_a_stop_token_ends_the_text():
    target = Says("abc.def")
    driven = Driven(target, {"none": lambda s: None}, target.encode, target.decode, prompt="x",
                    stop_tokens=target.encode("."))  # fmt: skip
    driven.start.click()
    assert "Ended: the target ended the text." in driven.wait()
    assert driven.text == "xabc."


def test_updates_are_throttled_and_the_last_round_is_shown():
    target = Says("0123456789", seconds=0.005)
    driven = Driven(target, {"none": lambda s: None}, target.encode, target.decode, prompt="x",
                    max_new_tokens=300)  # fmt: skip
    begin = time.monotonic()
    driven.start.click()
    driven.wait()
    elapsed = time.monotonic() - begin
    assert 5 < len(driven.states) <= 15 * elapsed + 3
    assert driven.text == "x" + "0123456789" * 30
    assert RATE <= 15


def test_stop_shows_at_once_and_takes_effect_after_the_round():
    target = Says("0123456789", seconds=0.3)
    driven = Driven(target, {"none": lambda s: None}, target.encode, target.decode, prompt="x")
    driven.start.click()
    assert (driven.start.disabled, driven.stop.disabled) == (True, False)
    assert "Reading the prompt …" in driven.status
    time.sleep(0.75)
    driven.start.click()
    updates = len(driven.states)
    while len(driven.states) < updates + 2:
        time.sleep(0.01)
    assert "To start anew, stop this run first." in driven.status
    driven.stop.click()
    assert (driven.start.disabled, driven.stop.disabled) == (True, True)
    assert "Stopping after the round under way …" in driven.status
    assert "Stopped before its end." in driven.wait(2)
    assert "To start anew" not in driven.status
    assert driven.text in ("x0123", "x01234")
    assert not any("Decoding …" in state for state in driven.states[-2:])
    driven.start.click()
    driven.stop.click()
    assert "1 token from 1 target call" in driven.wait()


def test_mistakes_are_told_in_words_and_the_text_stays():
    driven = Driven(prompt="ab", max_new_tokens=30, temperature=1.0)
    driven.prompt.value = ""
    driven.start.click()
    assert "Nothing decoded yet. Press Start. The new run did not start: the prompt is empty" in (
        driven.wait()
    )
    driven.prompt.value = "ab"
    driven.start.click()
    driven.wait()
    text = driven.text
    for prompt, why in (
        ("", "The new run did not start: the prompt is empty: give at least one token"),
        ("a?", "The new run did not start: substring not found"),
        ("a" * TARGET.context, "the context holds"),
    ):
        driven.prompt.value = prompt
        driven.start.click()
        assert why in driven.wait()
        assert driven.text == text
        assert "30 tokens from" in driven.status
    driven.prompt.value, driven.controls["drafter"].value = "ab", "fails"
    driven.start.click()
    assert "An error ended the run: RuntimeError: no more <guesses>" in driven.wait()
    assert "from 2 target calls" in driven.status
    assert driven.text.startswith("ab")
    assert len(driven.text) > 3


def test_a_drafter_that_cannot_be_made_is_told_in_words():
    driven = Driven(drafters={"broken": lambda s: {}["missing"]}, prompt="ab")
    driven.start.click()
    assert "The new run did not start: KeyError: 'missing'" in driven.wait()


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
    def broken(sampling):
        if when == "made":
            raise error
        return SimpleNamespace(propose=hostile.raising(error))

    driven = Driven(drafters={"broken": broken, "none": lambda s: None}, prompt="ab",
                    max_new_tokens=5)  # fmt: skip
    driven.start.click()
    assert driven.wait().endswith(f"The new run did not start: {says}")
    driven.controls["drafter"].value = "none"
    driven.start.click()
    assert "Ended: the length asked for is reached." in driven.wait()


def test_the_worker_hands_over_the_last_item_and_the_error():
    shown = []

    go_on = Event()

    def items():
        yield from range(100)
        go_on.wait(20)
        raise OSError("gone")

    worker = Worker(lambda *what: shown.append(what))
    assert not worker.stop()
    assert worker.start(items)
    assert not worker.start(items)
    go_on.set()
    while worker.busy:
        time.sleep(0.01)
    item, end = shown[-1]
    assert item == 99
    assert isinstance(end.error, OSError)
    assert not end.stopped


def test_the_card_has_ipywidgets_core_only():
    card = Driven().card
    seen = [type(w) for w in (*card.children, *card.children[2].children)]
    assert all(kind.__module__.startswith("ipywidgets.") for kind in seen)
    assert widgets.Output not in seen
    assert "run this cell" in card._repr_mimebundle_()["text/html"]
