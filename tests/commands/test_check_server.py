"""The check of a server over HTTP: the pair served as vLLM, llama.cpp and others do."""

from functools import partial

import numpy as np
import pytest

from course_utils.__main__ import main
from course_utils.decoding import Sampling, emitted_tokens, generate
from course_utils.proofs.server_rows import ServedText, TargetRows
from course_utils.writing import writing
from tests.engines.fake_server import Response, completion, serving, vllm

SMALL = ["--requests", "6", "--tokens", "24", "--dtype", "float32", "--threads", "1"]
QWEN = ["--temperature", "0.6", "--top-k", "20", "--top-p", "0.95"]
OWN_ROWS, A_COPY = ["--target", "server"], ["--requests", "4"]


@pytest.fixture(autouse=True)
def target(monkeypatch, fast):
    """Load the pair once for all tests."""
    monkeypatch.setattr(writing, "load_pair", lambda *_, **__: fast)
    return fast.target


def written(target, body, count, **changed):
    settings = {name: body[name] for name in vars(Sampling())} | changed
    return emitted_tokens(generate(target, body["prompt"], max_new_tokens=count,
                                   sampling=Sampling(**settings), seed=body["seed"]))  # fmt: skip


def logprobs(target, prompt, tokens, count):
    """[{token: log-probability}, ...], the likeliest and the text's own."""
    rows = TargetRows.along(target, ServedText(tuple(prompt), tuple(tokens))).logits
    rows = rows - np.log(np.exp(rows).sum(-1, keepdims=True))
    return [{int(i): float(row[i]) for i in (*np.argsort(-row)[:count], token)}
            for row, token in zip(rows, tokens, strict=True)]  # fmt: skip


def as_vllm(target, request, **changed):
    body = request.body
    if request.path == "/tokenize":
        return Response({"tokens": [5, 6, 7 + len(body["prompt"]) % 90]})
    if request.path != "/v1/completions":
        return vllm(request)
    if count := body.get("prompt_logprobs"):
        places = logprobs(target, body["prompt"][:1], body["prompt"][1:], count)
        by_name = [{str(t): {"logprob": x} for t, x in place.items()} for place in places]
        return Response(completion(body, prompt_logprobs=[None, *by_name]))
    tokens = written(target, body, body["max_tokens"], **changed)
    return Response(completion(body, token_ids=tokens))


def as_llama(target, request, **changed):
    body = request.body
    if request.path == "/props":
        return Response({"default_generation_settings": {}, "build_info": "b1"})
    if request.path == "/tokenize":
        return Response({"tokens": [5, 6, 7 + len(body["content"]) % 90]})
    if request.path != "/completion":
        return vllm(request) if request.path == "/v1/models" else Response({"error": "no"}, 404)
    tokens = written(target, body, body["n_predict"], **changed)
    answer = {"tokens": tokens, "stop_type": "limit"}
    if count := body["n_probs"]:
        places = logprobs(target, body["prompt"], tokens, count)
        answer["completion_probabilities"] = [
            {"id": t, "logprob": place[t],
             "top_logprobs": [{"id": i, "logprob": x} for i, x in place.items()]}
            for t, place in zip(tokens, places, strict=True)
        ]  # fmt: skip
    return Response(answer)


@pytest.mark.parametrize(
    ("kind", "settings", "source"),
    [
        (as_vllm, QWEN, A_COPY),
        (as_vllm, [], OWN_ROWS),
        (as_llama, QWEN, OWN_ROWS),
        (as_llama, ["--temperature", "0"], A_COPY),
    ],
)
def test_a_server_passes_unless_it_samples_at_another_temperature(
    capsys, target, kind, settings, source
):
    for temperature, statuses in (({}, (0, 3)), ({"temperature": 2.0}, (1,))):
        with serving(partial(kind, target, **temperature)) as fake:
            call = ["check-server", "--url", fake.url, *SMALL, *settings, *source]
            assert main(call) in statuses
        assert ("verdict: LOSSY" in capsys.readouterr().out) == bool(temperature)


def test_an_interrupted_run_continues_and_other_questions_are_refused(target, tmp_path):
    path, lives = tmp_path / "answers.jsonl", 3

    def stopping(request):
        completions = [r for r in fake.requests if r.path == "/v1/completions"]
        if request in completions[lives:]:
            return Response({"error": "down"}, 500)
        return as_vllm(target, request)

    with serving(stopping) as fake:
        call = ["check-server", "--url", fake.url, *SMALL, "--answers", str(path)]
        assert main(call) == 2
        assert main([*call, "--tokens", "25"]) == 2  # other questions
        lives = 99  # `stopping` reads it
        assert main(call) in (0, 3)
        seeds = [r.body["seed"] for r in fake.requests if r.path == "/v1/completions"]
    assert (seeds[:4], seeds[-3:]) == ([0, 1, 2, 3], [3, 4, 5])


def llama_with(edit):
    """llama.cpp's server with edited answers."""

    def answer(target, request):
        response = as_llama(target, request)
        if request.path == "/completion":
            edit(response.body)
        return response

    return answer


ROWS = "completion_probabilities"


def placeholders(body):
    """llama.cpp #27972: with speculation, all tokens but the first have probability 1."""
    for row in body[ROWS][1:]:
        row |= {"logprob": 0.0, "top_logprobs": []}


REFUSED = {
    "another model": (as_vllm, ["--model", "b"], "course-target"),
    "another vocabulary": (llama_with(lambda b: b.update(tokens=[9999] * 24)), [], "9999"),
    "a text that is cut": (llama_with(lambda b: b["tokens"].pop()), [], "23 tokens"),
    "rows of one token": (llama_with(placeholders), OWN_ROWS, "probability"),
    "nobody": (as_vllm, ["--url", "http://127.0.0.1:9"], "http://127.0.0.1:9"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_checked_is_one_sentence(capsys, target, case):
    kind, arguments, why = REFUSED[case]
    with serving(partial(kind, target)) as fake:
        assert main(["check-server", "--url", fake.url, *SMALL, *arguments]) == 2
    *_, message = capsys.readouterr().err.splitlines()
    assert why in message
    assert message.isprintable()
