"""A server judged from outside: an honest one passes at its settings, a wrong temperature not."""

from functools import partial

import pytest

from course_utils.__main__ import main
from course_utils.commands import judge
from course_utils.decoding import Sampling, emitted_tokens, generate
from tests.engines.doors import completion, door, vllm

SMALL = ["--texts", "4", "--tokens", "40", "--dtype", "float32", "--threads", "1"]


@pytest.fixture
def loaded(monkeypatch, fast):
    """No test waits for the pair twice."""
    monkeypatch.setattr(judge, "load_pair", lambda *_, **__: fast)


def drawing(target, asked, temperature=None):
    """vLLM, which really draws: at the request's settings, or at another temperature."""
    if asked.path != "/v1/completions":
        return vllm(asked)
    body = asked.body
    draws = Sampling(
        body["temperature"] if temperature is None else temperature, body["top_k"], body["top_p"]
    )
    rounds = generate(
        target, body["prompt"], max_new_tokens=body["max_tokens"], sampling=draws,
        seed=body["seed"],
    )  # fmt: skip
    answer = vllm(asked)
    answer.body = completion(body, token_ids=emitted_tokens(rounds))
    return answer


@pytest.mark.parametrize(
    "settings", [[], ["--temperature", "0.6", "--top-k", "20", "--top-p", "0.95"]]
)
def test_an_honest_server_passes_at_its_own_settings(capsys, loaded, fast, settings):
    with door(partial(drawing, fast.target)) as here:
        assert main(["judge", "--url", here.url, *SMALL, *settings]) == 0
    said = capsys.readouterr().out
    assert "160 tokens" in said
    assert said.endswith("nothing speaks against it\n")
    body = here.asked[-1].body
    assert (body["top_k"], body["top_p"]) == ((20, 0.95) if settings else (0, 1.0))


def test_a_server_at_another_temperature_is_found_out(capsys, loaded, fast):
    with door(partial(drawing, fast.target, temperature=2.0)) as here:
        assert main(["judge", "--url", here.url, *SMALL]) == 1
    assert capsys.readouterr().out.endswith("NOT drawn from the target\n")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--temperature", "0"], "at temperature 0 nothing is drawn"),
        (["--texts", "0"], "texts is 0"),
        (["--top-p", "2"], "top_p is 2.0"),
        (["--url", "http://127.0.0.1:9"], "no server answers at http://127.0.0.1:9"),
        (["--model", "another"], "not another"),
    ],
)
def test_what_cannot_be_asked_is_one_line(capsys, monkeypatch, arguments, why):
    monkeypatch.setattr(judge, "Engine", partial(judge.Engine, timeout=2.0, retries=0))
    with door() as here:
        assert main(["judge", "--url", here.url, *SMALL, *arguments]) == 2
    error = capsys.readouterr().err
    assert why in error
    assert error.count("\n") == 1
