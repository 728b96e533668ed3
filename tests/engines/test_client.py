"""A client with servers of every kind: vLLM's, none, another program's, a hostile one."""

import gzip
import json
from socket import gethostname
from time import sleep

import pytest

from course_utils.engines import client as client_module
from course_utils.engines import connection
from course_utils.engines.client import ADDRESS, KEY, Engine, NoEngine, Question, engine_here
from tests.engines.fake_server import VERSION, Response, completion, serving

QUESTION = Question((5, 6, 7), 4, 0.5, seed=9)
SECRET = "sk-very-secret"
NOBODY = "http://127.0.0.1:9"  # the port of `discard`


@pytest.fixture(autouse=True)
def no_environment(monkeypatch):
    for name in (ADDRESS, KEY):
        monkeypatch.delenv(name, raising=False)


def refusal(response, error, key=None) -> str:
    """Return the error of `complete` with a server that answers so."""
    with serving(lambda _: response) as fake, pytest.raises(error) as raised:
        Engine(fake.url, key=key).complete(QUESTION)
    return str(raised.value)


@pytest.mark.parametrize("end", ["", "/v1/", " \n", "/v1/completions", "/v1/chat/completions/"])
def test_a_question_goes_as_tokens_and_comes_back_as_tokens(monkeypatch, end):
    with serving() as fake:
        monkeypatch.setenv(ADDRESS, fake.url + end)
        engine = engine_here()
        assert engine.check() == VERSION
        answer = engine.complete(QUESTION)
    assert engine._timeout == 60  # the first look alone is short
    assert (answer.tokens, answer.text) == ([7, 6, 5, 7], "7 6 5 7")
    assert fake.requests[-1].body == {
        "model": client_module.MODEL, "prompt": [5, 6, 7], "max_tokens": 4, "temperature": 0.5,
        "top_k": 0, "top_p": 1.0, "min_p": 0.0, "repetition_penalty": 1.0, "presence_penalty": 0.0,
        "frequency_penalty": 0.0, "seed": 9, "ignore_eos": True, "return_token_ids": True,
    }  # fmt: skip


@pytest.mark.parametrize("address", ["localhost:8000", f"http://me:{SECRET}@127.0.0.1:8000"])
def test_a_wrong_address_is_refused_and_a_password_is_not_repeated(address):
    with pytest.raises(ValueError, match=r"is not the address of|must not contain") as raised:
        Engine(address)
    assert SECRET not in str(raised.value)
    assert Engine("http://gpu-v1/").url == "http://gpu-v1"
    with pytest.raises(ValueError, match="characters that no key can have") as raised:
        Engine(key=SECRET + "\n\u00e9")
    assert SECRET not in str(raised.value)


def test_the_key_goes_to_this_server_and_to_nobody_else(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", NOBODY)
    monkeypatch.setenv(KEY, f" {SECRET}\n")
    with serving() as fake:
        for url in (fake.url, fake.url.replace("127.0.0.1", "localhost")):
            engine = Engine(url)
            engine.check(), engine.metrics(), engine.complete(QUESTION)
        assert {r.headers["authorization"] for r in fake.requests} == {f"Bearer {SECRET}"}
        count = len(fake.requests)
        elsewhere = Response("", 307, {"Location": fake.url + "/v1/models"})
        assert "something answers at" in refusal(elsewhere, NoEngine)
        assert len(fake.requests) == count


def test_a_set_address_must_answer_and_the_default_one_need_not(monkeypatch):
    monkeypatch.setattr(client_module, "DEFAULT_ADDRESS", NOBODY)
    assert engine_here() is None
    monkeypatch.setenv(ADDRESS, NOBODY)
    with pytest.raises(NoEngine, match=f"no server answers at {NOBODY}.*command_line"):
        engine_here()


HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n"
OTHER_PROGRAMS = (
    Response(b"<html>\xff</html>"), Response("<h1>Log in</h1>", 401), Response("oops", 500),
    Response(b"[]", headers={"Content-Encoding": "gzip"}), [HEAD, b'{"it breaks off'],
)  # fmt: skip


@pytest.mark.parametrize("response", OTHER_PROGRAMS)
def test_another_program_at_that_port_is_no_engine(response):
    assert "answers at http://127.0.0.1" in refusal(response, NoEngine)


PACKED = gzip.compress(b" " * 10**6)
HOSTILE = {  # the pieces of an answer, seconds between them, and what is said of it
    "headers drip": ([HEAD[:17], *[b"X: y\r\n"] * 60, b"\r\n"], 0.05, r"within 0\.3 seconds"),
    "a body drips": ([HEAD, *[b" "] * 60], 0.05, r"within 0\.3 seconds"),
    "nothing is sent": ([b""] * 60, 0.05, r"within 0\.3 seconds"),
    "a flood": ([HEAD[:17] + b"\r\n", *[b" " * 10_000] * 60], 0, "exceeds 100,000 bytes"),
    "a bomb": ([HEAD[:17], b"Content-Encoding: gzip\r\n\r\n", PACKED], 0, "compressed"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_an_answer_is_limited_in_time_and_size(monkeypatch, case):
    pieces, pause, why = HOSTILE[case]

    def hostile(request):
        for piece in pieces:
            sleep(pause)
            yield piece

    monkeypatch.setattr(connection, "LARGEST_ANSWER", 100_000)
    with serving(hostile) as fake, pytest.raises(NoEngine, match=why):
        Engine(fake.url, timeout=0.3 if pause else 60).check()


def test_every_name_and_address_of_this_machine_is_known_and_needs_no_proxy(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", NOBODY)
    with serving() as fake:
        for host in ("0.0.0.0", "LOCALHOST"):
            assert Engine(fake.url.replace("127.0.0.1", host)).check() == VERSION
    for host in ("127.0.1.1", "::1", "localhost", gethostname().upper()):
        assert connection.on_this_machine(host)
    assert not connection.on_this_machine("gpu.example")
    assert connection.server_address("http://[::]:80") == "http://127.0.0.1:80"


@pytest.mark.parametrize("body", [{"error": {"message": "{}"}}, {"detail": "{}"}])
@pytest.mark.parametrize(
    ("status", "error"), [(400, ValueError), (401, ValueError), (429, NoEngine), (503, NoEngine)]
)
def test_a_refusal_is_one_short_line_without_the_key(status, error, body):
    words = json.dumps(body).replace("{}", SECRET + r" <b>died</b> \u001b[31m\n99" + 99 * SECRET)
    message = refusal(Response(words, status), error, key=SECRET)
    assert ("(the key) <b>died</b> [31m 99" in message) == (status != 401)
    assert message.isprintable()
    assert len(message) < 400
    assert SECRET not in message


@pytest.mark.parametrize("raw", [{}, None, {"token_ids": ["1"]}, {"token_ids": [-1]}])
def test_json_of_another_shape_is_no_answer(raw):
    raw = raw and {"choices": [{"text": "a"} | raw]}
    assert "not a completion" in refusal(Response(raw), ValueError)
    with serving(lambda _: Response(raw)) as fake, pytest.raises(NoEngine, match="it is not vLLM"):
        Engine(fake.url).check()


@pytest.mark.parametrize("tokens", [None, [], [1, 2, 3, 4, 5]])
def test_an_answer_has_as_many_tokens_as_were_asked_for(tokens):
    server = serving(lambda r: Response(completion(r.body, token_ids=tokens)))
    why = r"return_token_ids|wrote [05] tokens instead of 4"
    with server as fake, pytest.raises(ValueError, match=why):
        _ = Engine(fake.url).complete(QUESTION).tokens


@pytest.mark.parametrize(
    ("variable", "value"),
    [("ALL_PROXY", "socks5://127.0.0.1:9"), ("HTTP_PROXY", "socks://127.0.0.1:9"),
     ("SSL_CERT_FILE", "/no/such/file.pem")],
)  # fmt: skip
def test_network_settings_that_cannot_be_used_are_named(monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)
    with pytest.raises(ValueError, match=variable):
        Engine("http://another-machine:8000")
    Engine("http://127.0.0.1:8000")  # needs none of them
