"""A local server gets the recorded questions; a failing one does not stop the lesson."""

import pytest

from course_utils.engines.client import Answer, NoEngine
from course_utils.lessons.production_engines.tables import YOURS, own_run
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
    greedy, sampled = (list(run.parts[name].questions) for name in ("greedy", "sampled"))
    assert [{each.temperature for each in part} for part in (greedy, sampled)] == [{0.0}, {1.0}]
    assert len({each.seed for each in sampled}) == 16
    assert engine.log == [greedy[0], *greedy, *sampled]  # one before the counters are read


@pytest.mark.parametrize("error", [NoEngine("it went away"), ValueError("it wants a key")])
def test_a_failing_server_is_reported_and_stops_nothing(error, capsys):
    assert own_run(encode, Stub(error)) == {}
    assert str(error) in capsys.readouterr().out
