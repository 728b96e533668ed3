"""Other engines on the sampled questions: what is told of them, and what was recorded."""

from dataclasses import replace
from itertools import chain

import pytest

from course_utils.engines import questions
from course_utils.engines.sessions import read_session
from course_utils.lessons.engines_compared import others
from workshop.bench.contenders import COURSE
from workshop.bench.ours import Ours


@pytest.fixture
def brief(monkeypatch):
    """Two questions of eight tokens instead of sixteen of 64."""
    monkeypatch.setattr(questions, "NEW", 8)
    monkeypatch.setattr(
        others, "sampled_questions", lambda encode: questions.sampled_questions(encode)[:2]
    )


def test_each_way_is_asked_the_same_and_its_passes_are_counted(brief, fast):
    plain, drafted = others.asked({COURSE: Ours(fast.target, fast.draft)}, fast.encode)
    assert [plain.guess, drafted.guess] == ["–", "drawn from q"]
    assert {len(text) for text in chain(plain.texts, drafted.texts)} == {8}
    assert plain.passes is None
    assert 16 / (others.GAMMA + 1) <= drafted.passes <= 16
    assert drafted.speed == pytest.approx(16 / drafted.seconds)
    assert (plain.tokens_per_round, drafted.tokens_per_round) == (None, 16 / drafted.passes)
    lines = others.table([plain, drafted], fast.target, fast.encode)
    assert [line["speedup"] for line in lines] == [1, drafted.speed / plain.speed]


def test_what_was_recorded_is_whole_and_honest(fast):
    runs = read_session().runs
    wrote = [*others.recorded(), *others.of_vllm(runs)]
    for who, ways in (others.SETTINGS | {"vLLM": others.VLLM}).items():
        assert [w.guess for w in wrote if w.engine == who] == list(ways)
    asked = [question.prompt for question in questions.sampled_questions(fast.encode)]
    for name in others.VLLM.values():
        assert [q.prompt for q in runs[name].parts["sampled"].questions] == asked
    for w in wrote:
        assert [len(text) for text in w.texts] == [questions.NEW] * 16
        assert (w.passes is None) == (w.guess == "–")
    drawn = {w.engine: w.tokens_per_round for w in wrote if w.guess == "drawn from q"}
    certain = {w.engine: w.tokens_per_round for w in wrote if w.guess == "likeliest token"}
    assert min(drawn.values()) > max(certain.values()) + 0.5
    some = [replace(w, texts=w.texts[:4]) for w in wrote]
    for line in others.table(some, fast.target, fast.encode):
        assert abs(float(line["first witness"])) < 4, line
        assert abs(float(line["second"])) < 4, line
