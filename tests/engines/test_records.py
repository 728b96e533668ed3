"""Pages of counters, recorded sessions, files of answers: complete ones and errors."""

import json
from dataclasses import replace

import pytest

from course_utils.engines import sessions
from course_utils.engines.answer_log import AnswerLog
from course_utils.engines.client import Engine, NoEngine, Question
from course_utils.engines.counters import Counters, NoCounters
from course_utils.engines.sessions import put
from course_utils.lessons.what_the_articles_got_wrong.articles import WIDTH, claims_of, claims_table
from tests.engines.fake_server import Response, serving, vllm

# vLLM 0.32's page, cut: a line of the process, the counters, when one began, something else
LABELS = 'engine="0",model_name="m"'
REAL = f"""\
# HELP vllm:spec_decode_num_drafts_total Number of spec decoding drafts.
# TYPE vllm:spec_decode_num_drafts_total counter
vllm:spec_decode_num_drafts_total{{{LABELS}}} 1080.0
vllm:spec_decode_num_drafts_created{{{LABELS}}} 1.7953754742859917e+09
vllm:spec_decode_num_draft_tokens_total{{{LABELS}}} 4320.0
vllm:spec_decode_num_accepted_tokens_total{{{LABELS}}} 446.0
vllm:spec_decode_num_accepted_tokens_per_pos_total{{{LABELS},position="0"}} 231.0
vllm:spec_decode_num_accepted_tokens_per_pos_total{{{LABELS},position="1"}} 74.0
vllm:spec_decode_num_accepted_tokens_per_pos_total{{{LABELS},position="2"}} 72.0
vllm:generation_tokens_total{{{LABELS}}} 1536.0
"""


def page(rounds, positions=4, engine="0", model="m"):
    """Count (drafted, accepted) of each round as vLLM does."""
    labels = f'engine="{engine}",model_name="{model}"'
    name = "vllm:spec_decode_num"
    drafted, accepted = (sum(each) for each in zip(*rounds, strict=True)) if rounds else (0, 0)
    totals = {"drafts": len(rounds), "draft_tokens": drafted, "accepted_tokens": accepted}
    lines = [f"{name}_{what}_total{{{labels}}} {n}.0" for what, n in totals.items()]
    for i in range(positions):
        n = sum(accepted > i for _, accepted in rounds)
        lines.append(f'{name}_accepted_tokens_per_pos_total{{{labels},position="{i}"}} {n}.0')
    return "\n".join(lines) + "\n"


def test_a_real_page():
    for text in REAL, REAL.replace("\n", "\r\n").replace(".0\r", "\r"):
        assert Counters.of(text) == Counters(1080, 4320, 446, (231, 74, 72))


def test_engines_of_one_server_add_up_and_of_two_models_one_is_to_be_named():
    engines = page([(4, 2), (2, 0)], positions=2) + page([(4, 4)], engine="1")
    assert Counters.of(engines) == Counters(3, 10, 6, (2, 2, 1, 1))
    models = page([(4, 2)], model="a") + page([(4, 4)], model="b")
    with pytest.raises(ValueError, match="'a', 'b': name the model") as raised:
        Counters.of(models)
    assert not isinstance(raised.value, NoCounters)
    assert Counters.of(models, "b") == Counters(1, 4, 4, (1, 1, 1, 1))
    with pytest.raises(NoCounters):
        Counters.of(models, "c")


@pytest.mark.parametrize("page", ["", "vllm:a 1\n", "sglang:a 1\n", "llamacpp:a 1\n"])
def test_a_page_without_counters_of_speculation_is_not_read(page):
    with pytest.raises(NoCounters):
        Counters.of(page)


@pytest.mark.parametrize(
    ("old", "new"),
    [("1080.0", "NaN"), ("1080.0", "five"), ('position="2"', ""), ('position="2"', 'position="7"')],
)
def test_a_page_that_cannot_be_read_is_a_value_error(old, new):
    with pytest.raises(ValueError, match=r"not a page of counters|positions .0, 1, 7") as raised:
        Counters.of(REAL.replace(old, new))
    assert not isinstance(raised.value, NoCounters)


def test_the_difference_of_two_pages_is_what_was_asked_between_them():
    first, then = [(4, 2)] * 3, [(4, 0), (2, 2)]
    assert Counters.of(page(first + then)) - Counters.of(page(first)) == Counters.of(page(then))
    assert Counters(2, 4, 2, (1, 1)) - Counters(1, 1, 1, (1,)) == Counters(1, 3, 1, (0, 1))
    real = Counters.of(REAL)
    nothing = real - real
    rates = nothing.acceptance_rate, nothing.mean_acceptance_length, *nothing.conditional
    assert rates == (None,) * 5
    for later in (replace(real, drafts=1081), replace(real, per_position=(231, 75, 72))):
        with pytest.raises(ValueError, match="restarted between the two pages"):
            _ = real - later


def test_each_definition_by_hand_where_half_of_all_guesses_are_accepted():
    """16 rounds of 4 guesses, accepted in the shares that alpha = 1/2 gives."""
    equal = [(4, i) for i, count in enumerate((8, 4, 2, 1, 1)) for _ in range(count)]
    counters = Counters.of(page(equal))
    assert counters.conditional == (1 / 2,) * 4
    assert counters.acceptance_rate == (8 + 4 + 2 + 1) / 64  # not alpha
    assert counters.mean_acceptance_length == 1 + 15 / 16  # (1 - alpha^5) / (1 - alpha)


# --- sessions and files of answers -----------------------------------------------------------

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


def test_an_interrupted_run_continues_where_it_stopped(tmp_path):
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
    [('{"tokens": 5}\n', "was 5, now it is 4"), ("", "not a file of answers"),
     ("{}\n", "not a file of answers"), ('{"tokens": 4}\n[1]\n', "not a file of answers")],
)  # fmt: skip
def test_a_file_of_something_else_is_refused_unchanged(tmp_path, text, why):
    path = tmp_path / "answers.jsonl"
    path.write_text(text + "the last line")
    with pytest.raises(ValueError, match=why):
        AnswerLog(path, {"tokens": 4})
    assert path.read_text() == text + "the last line"


def test_the_table_of_the_articles_claims_is_escaped_and_narrow():
    table = claims_table("001", "002", "004")
    assert table.html.count("<tr>") == len(claims_of("001", "002", "004")) + 1
    assert "&quot;method&quot;" in table.html
    assert max(map(len, table.text.splitlines())) <= WIDTH
    with pytest.raises(KeyError, match="choose 001, 002, 004"):
        claims_of("000")
