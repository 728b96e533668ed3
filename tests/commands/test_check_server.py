"""A server checked from outside, over HTTP: the pair behind vLLM's door, llama.cpp's, another's."""

import json
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from course_utils import pairs
from course_utils.__main__ import main
from course_utils.commands import check_server
from course_utils.decoding import Sampling, emitted_tokens, generate
from course_utils.decoding.rows import as_numpy
from course_utils.engines.client import MODEL
from tests.engines.doors import Said, completion, door, vllm

SMALL = ["--requests", "8", "--tokens", "32", "--dtype", "float32", "--threads", "1"]
QWEN = ["--temperature", "0.6", "--top-k", "20", "--top-p", "0.95"]


@pytest.fixture(autouse=True)
def loaded(monkeypatch, fast):
    """No test waits for the pair twice; a draft is not asked."""
    alone = SimpleNamespace(target=fast.target, draft=None, encode=fast.encode,
                            stop_tokens=fast.stop_tokens)  # fmt: skip
    monkeypatch.setattr(pairs, "load_pair", lambda *_, **__: alone)
    monkeypatch.setattr(check_server, "Engine", partial(check_server.Engine, retries=0))


def written(target, body, **changed):
    asked = {name: body[name] for name in ("temperature", "top_k", "top_p", "min_p")} | changed
    rounds = generate(
        target, body["prompt"], max_new_tokens=body["max_tokens"], sampling=Sampling(**asked),
        seed=body["seed"],
    )  # fmt: skip
    return emitted_tokens(rounds)


def log_rows(target, prompt, new):
    rows = as_numpy(target.start(prompt[:-1]).extend([prompt[-1], *new[:-1]])).astype(float)
    rows -= rows.max(-1, keepdims=True)
    return rows - np.log(np.exp(rows).sum(-1, keepdims=True))


def as_vllm(target, asked, likeliest=None, **changed):
    """vLLM, which really draws, and tells rows of a prompt."""
    body = asked.body
    if asked.path == "/tokenize":
        return Said({"tokens": [int(x) for x in np.arange(5) + len(body["prompt"]) % 90]})
    if asked.path != "/v1/completions":
        return vllm(asked)
    if "prompt_logprobs" in body:
        text, places = body["prompt"], [None]
        for row, token in zip(log_rows(target, text[:1], text[1:]), text[1:], strict=True):
            told = {*np.argsort(-row)[: body["prompt_logprobs"]].tolist(), token}
            places.append({str(t): {"logprob": float(row[t])} for t in told})
        return Said(completion(body, prompt_logprobs=places))
    return Said(completion(body, token_ids=written(target, body, **changed)))


def as_llama(target, asked, **changed):
    """llama.cpp's server, with rows of what it wrote."""
    body = asked.body
    if asked.path == "/props":
        params = {"temperature": 0.8, "top_k": 40, "top_p": 0.95, "min_p": 0.05}
        return Said({"default_generation_settings": {"params": params}, "build_info": "b1"})
    if asked.path == "/tokenize":
        return Said({"tokens": [int(x) for x in np.arange(5) + len(body["content"]) % 90]})
    if asked.path != "/completion":
        return vllm(asked) if asked.path == "/v1/models" else Said({"error": "no"}, 404)
    new = written(target, body | {"max_tokens": body["n_predict"]}, **changed)
    told = {"tokens": new, "stop_type": "limit", "timings": {"draft_n": 9, "draft_n_accepted": 5}}
    if body["n_probs"]:
        told["completion_probabilities"] = [
            {"id": t, "logprob": float(row[t]), "top_logprobs": [
                {"id": int(i), "logprob": float(row[i])}
                for i in np.argsort(-row)[: body["n_probs"]]]}
            for row, t in zip(log_rows(target, body["prompt"], new), new, strict=True)
        ]  # fmt: skip
    return Said(told)


def told_by(capsys, here, *arguments):
    status = main(["check-server", "--url", here.url, *SMALL, *arguments, "--json"])
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("kind", [as_vllm, as_llama])
def test_a_server_that_heeds_its_request_passes(capsys, fast, kind):
    with door(partial(kind, fast.target)) as here:
        status, told = told_by(capsys, here, *QWEN)
    assert (status, told["verdict"]) in ((0, "no defect found"), (3, "inconclusive"))
    assert all(check["passed"] for check in told["checks"])
    asked = next(a.body for a in here.asked if a.body and "seed" in a.body)
    assert (asked["temperature"], asked["top_k"], asked["top_p"]) == (0.6, 20, 0.95)
    assert asked["min_p"] == asked["presence_penalty"] == asked["frequency_penalty"] == 0


def test_what_a_server_may_draw_with_instead_is_said_before(capsys, fast, tmp_path):
    (tmp_path / "generation_config.json").write_text('{"top_k": 30, "do_sample": true}')

    def heedless(asked):
        if asked.path == "/v1/models":
            return Said({"data": [{"id": MODEL, "root": str(tmp_path)}]})
        return as_llama(fast.target, asked, temperature=1.0, top_k=30, top_p=1.0)

    with door(heedless) as here:
        status = main(["check-server", "--url", here.url, *SMALL, *QWEN])
    said = capsys.readouterr()
    assert status == 1
    assert "LOSSY: server: tokens that these settings exclude" in said.out
    assert "its own default: top_k 40; the request pins 20" in said.err
    assert "it may apply generation_config.json: top_k 30; the request pins 20" in said.err
    assert "8 requests: " in said.err


@pytest.mark.parametrize(
    ("kind", "settings"),
    [(as_vllm, QWEN), (as_llama, QWEN), (as_vllm, []), (as_vllm, ["--temperature", "0.7"]),
     (as_llama, ["--temperature", "0"])],
)  # fmt: skip
def test_rows_of_the_server_itself_say_what_they_can(capsys, fast, kind, settings):
    with door(partial(kind, fast.target)) as here:
        status, told = told_by(capsys, here, *settings, "--target", "server")
    assert status in (0, 3)
    assert all(check["passed"] for check in told["checks"])
    assert "not shown" in told["proves"]
    assert ("are judged" in told["proves"]) == ("0.7" in settings)
    with door(partial(kind, fast.target, temperature=2.0)) as here:
        assert told_by(capsys, here, *settings, "--target", "server")[0] == 1


def test_rows_that_call_each_token_certain_tell_nothing(capsys, fast):
    """llama.cpp #27972: with speculation each token that it emitted has probability 1."""

    def certain(asked):
        said = as_llama(fast.target, asked)
        for row in said.body.get("completion_probabilities", []):
            row |= {"logprob": 0.0, "top_logprobs": [{"id": row["id"], "logprob": 0.0}]}
        return said

    with door(certain) as here:
        status, told = told_by(capsys, here, "--target", "server")
    assert (status, told["verdict"]) == (3, "inconclusive")
    assert "by these rows each token was certain" in told["not_run"][0]


def test_an_interrupted_run_goes_on_and_other_questions_are_refused(capsys, fast, tmp_path):
    kept, answered = tmp_path / "answers.jsonl", []

    def stopping(asked):
        if asked.path == "/v1/completions":
            answered.append(asked)
        return Said({"error": "down"}, 500) if len(answered) > 3 else as_vllm(fast.target, asked)

    with door(stopping) as here:
        call = ["check-server", "--url", here.url, *SMALL, "--kept", str(kept)]
        assert main(call) == 2
        assert "3 of 8 answers are in" in capsys.readouterr().err
        kept.write_text(kept.read_text() + '{"number": 3, "prom')  # cut off in a line
        here_again = [a.body["seed"] for a in here.asked if a.path == "/v1/completions"]
        assert here_again[:4] == [0, 1, 2, 3]
        answered.clear()
        assert main([*call, "--tokens", "33"]) == 2
        assert "holds answers to other questions (tokens was 32" in capsys.readouterr().err
    assert len(kept.read_text().splitlines()) == 5


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--requests", "1"], "requests is 1"),
        (["--top-p", "2"], "top_p is 2.0"),
        (["--url", "http://127.0.0.1:9"], "no server answers at http://127.0.0.1:9"),
        (["--model", "another"], "not another"),
    ],
)
def test_what_cannot_be_asked_is_one_line(capsys, arguments, why):
    with door() as here:
        assert main(["check-server", "--url", here.url, *SMALL, *arguments]) == 2
    error = capsys.readouterr().err
    assert why in error
    assert error.count("\n") == 1


def with_answer(kind, path, change):
    """The server, but what it answers on this path is changed in place."""

    def serve(target, asked):
        said = kind(target, asked)
        if asked.path.startswith(path):
            change(said.body)
        return said

    return serve


NO_IDS, NO_ROWS = "sends what is no token id", "how likely each of its tokens was"
ROWS, NAN = "completion_probabilities", float("nan")


def put(value, *place):
    """An edit of an answer: `value` at a place in it."""

    def change(body):
        for step in place[:-1]:
            body = body[step]
        body[place[-1]] = value

    return change


def first_token(value):
    return as_vllm, "/v1/completions", put(value, "choices", 0, "token_ids", 0), NO_IDS


def first_row(value, name="logprob", why=NO_ROWS):
    return as_llama, "/completion", put(value, ROWS, 0, name), why


ILL = {
    "an id beyond the vocabulary": (*first_token(99_999)[:3], "token 99999"),
    "NaN for an id": first_token(NAN),
    "true for an id": first_token(True),
    "a text for an id": first_token("\x1b[2J17"),
    "a huge id": (as_llama, "/completion", put(10**30, "tokens", 0), NO_IDS),
}
ILL_ROWS = {
    "no rows": (as_llama, "/completion", lambda body: body.pop(ROWS), NO_ROWS),
    "a row too few": (as_llama, "/completion", lambda body: body[ROWS].pop(), NO_ROWS),
    "NaN for a row's number": first_row(NAN),
    "no number": first_row(None),
    "a probability above 1": first_row(3.0),
    "true for an id of a row": first_row(True, "id", NO_IDS),
    "true for an id of the prompt": (as_llama, "/tokenize", put(True, "tokens", 1), NO_IDS),
    "no rows of a prompt": (
        as_vllm, "/v1/completions", put([None] * 37, "choices", 0, "prompt_logprobs"), NO_ROWS,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ILL | ILL_ROWS)
def test_an_answer_that_is_none_is_refused_in_one_sentence(capsys, fast, case):
    kind, path, change, why = (ILL | ILL_ROWS)[case]
    source = ["--target", "server"] * (case in ILL_ROWS)
    with door(partial(with_answer(kind, path, change), fast.target)) as here:
        assert main(["check-server", "--url", here.url, *SMALL, *source]) == 2
    *_, said = capsys.readouterr().err.splitlines()
    assert why in said
    assert said.isprintable()


def test_what_llama_says_of_itself_is_printable_and_needs_no_sense(capsys, fast):
    def odd(body):
        body["build_info"] = "b1\x1b[2J\x07"
        body["default_generation_settings"]["params"] = {"temperature": "hot", "top_k": None}

    with door(partial(with_answer(as_llama, "/props", odd), fast.target)) as here:
        main(["check-server", "--url", here.url, *SMALL, "--target", "server"])
    said = capsys.readouterr()
    assert "llama.cpp b1 [2J" in said.err
    assert "\x1b" not in said.err + said.out


def test_a_server_without_token_ids_cannot_be_checked(capsys):
    texts = {"/version": Said("", 404), "/props": Said("", 404)}

    def other(asked):
        if asked.path == "/v1/completions":
            return Said({"choices": [{"text": "some text"}]})
        return texts.get(asked.path) or vllm(asked)

    with door(other) as here:
        assert main(["check-server", "--url", here.url, *SMALL]) == 2
        assert "no token ids" in capsys.readouterr().err
