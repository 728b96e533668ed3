"""Sessions: kept to the last byte, whatever a server wrote; a damaged one is told from one."""

import gzip
import json

import pytest

from course_utils.engines import sessions
from course_utils.engines.client import Engine, NoEngine, Question
from course_utils.engines.counters import Counters, NoCounters
from course_utils.engines.sessions import (
    RECORDED,
    Run,
    Session,
    put,
    read_session,
    write_session,
)
from tests.engines.doors import Said, completion, door, vllm
from tests.engines.test_counters import page

HOSTILE = '<script>alert(1)</script>&lt;\x00\x1b[31m\u202e\ud83d 人 \U0001f600 \\u0041 \r\n"'
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
            return Said(completion(asked.body, text=HOSTILE))
        return vllm(asked)


@pytest.fixture(scope="module")
def part():
    with door(Counting()) as here:
        return put(Engine(here.url, retries=0), QUESTIONS, together=2)


@pytest.fixture
def session(part):
    run = Run(configuration="ngram", command="vllm serve", engine="0.32.0", repaired=False,
              parts={"greedy": part})  # fmt: skip
    return Session(date="2026-11-22", package=HOSTILE.replace("\ud83d", ""), hardware="two cores",
                   made_by="a test", runs={"ngram": run})  # fmt: skip


def damaged(session, **changed):
    """Its JSON, with parts of the first answers' part changed."""
    raw = json.loads(json.dumps(session.model_dump()))
    raw["runs"]["ngram"]["parts"]["greedy"].update(changed)
    return raw


def test_a_part_is_what_was_asked_and_said(part):
    assert part.questions == QUESTIONS
    assert part.counters == Counters(2, 8, 4, (2, 2, 0, 0))
    assert [answer.tokens for answer in part.answers] == [[3, 2, 1, 3], [5, 4, 5, 4]]
    assert part.tokens_per_second == pytest.approx(8 / part.seconds)
    assert part.together == 2


def test_hostile_text_comes_back_as_it_was_sent(session, tmp_path):
    write_session(session, tmp_path / "s.json.gz")
    again = read_session(tmp_path / "s.json.gz")
    assert again == session
    write_session(again, tmp_path / "t.json.gz")
    assert (tmp_path / "s.json.gz").read_bytes() == (tmp_path / "t.json.gz").read_bytes()
    assert again.runs["ngram"].parts["greedy"].answers[0].text == HOSTILE
    assert isinstance(again.runs["ngram"].parts["greedy"].questions[0].prompt, tuple)


@pytest.mark.parametrize(
    "changed",
    [{"seconds": 0}, {"seconds": -1.0}, {"seconds": "soon"}, {"together": 0}, {"raw": []},
     {"raw": [{}, {}]}, {"raw": "ab"}, {"extra": 1}, {"before": None},
     {"raw": [{"choices": [{"text": "a", "token_ids": ["b"]}]}] * 2},
     {"questions": [{"prompt": [1], "max_tokens": 1, "temperature": 0, "extra": 1}] * 2},
     {"questions": [{"prompt": "ab", "max_tokens": 1, "temperature": 0}] * 2},
     {"questions": [{"prompt": [1], "max_tokens": 1}] * 2}],
    ids=str,
)  # fmt: skip
def test_json_of_another_shape_is_no_session(session, tmp_path, changed):
    place = tmp_path / "s.json.gz"
    place.write_bytes(gzip.compress(json.dumps(damaged(session, **changed)).encode()))
    with pytest.raises(ValueError, match=r"^s\.json\.gz is no recorded session: runs\.ngr") as no:
        read_session(place)
    assert str(no.value).count("\n") == 0
    assert len(str(no.value)) < 400


def whole_file(session, tmp_path):
    write_session(session, tmp_path / "whole")
    return (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize(
    "damage",
    [lambda b: b[:-1], lambda b: b[: len(b) // 2], lambda b: b[:5], lambda b: b"{}", lambda b: b"",
     lambda b: b[:40] + b"\0\0\0\0" + b[44:], lambda b: b[:-6] + b"\0\0" + b[-4:],
     lambda b: gzip.compress(b""), lambda b: gzip.compress(b"[]"), lambda b: gzip.compress(b"5"),
     lambda b: gzip.compress(b'{"date": "x"}'), lambda b: gzip.compress(b"\xff\xff"),
     lambda b: gzip.compress(b"[" * 200_000), lambda b: gzip.compress(b"NaN")],
)  # fmt: skip
def test_a_damaged_file_is_told(session, tmp_path, damage):
    place = tmp_path / "s.json.gz"
    place.write_bytes(damage(whole_file(session, tmp_path)))
    with pytest.raises(ValueError, match=r"^s\.json\.gz is no recorded session: "):
        read_session(place)


def test_a_file_that_unpacks_without_end_is_not_unpacked(session, tmp_path, monkeypatch):
    place = tmp_path / "s.json.gz"
    monkeypatch.setattr(sessions, "LARGEST", 10_000)
    place.write_bytes(gzip.compress(b" " * 20_000))
    with pytest.raises(ValueError, match="too long"):
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


@pytest.mark.skipif(not RECORDED.exists(), reason="no session is recorded yet")
def test_the_recorded_rounds_add_up_to_the_recorded_counters():
    compared = 0
    for name, run in read_session().runs.items():
        for label, part in run.parts.items():
            steps = [answer.steps for answer in part.answers]
            if None in steps:
                continue
            rounds = [step for told in steps for step in told]
            counted = Counters.of(part.after) - Counters.of(part.before)
            ours = Counters.of(page(rounds, positions=len(counted.per_position)))
            assert counted == ours, (name, label)
            compared += 1
    assert compared
