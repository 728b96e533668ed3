"""Load tests: results of vLLM's benchmark by its own keys, and a small one against a server."""

import json
import threading

import pytest

from course_utils.engines.client import Engine
from course_utils.engines.configurations import MODEL
from course_utils.engines.counters import ACCEPTED, DRAFTED, DRAFTS
from course_utils.engines.load_tests import LoadTest, load_tests, read_load_test
from tests.engines.doors import Said, door, vllm

RESULT = {  # as vllm/benchmarks/serve.py writes it, without its lists and percentiles
    "date": "20261126-180000", "backend": "vllm", "model_id": "m", "num_prompts": 80,
    "request_rate": "inf", "max_concurrency": 8, "duration": 10.0, "completed": 80, "failed": 0,
    "total_input_tokens": 8000, "total_output_tokens": 20480, "request_throughput": 8.0,
    "output_throughput": 2048.0, "total_token_throughput": 2848.0, "mean_ttft_ms": 30.0,
    "mean_tpot_ms": 3.6, "median_tpot_ms": 3.5, "mean_itl_ms": 9.0,
}  # fmt: skip
DRAFTING = {
    "spec_decode_acceptance_rate": 50.0, "spec_decode_acceptance_length": 2.5,
    "spec_decode_num_drafts": 8000, "spec_decode_draft_tokens": 23900,  # some ends of texts
    "spec_decode_accepted_tokens": 12000,
    "spec_decode_per_position_acceptance_rates": [0.7, 0.5, 0.3],
}  # fmt: skip


@pytest.fixture
def written(tmp_path):
    def write(more=None, **changed):
        path = tmp_path / "result.json"
        path.write_text(json.dumps(RESULT | (more or {}) | changed))
        return path

    return write


def test_a_result_is_read_by_vllms_keys(written):
    plain = read_load_test(written())
    assert plain == LoadTest("result.json", 8, 0, 1.0, 3.6e-3, 2048.0)
    drafting = read_load_test(written(DRAFTING))
    assert drafting == LoadTest("result.json", 8, 3, 2.5, 3.6e-3, 2048.0)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"max_concurrency": None}, "test with --max-concurrency"),
        ({"failed": 3}, "3 requests failed"),
        ({"mean_tpot_ms": None}, "mean_tpot_ms is None, not a number"),
        ({"mean_tpot_ms": 0.0}, "time per token is 0.0; it must be above 0"),
        (DRAFTING | {"spec_decode_draft_tokens": 20000}, "2.50 tokens per draft on average"),
        (DRAFTING | {"spec_decode_accepted_tokens": 30000}, "4.75 tokens per round at K = 3"),
    ],
)
def test_what_says_nothing_of_one_load_and_one_k_is_refused(written, more, said):
    with pytest.raises(ValueError, match=said):
        read_load_test(written(more))


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 10**5])
def test_what_is_no_result_is_refused(tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"other\.json"):
        read_load_test(path)


class Drafting:
    """vLLM at K = 4, which accepts 3 of them in each round; texts of `written` tokens."""

    def __init__(self, written=None):
        self.rounds, self.written, self.lock = 0, written, threading.Lock()

    def __call__(self, asked):
        if asked.path == "/metrics":
            counts = {DRAFTS: 1, DRAFTED: 4, ACCEPTED: 3}
            lines = [f'{n}{{model_name="{MODEL}"}} {self.rounds * k}' for n, k in counts.items()]
            return Said("\n".join([*lines, ""]), kind="text/plain; version=0.0.4")
        if asked.path != "/v1/completions":
            return vllm(asked)
        tokens = asked.body["max_tokens"]
        with self.lock:
            self.rounds += tokens // 4
        usage = {"completion_tokens": self.written or tokens}
        return Said({"choices": [{"text": "so", "token_ids": None}], "usage": usage})


def test_a_server_is_asked_with_so_many_requests_at_a_time():
    with door(Drafting()) as here:
        tests = list(load_tests(Engine(here.url), ["one", "two", "three"], (1, 4), 8, 0.0))
    assert [(t.clients, t.k, t.tokens) for t in tests] == [(1, 4, 4.0), (4, 4, 4.0)]
    asked = [a.body for a in here.asked if a.path == "/v1/completions"]
    assert len(asked) == (1 + 6) + (4 + 8)  # as many requests at first, not counted
    assert {body["prompt"] for body in asked} == {"one", "two", "three"}
    assert all(body["ignore_eos"] and body["max_tokens"] == 8 for body in asked)
    assert here.together <= 4
    for test in tests:  # a request is in no more than all the time there is
        assert test.speed * test.seconds <= test.clients * 1.001


def test_a_server_without_counters_decodes_plainly_and_a_short_answer_is_refused():
    with door(lambda asked: vllm(asked) if asked.path != "/v1/completions" else plain()) as here:
        (test,) = load_tests(Engine(here.url), ["one"], (1,), 8, 0.0)
    assert (test.k, test.tokens) == (0, 1.0)
    with (
        door(Drafting(written=5)) as here,
        pytest.raises(ValueError, match="wrote 5 tokens where 8 were asked"),
    ):
        list(load_tests(Engine(here.url), ["one"], (1,), 8, 0.0))


def plain():
    return Said({"choices": [{"text": "so"}], "usage": {"completion_tokens": 8}})
