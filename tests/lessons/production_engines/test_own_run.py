"""A server that runs is asked what the recorded ones were; one that cannot be stops nothing."""

import pytest

from course_utils.engines.client import Answer, NoEngine
from course_utils.lessons.production_engines.own_run import (
    YOURS,
    own_run,
    questions,
    sampled_questions,
)
from tests.lessons.production_engines.test_tables import raw


def encode(text):
    return [len(text) % 7, 1]


class Stub:
    """An engine that says one token, and counts what it was asked."""

    def __init__(self, failing=None):
        self.asked, self.failing = [], failing

    def check(self):
        return "0.1"

    def complete(self, question):
        if self.failing:
            raise self.failing
        self.asked.append(question)
        return Answer(raw([1]))

    def metrics(self):
        return ""


def test_it_is_asked_what_the_recorded_ones_were():
    engine = Stub()
    run = own_run(encode, engine)[YOURS]
    assert run.parts["greedy"].questions == questions(encode)
    assert run.parts["sampled"].questions == sampled_questions(encode)
    assert engine.asked[0] == questions(encode)[0]  # before the counters are read
    assert len(engine.asked) == 1 + 8 + 16


@pytest.mark.parametrize("error", [NoEngine("it went away"), ValueError("it wants a key")])
def test_what_cannot_be_asked_is_said_and_stops_nothing(error, capsys):
    assert own_run(encode, Stub(error)) == {}
    assert str(error) in capsys.readouterr().out
