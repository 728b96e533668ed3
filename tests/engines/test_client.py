"""A client before servers of every kind: vLLM's, nobody's, another program's, a hostile one."""

import json
from time import sleep

import pytest

from course_utils.engines import client as client_module
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
from tests.engines.fake_server import VERSION, Response, completion, serving

QUESTION = Question((5, 6, 7), 4, 0.5, seed=9)
SECRET = "sk-very-secret"
REQUESTS = {
    "check": lambda engine: engine.check(),
    "metrics": lambda engine: engine.metrics(),
    "complete": lambda engine: engine.complete(QUESTION),
}
NOBODY = "http://127.0.0.1:9"  # the port of `discard`


@pytest.fixture(autouse=True)
def no_environment(monkeypatch):
    for name in (ADDRESS, KEY):
        monkeypatch.delenv(name, raising=False)


def refusals(answer, error, why=None, key=None):
    """The messages of all requests to a server that answers so."""
    messages = []
    with serving(answer) as fake:
        for request in REQUESTS.values():
            with pytest.raises(error, match=why) as raised:
                request(Engine(fake.url, key=key))
            messages.append(str(raised.value))
    return messages


def test_a_question_goes_as_tokens_and_comes_back_as_tokens():
    with serving() as fake:
        engine = Engine(fake.url)
        assert engine.check() == VERSION
        answer = engine.complete(QUESTION)
    assert answer.tokens == [7, 6, 5, 7]
    assert answer.text == "7 6 5 7"
    assert fake.requests[-1].body == {
        "model": MODEL, "prompt": [5, 6, 7], "max_tokens": 4, "temperature": 0.5, "top_k": 0,
        "top_p": 1.0, "min_p": 0.0, "repetition_penalty": 1.0, "presence_penalty": 0.0,
        "frequency_penalty": 0.0, "seed": 9, "ignore_eos": True, "return_token_ids": True,
    }  # fmt: skip


@pytest.mark.parametrize("end", ["", "/v1/", " \n"])
def test_an_address_may_end_as_people_write_it(monkeypatch, end):
    with serving() as fake:
        monkeypatch.setenv(ADDRESS, fake.url + end)
        assert engine_here().url == fake.url


@pytest.mark.parametrize("address", ["ftp://127.0.0.1", "localhost:8000", "http://a b"])
def test_an_address_that_is_none_is_refused_and_a_password_is_not_repeated(address):
    with pytest.raises(ValueError, match="is no address of a server"):
        Engine(address)
    with pytest.raises(ValueError, match="no password") as raised:
        Engine(f"http://me:{SECRET}@127.0.0.1:8000")
    assert SECRET not in str(raised.value)


# --- the key ----------------------------------------------------------------------------


def test_the_key_goes_to_this_server_and_to_nobody_else(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", NOBODY)
    monkeypatch.setenv(KEY, f" {SECRET}\n")
    with serving() as fake:
        for request in REQUESTS.values():
            request(Engine(fake.url))
        assert {r.headers["authorization"] for r in fake.requests} == {f"Bearer {SECRET}"}
        elsewhere = {"Location": fake.url + "/v1/models"}
        seen = len(fake.requests)
        refusals(lambda _: Response("", 307, elsewhere), NoEngine, "something answers at")
        assert len(fake.requests) == seen
    with pytest.raises(ValueError, match=KEY) as raised:
        Engine(key="two words")
    assert "two words" not in str(raised.value)


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize(("key", "why"), [(None, "wants a key"), (SECRET, "refuses the key")])
def test_a_server_that_wants_another_key(status, key, why):
    unauthorized = Response({"error": f"Unauthorized: Bearer {key}"}, status)
    for message in refusals(lambda _: unauthorized, ValueError, f"{why}.*{KEY}", key=key):
        assert SECRET not in message


# --- nobody, and others -----------------------------------------------------------------


def test_an_engine_that_is_expected_must_be_there_and_another_need_not(monkeypatch):
    monkeypatch.setattr(client_module, "DEFAULT_ADDRESS", NOBODY)
    assert engine_here() is None
    monkeypatch.setenv(ADDRESS, NOBODY)
    with pytest.raises(NoEngine, match=f"no server answers at {NOBODY}.*command_line"):
        engine_here()


HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n"
OTHER_PROGRAMS = {
    "a page": Response("<html><script>alert(1)</script></html>"),
    "not UTF-8": Response(b"\xff\xfe\xff"),
    "compressed": Response(b"[]", headers={"Content-Encoding": "gzip"}),
    "a login": Response("<h1>Log in</h1>", 401),
    "an error's page": Response("<h1>oops</h1>", 500),
    "it breaks off": [HEAD, b'{"data"'],
}


@pytest.mark.parametrize("response", OTHER_PROGRAMS.values(), ids=OTHER_PROGRAMS)
def test_another_program_at_that_port_is_no_engine(response):
    with serving(lambda _: response) as fake:
        for name in ("check", "complete"):
            with pytest.raises(NoEngine, match=f"at {fake.url}"):
                REQUESTS[name](Engine(fake.url))


def test_json_of_another_shape_is_no_engine():
    with serving(lambda _: Response({"data": 5, "choices": {}, "version": [1]})) as fake:
        with pytest.raises(NoEngine, match="not as vLLM"):
            Engine(fake.url).check()
        with pytest.raises(ValueError, match="no completion"):
            Engine(fake.url).complete(QUESTION)


def test_other_models_are_named_as_one_readable_line():
    names = ["<script>\x1b[31m\nnext", None, *["x" * 400] * 50]
    models = Response({"data": [7, *({"id": name} for name in names)]})
    with serving(lambda request: models) as fake, pytest.raises(ValueError, match="not co") as no:
        Engine(fake.url).check_model()
    assert f"at {fake.url} serves <script> [31m next, None, xxx" in str(no.value)
    assert str(no.value).isprintable()
    assert len(str(no.value)) < 1500


@pytest.mark.parametrize("body", [{"error": {"message": "{}"}}, {"detail": "{}"}])
@pytest.mark.parametrize(
    ("status", "error", "why"),
    [
        (400, ValueError, "the server refuses this: (the key) <b>died</b> [31m 99"),
        (429, NoEngine, "takes no more requests now: try again later"),
        (503, NoEngine, "is in trouble (503): (the key) <b>died</b> [31m 99"),
    ],
)
def test_a_refusal_is_in_the_servers_words_without_the_key(status, error, why, body):
    words = json.dumps(body).replace("{}", SECRET + r" <b>died</b> \u001b[31m\n" + "9" * 1000)
    with serving(lambda _: Response(words, status)) as fake, pytest.raises(error) as raised:
        Engine(fake.url, key=SECRET).complete(QUESTION)
    assert why in str(raised.value)
    assert len(str(raised.value)) < 400


def test_a_byte_now_and_then_does_not_keep_a_request_open():
    def slowly(request):
        yield HEAD
        for _ in range(50):
            sleep(0.05)
            yield b" "

    with serving(slowly) as fake, pytest.raises(NoEngine, match=r"within 0\.3 seconds"):
        Engine(fake.url, timeout=0.3).check()


# --- answers ----------------------------------------------------------------------------


def test_text_without_tokens_is_an_answer_that_has_no_tokens():
    with serving(lambda r: Response(completion(r.body, token_ids=None))) as fake:
        answer = Engine(fake.url).complete(QUESTION)
    assert answer.text == "7 6 5 7"
    with pytest.raises(ValueError, match="return_token_ids"):
        _ = answer.tokens


@pytest.mark.parametrize("tokens", [[], [1, 2, 3], [1, 2, 3, 4, 5]])
def test_another_number_of_tokens_than_was_asked_for_is_an_error(tokens):
    why = f"wrote {len(tokens)} tokens where 4 were asked for"
    short = serving(lambda r: Response(completion(r.body, token_ids=tokens)))
    with short as fake, pytest.raises(ValueError, match=why):
        Engine(fake.url).complete(QUESTION)


BAD = [{}, None, {"choices": []}, {"choices": [{"text": None}]},
       {"choices": [{"text": "a", "token_ids": ["1"]}]}]  # fmt: skip


@pytest.mark.parametrize("raw", BAD, ids=str)
def test_json_of_another_shape_is_no_answer(raw):
    with pytest.raises(ValueError, match="no completion"):
        Answer.of(raw)
