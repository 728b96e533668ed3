"""Sessions: what was asked and answered, and the recorded one."""

import gzip

import pytest

from course_utils.engines.client import Engine, NoEngine, Question
from course_utils.engines.counters import Counters, NoCounters
from course_utils.engines.sessions import (
    RECORDED,
    put,
    read_session,
)
from tests.engines.doors import Said, completion, door, vllm
from tests.engines.test_counters import page

QUESTIONS = [Question((1, 2, 3), 4, 0.0), Question((4, 5), 4, 1.0, seed=3)]


class Counting:
    """vLLM that counts a round of 4 drafted and 2 accepted for each request."""

    def __init__(self):
        self.rounds = []

    def __call__(self, asked):
        if asked.path == "/metrics":
            return Said(page(self.rounds), kind="text/plain")
        if asked.method == "POST":
            self.rounds.append((4, 2))
            return Said(completion(asked.body))
        return vllm(asked)


@pytest.fixture(scope="module")
def part():
    with door(Counting()) as here:
        return put(Engine(here.url, retries=0), QUESTIONS)


def test_a_part_is_what_was_asked_and_said(part):
    assert part.questions == QUESTIONS
    assert part.counters == Counters(2, 8, 4, (2, 2, 0, 0))
    assert [answer.tokens for answer in part.answers] == [[3, 2, 1, 3], [5, 4, 5, 4]]
    assert part.tokens_per_second == pytest.approx(8 / part.seconds)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        gzip.compress(b"[]", mtime=0),
        gzip.compress(b'{"date": "x"}', mtime=0),
        RECORDED.read_bytes()[:-9],
    ],
    ids=["empty", "not packed", "no table", "a table of something else", "cut"],
)
def test_a_damaged_file_is_named(tmp_path, content):
    place = tmp_path / "s.json.gz"
    place.write_bytes(content)
    with pytest.raises(ValueError, match=r"^s\.json\.gz is no recorded session: "):
        read_session(place)


def test_plain_decoding_has_no_counters():
    with door() as here:
        part = put(Engine(here.url, retries=0), QUESTIONS)
    with pytest.raises(NoCounters):
        _ = part.counters
    assert len(part.answers) == 2


def test_a_server_that_goes_away_is_no_part():
    counting = Counting()

    def dies(asked):
        return counting(asked) if len(counting.rounds) < 1 else None

    with door(dies) as here, pytest.raises(NoEngine):
        put(Engine(here.url, retries=0), QUESTIONS)
