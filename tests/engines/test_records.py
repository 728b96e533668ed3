"""Recorded sessions, files of answers, and the articles' claims: what is whole, what is refused."""

import gzip
import json

import pytest

from course_utils.engines import sessions
from course_utils.engines.answer_log import AnswerLog
from course_utils.engines.articles import WIDTH, claims_of, claims_table
from course_utils.engines.client import Engine, NoEngine, Question
from course_utils.engines.counters import Counters
from course_utils.engines.sessions import RECORDED, put, read_session
from tests.engines.fake_server import Response, serving, vllm
from tests.engines.test_counters import page

QUESTIONS = [Question((1, 2, 3), 4, 0.0), Question((4, 5), 4, 1.0, seed=3)]


def test_a_part_is_what_was_asked_and_answered_and_counted(monkeypatch):
    rounds = [(1, 0)]

    def counting(request):
        if request.path == "/metrics":
            return Response(page(rounds))
        if request.method == "POST":
            rounds.append((4, 2))
        return vllm(request)

    monkeypatch.setattr(sessions, "now", iter([10.0, 14.0]).__next__)
    with serving(counting) as fake:
        part = put(Engine(fake.url), QUESTIONS)
    assert part.questions == QUESTIONS
    assert part.counters == Counters(2, 8, 4, (2, 2, 0, 0))
    assert [answer.tokens for answer in part.answers] == [[3, 2, 1, 3], [5, 4, 5, 4]]
    assert part.tokens_per_second == 8 / 4


@pytest.mark.parametrize(
    "content",
    [b"{}", gzip.compress(b'{"date": "x"}'), RECORDED.read_bytes()[:-9]],
    ids=["not packed", "a part of one", "cut"],
)
def test_a_damaged_session_is_named(tmp_path, content):
    place = tmp_path / "s.json.gz"
    place.write_bytes(content)
    with pytest.raises(ValueError, match=r"^s\.json\.gz is no recorded session: "):
        read_session(place)


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path):
    path, calls, done = tmp_path / "new" / "answers.jsonl", [], []

    def ask(number, last=2):
        calls.append(number)
        if number > last:
            raise NoEngine("it went away")
        return {"tokens": [number]}

    with pytest.raises(NoEngine):
        AnswerLog(path, {"tokens": 4}).complete(ask, 5, 1, lambda: done.append(1))
    assert len(done) == 3
    path.write_text(path.read_text() + '{"number": 3, "tok')  # killed while it wrote
    calls.clear()
    answers = AnswerLog(path, {"tokens": 4}).complete(lambda n: ask(n, 9), 5, 2, lambda: None)
    assert sorted(calls) == [3, 4]
    assert [answer["tokens"] for answer in answers] == [[0], [1], [2], [3], [4]]
    numbers = [json.loads(line).get("number") for line in path.read_text().splitlines()]
    assert numbers == [None, 0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("text", "why"),
    [('{"tokens": 5}\n', "other questions .tokens was 5, now 4"), ("{}\n", "no file of answers")],
)
def test_a_file_of_something_else_is_refused_and_left_as_it_is(tmp_path, text, why):
    path = tmp_path / "answers.jsonl"
    path.write_text(text + "the last line")
    with pytest.raises(ValueError, match=why):
        AnswerLog(path, {"tokens": 4})
    assert path.read_text() == text + "the last line"


def test_the_articles_claims_are_whole_and_their_table_is_escaped_and_narrow():
    for claim in claims_of("001", "002", "004"):
        assert all(claim[key] for key in ("claimed", "happens", "works", "evidence"))
    table = claims_table("001", "002", "004")
    assert "<code>speculative_config" in table.html
    assert "`" not in table.html + table.text
    assert max(map(len, table.text.splitlines())) <= WIDTH
    with pytest.raises(KeyError, match="of 001, 002, 004"):
        claims_of("000")
