"""A local server gets the recorded questions; a failing one does not stop the lesson."""

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
    """An engine that answers one token and records the questions."""

    def __init__(self, failing=None):
        self.log, self.failing = [], failing

    def check(self):
        return "0.1"

    def complete(self, question):
        if self.failing:
            raise self.failing
        self.log.append(question)
        return Answer(raw([1]))

    def metrics(self):
        return ""


def test_a_local_server_gets_the_recorded_questions():
    engine = Stub()
    run = own_run(encode, engine)[YOURS]
    assert run.parts["greedy"].questions == questions(encode)
    assert run.parts["sampled"].questions == sampled_questions(encode)
    assert engine.log[0] == questions(encode)[0]  # before the counters are read
    assert len(engine.log) == 1 + 8 + 16


@pytest.mark.parametrize("error", [NoEngine("it went away"), ValueError("it wants a key")])
def test_a_failing_server_is_reported_and_stops_nothing(error, capsys):
    assert own_run(encode, Stub(error)) == {}
    assert str(error) in capsys.readouterr().out
