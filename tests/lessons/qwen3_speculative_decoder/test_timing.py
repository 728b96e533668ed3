"""What is timed, whatever the clock says."""

from types import SimpleNamespace

import pytest
import torch

from course_utils.decoding import clock
from course_utils.lessons.qwen3_speculative_decoder import timing

TICK = 0.5  # seconds between two looks at the made-up clock


class Model:
    """Notes what it is asked to read, and how long its session is each time."""

    def __init__(self):
        self.asked, self.length = [], 0

    def start(self, text):
        self.length = len(text)
        return self

    def extend(self, tokens):
        self.asked.append((self.length, tuple(tokens)))
        self.length += len(tokens)
        return torch.zeros(len(tokens), 3)

    def rollback(self, length):
        self.length = length


@pytest.fixture
def parts(monkeypatch):
    now = iter(range(10_000))
    monkeypatch.setattr(clock, "perf_counter", lambda: TICK * next(now))
    model, drafted = Model(), []
    drafter = SimpleNamespace(propose=lambda *given: drafted.append(given))
    found = timing.timed_parts(model, drafter, range(10), largest=3, gamma=2)
    return found, model.asked, drafted


def test_every_pass_reads_behind_the_same_text(parts):
    _, asked, _ = parts
    passes = [(6, tuple(range(6, 6 + k))) for k in (1, 2, 3, 4)]
    assert asked == passes * timing.REPEATS


def test_drafts_are_timed_in_turn_with_the_passes(parts):
    _, asked, drafted = parts
    assert len(drafted) == len(asked)
    assert {(tuple(text), gamma) for text, gamma, _ in drafted} == {(tuple(range(6)), 2)}


def test_costs_are_in_passes_over_one_token(parts):
    found, _, _ = parts
    assert found.one == TICK
    assert found.c == 0.5  # two tokens in the time of a pass
    assert found.v == {1: 1, 2: 1, 3: 1, 4: 1}
