"""What is timed, whatever the clock says."""

from dataclasses import replace

import numpy as np
import pytest

from course_utils.decoding import clock
from course_utils.decoding.sampling import Sampling
from course_utils.lessons.exact_proof.own_decoder import speculate
from course_utils.lessons.qwen3_speculative_decoder import timing
from course_utils.pairs import Pair

TARGET, DRAFT, HOST = 8.0, 2.0, 0.5  # seconds of a pass, and of what the host does for a guess
SETTINGS = dict(sampling=Sampling(), max_new_tokens=9, seed=0)
TEXTS = [[0, 1], [2, 3, 1]]


class Model:
    """Says the same row at every place; a pass takes its seconds, a token more a little more."""

    vocabulary_size, context = 4, 64

    def __init__(self, time, seconds):
        self.time, self.seconds, self.length, self.asked = time, seconds, 0, []

    def start(self, text):
        self.length = len(text)
        self.time[0] += self.seconds
        return self

    def extend(self, tokens):
        self.asked.append((self.length, len(tokens)))
        self.time[0] += self.seconds * (1 + (len(tokens) - 1) / 8)
        self.length += len(tokens)
        return np.zeros((len(tokens), 4))

    def rollback(self, length):
        self.length = length


def made(monkeypatch):
    time = [0.0]
    monkeypatch.setattr(clock, "perf_counter", lambda: time[0])
    target, draft = Model(time, TARGET), Model(time, DRAFT)

    def program(*given):
        gamma = given[3]
        for new in speculate(*given):
            time[0] += HOST * gamma
            yield new

    return program, Pair(target, draft, None, ())


def test_a_program_is_heard_by_its_lengths_its_passes_and_its_host(monkeypatch):
    program, pair = made(monkeypatch)
    clocked = timing.ClockedProgram(program, pair, gamma=3, **SETTINGS)
    for text in TEXTS:
        clocked.run(text)
    # p is q, so every guess is accepted: 4, 4 and the last one of each text
    assert clocked.lengths == [4, 4, 4, 4]
    assert clocked.host == HOST * 3
    assert (clocked.target.prompt_seconds, clocked.draft.prompt_seconds) == (2 * TARGET, 2 * DRAFT)
    # of a text's three passes two read four tokens and the last one reads one
    assert clocked.verify == TARGET * (1 + 2 * 3 / 8 / 3)
    # in the rounds that draft: one pass reads the token that was missing, too
    assert clocked.drafting == (2 * 3 + 1 / 8) * DRAFT / 3


def test_what_lies_between_one_guess_and_the_most_lies_on_a_line(monkeypatch):
    program, pair = made(monkeypatch)
    found = timing.parts_of(program, pair, TEXTS, range(10), largest=3, repeats=4, **SETTINGS)
    assert found.one == TARGET
    # the last round of a text is shorter
    assert found.v == pytest.approx({k: 1 + (k - 1) / 8 for k in (1, 2, 3, 4)}, rel=0.15)
    assert found.o[2] == pytest.approx((found.o[1] + found.o[3]) / 2)
    assert 2 * found.c[2] == pytest.approx((found.c[1] + 3 * found.c[3]) / 2)
    assert found.lengths == [4, 4, 4, 4]
    assert found.prompt == (1, DRAFT / TARGET)  # in passes over one token, like the others


def test_no_pass_counts_as_slower_than_a_longer_one(monkeypatch):
    """A shorter pass could be padded: where the clock says otherwise, it was disturbed."""
    taken = {"": {1: [3.0], 2: [3.0], 3: [1.0], 4: [4.0]}}
    monkeypatch.setattr(timing, "passes_in_turn", lambda *_: taken)
    program, pair = made(monkeypatch)
    found = timing.parts_of(program, pair, TEXTS, range(10), largest=3, repeats=4, **SETTINGS)
    assert list(found.v) == [1, 2, 3, 4]
    assert 1 == found.v[1] == found.v[2] == found.v[3] < found.v[4]
    assert found.one < TARGET


def test_what_both_read_draws_every_speedup_towards_one():
    parts = timing.Parts(1.0, {}, {}, {}, [], (8.0, 2.0))
    # 64 steps of 1.25 are 80 passes, 40 with the draft: 88 against 50
    assert timing.with_prompts({4: 2.0}, parts, 0.25, 64) == {4: 88 / 50}
    assert timing.with_prompts({4: 2.0}, replace(parts, prompt=(0, 0)), 0.25, 64) == {4: 2.0}
