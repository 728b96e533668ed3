"""What is timed, whatever the clock says."""

from types import SimpleNamespace

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


def test_each_pass_reads_behind_the_same_text_in_turn_with_a_draft(monkeypatch):
    now = iter(range(10_000))
    monkeypatch.setattr(clock, "perf_counter", lambda: TICK * next(now))
    model, drafted = Model(), []
    drafter = SimpleNamespace(propose=lambda *given: drafted.append(given))
    found = timing.timed_parts(model, drafter, range(10), largest=3, gamma=2)
    passes = [(6, tuple(range(6, 6 + k))) for k in (1, 2, 3, 4)]
    assert model.asked == passes * timing.REPEATS
    assert len(drafted) == len(model.asked)
    assert {(tuple(text), gamma) for text, gamma, _ in drafted} == {(tuple(range(6)), 2)}
    # in passes over one token: two guesses in the time of a pass
    assert (found.one, found.c, found.v) == (TICK, 0.5, dict.fromkeys((1, 2, 3, 4), 1))
