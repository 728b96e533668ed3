"""A client at doors of every kind: vLLM's, nobody's, another program's, a hostile one."""

import json
import socket

import pytest

from course_utils.engines import client as client_module
from course_utils.engines import connection
from course_utils.engines.client import (
    ADDRESS,
    KEY,
    MODEL,
    Answer,
    Engine,
    NoEngine,
    Question,
    engine_here,
)
from tests.engines.doors import VERSION, Said, completion, door, vllm

QUESTION = Question((5, 6, 7), 4, 0.5, seed=9)
SECRET = "sk-very-secret"


@pytest.fixture(autouse=True)
def no_environment(monkeypatch):
    for name in (ADDRESS, KEY):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def at_once(monkeypatch):
    """Repeated requests do not wait; the list of the seconds that they would."""
    pauses = []
    monkeypatch.setattr(connection, "sleep", pauses.append)
    return pauses


def engine(url, **settings):
    return Engine(url, **{"timeout": 60.0, "retries": 0} | settings)


def for_path(path, said):
    """vLLM, but for one path."""
    return lambda asked: said if asked.path == path else vllm(asked)


def refusals(answer, error, why=None, **settings):
    """What check, metrics and complete say of a server that answers so: all of them refuse."""
    said = []
    with door(answer) as here:
        one = engine(here.url, **settings)
        for asking in (one.check, one.metrics, lambda: one.complete(QUESTION)):
            with pytest.raises(error, match=why) as no:
                asking()
            said.append(str(no.value))
    return said


# --- vLLM's manners ---------------------------------------------------------------------


def test_a_question_goes_as_tokens_and_comes_back_as_tokens():
    with door() as here:
        one = engine(here.url)
        assert one.check() == VERSION
        answer = one.complete(QUESTION)
    assert answer.tokens == [7, 6, 5, 7]
    assert answer.text == "7 6 5 7"
    assert here.asked[-1].body == {
        "model": MODEL, "prompt": [5, 6, 7], "max_tokens": 4, "temperature": 0.5, "top_k": 0,
        "top_p": 1.0, "min_p": 0.0, "repetition_penalty": 1.0, "presence_penalty": 0.0,
        "frequency_penalty": 0.0, "seed": 9, "ignore_eos": True, "return_token_ids": True,
    }  # fmt: skip


@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/", " \n"])
def test_an_address_may_end_as_people_write_it(end):
    with door() as here:
        assert engine(here.url + end).check() == VERSION
    assert [asked.path for asked in here.asked] == ["/v1/models", "/version"]


@pytest.mark.parametrize(
    "address",
    ["ftp://127.0.0.1", "localhost:8000", "http://", "http://127.0.0.1:99999", "http://a b"],
)
def test_what_is_no_address_is_said_before_anything_is_asked(address):
    with pytest.raises(ValueError, match="is no address of a server"):
        Engine(address)
    with pytest.raises(ValueError, match="no password") as raised:
        Engine(f"http://me:{SECRET}@127.0.0.1:8000")
    assert SECRET not in str(raised.value)


def test_the_environment_says_where_the_engine_is(monkeypatch):
    with door() as here:
        monkeypatch.setenv(ADDRESS, here.url + "/v1")
        assert engine_here().url == here.url
        assert Engine("http://127.0.0.1:1").url == "http://127.0.0.1:1"
    for name in (ADDRESS, KEY):
        monkeypatch.setenv(name, "  ")  # as good as none
    assert Engine().url == client_module.HERE


# --- the key ----------------------------------------------------------------------------


def test_the_key_goes_to_every_page_of_this_machine_and_nothing_else_does(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv(KEY, f" {SECRET}\n")
    with door() as here:
        one = engine(here.url)
        one.check(), one.complete(QUESTION), one.metrics()
    assert {asked.headers["authorization"] for asked in here.asked} == {f"Bearer {SECRET}"}
    assert SECRET not in repr(one) + str(one)
    assert {name for asked in here.asked for name in asked.headers} == {
        "accept", "accept-encoding", "authorization", "connection", "content-length",
        "content-type", "host", "user-agent",
    }  # fmt: skip


@pytest.mark.parametrize("key", ["two words", "schlüssel"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(key):
    with pytest.raises(ValueError, match=KEY) as raised:
        Engine(key=key)
    assert key not in str(raised.value)


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize(("key", "why"), [(None, "wants a key"), (SECRET, "refuses the key")])
def test_a_server_that_wants_another_key(status, key, why):
    said = Said({"error": f"Unauthorized: Bearer {key}"}, status)
    for told in refusals(lambda _: said, ValueError, KEY, key=key):
        assert why in told
        assert SECRET not in told


@pytest.mark.parametrize("body", [{"error": {"message": "slow down"}}, "Too Many Requests"])
def test_a_server_that_takes_no_more_requests_is_not_another_program(at_once, body):
    refusals(lambda _: Said(body, 429), NoEngine, r"takes no more requests now: try again later$")


def test_a_refusal_that_repeats_the_key_does_not_show_it():
    said = Said({"error": {"message": f"bad header Bearer {SECRET}\x1b[31m", "code": 400}}, 400)
    with door(lambda _: said) as here, pytest.raises(ValueError, match="refuses this") as raised:
        engine(here.url, key=SECRET).complete(QUESTION)
    assert str(raised.value) == "the server refuses this: bad header Bearer (the key) [31m"


# --- nobody, and others -----------------------------------------------------------------


def test_a_closed_port_is_no_engine(monkeypatch):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
    one = engine(url)
    for asking in (one.check, one.metrics, lambda: one.complete(QUESTION)):
        with pytest.raises(NoEngine, match=r"no server answers at .*command_line"):
            asking()
    monkeypatch.setenv(ADDRESS, url)
    with pytest.raises(NoEngine, match=f"no server answers at {url}"):
        engine_here()
    monkeypatch.delenv(ADDRESS)
    monkeypatch.setattr(client_module, "HERE", url)
    assert engine_here() is None  # nobody said that there is one


NO_ENGINE = {
    "html": Said("<html><script>alert(1)</script></html>"),
    "another object": Said({"data": 5, "choices": {}, "version": [1]}),
    "not UTF-8": Said(b"\xff\xfe\xff", kind="application/json"),
    "a login": Said("<h1>Log in</h1>", 401),
    "elsewhere": Said("", 302, headers={"Location": "/hub/login"}),
    "an error's page": Said("<h1>oops</h1>", 500),
}


@pytest.mark.parametrize("said", NO_ENGINE.values(), ids=NO_ENGINE)
def test_another_program_at_that_port_is_no_engine(monkeypatch, said):
    with door(lambda _: said) as here:
        one = engine(here.url)
        monkeypatch.setattr(client_module, "HERE", here.url)
        for asking in (one.check, lambda: one.complete(QUESTION)):
            with pytest.raises(NoEngine, match=r"something answers at .*, but not as vLLM"):
                asking()
        assert engine_here() is None


def test_no_redirect_is_followed():
    with door() as elsewhere:
        away = {"Location": elsewhere.url + "/v1/models"}
        refusals(lambda _: Said("", 307, headers=away), NoEngine, key=SECRET)
    assert elsewhere.asked == []


def test_a_server_that_breaks_off_is_none():
    refusals(lambda _: b'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"data"', NoEngine)


def test_other_models_are_named_as_one_readable_line():
    evil = "<script>alert(1)</script>\x1b[31m\nnext"
    said = Said({"data": [{"id": evil}, {"id": None}, 7, *({"id": "x" * 400},) * 50]})
    with (
        door(for_path("/v1/models", said)) as here,
        pytest.raises(ValueError, match="not co") as no,
    ):
        engine(here.url).check()
    words = str(no.value)
    assert "serves <script>alert(1)</script> [31m next, None, xxx" in words
    assert words.isprintable()
    assert len(words) < 1200
    assert not isinstance(no.value, NoEngine)
    none = door(for_path("/v1/models", Said({"data": []})))
    with none as here, pytest.raises(ValueError, match="serves nothing"):
        engine(here.url).check()


# --- repeated requests ------------------------------------------------------------------


@pytest.mark.parametrize("first", [Said({"error": {"message": "busy"}}, 503), Said("", 500), None])
def test_a_request_is_repeated_where_the_server_is_busy_or_broke_off(at_once, first):
    answers = iter([first])
    with door(lambda asked: next(answers) if len(here.asked) == 1 else vllm(asked)) as here:
        assert engine(here.url, retries=1).complete(QUESTION).tokens == [7, 6, 5, 7]
    assert len(here.asked) == 2


def test_a_server_in_trouble_is_given_up_with_its_words(at_once):
    said = Said({"error": {"message": "EngineCore <b>died</b>\n\x07", "type": "x"}}, 500)
    with (
        door(lambda _: said) as here,
        pytest.raises(NoEngine, match=r"in trouble \(500\): EngineCore <b>died</b>$"),
    ):
        engine(here.url, retries=2).complete(QUESTION)
    assert len(here.asked) == 3
    assert at_once == [0.5, 1.0]


@pytest.mark.parametrize(("wanted", "pauses"), [("7", [7.0]), ("soon", [0.5]), ("900", [])])
def test_a_busy_server_is_waited_for_as_long_as_it_asks(at_once, wanted, pauses):
    said = Said({"error": {"message": "busy"}}, 429, headers={"Retry-After": wanted})
    with door(lambda _: said) as here, pytest.raises(NoEngine, match="no more requests"):
        engine(here.url, retries=1).complete(QUESTION)
    assert at_once == pauses


def test_a_refusal_is_not_repeated_and_is_in_the_servers_words():
    said = Said({"error": {"message": "max_tokens is too large: " + "9" * 1000}}, 400)
    with (
        door(lambda _: said) as here,
        pytest.raises(ValueError, match="refuses this: max_tokens is too large: 9") as raised,
    ):
        engine(here.url, retries=5).complete(QUESTION)
    assert not isinstance(raised.value, NoEngine)
    assert len(str(raised.value)) < 400
    assert len(here.asked) == 1


# --- answers ----------------------------------------------------------------------------


def test_text_without_tokens_is_an_answer_that_has_no_tokens():
    def llama_cpp(asked):
        raw = completion(asked.body)
        del raw["choices"][0]["token_ids"]
        return Said(raw)

    with door(llama_cpp) as here:
        answer = engine(here.url).complete(QUESTION)
    assert answer.text == "7 6 5 7"
    with pytest.raises(ValueError, match="return_token_ids"):
        _ = answer.tokens


@pytest.mark.parametrize("tokens", [[], [1, 2, 3], [1, 2, 3, 4, 5]])
def test_another_number_of_tokens_than_was_asked_for_is_an_error(tokens):
    with (
        door(lambda asked: Said(completion(asked.body, token_ids=tokens))) as here,
        pytest.raises(ValueError, match=f"wrote {len(tokens)} tokens where 4 were asked for"),
    ):
        engine(here.url).complete(QUESTION)


BAD = [
    {}, None, {"choices": []}, {"choices": [{"text": None}]},
    {"choices": [{"text": "a", "token_ids": ["1"]}]},
]  # fmt: skip


@pytest.mark.parametrize("raw", BAD, ids=json.dumps)
def test_json_of_another_shape_is_no_answer(raw):
    with pytest.raises(ValueError, match="no completion"):
        Answer.of(raw)
