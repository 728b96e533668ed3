"""The plan as a page: tables of others and models of others in, K by load out."""

import json

import pytest
from PIL import Image

from course_utils.commands.plan import main
from course_utils.engines.published import EAGLE_3
from tests.engines.doors import door, vllm
from tests.engines.test_load_tests import Drafting, plain

LLAMA = {
    "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
    "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
    "vocab_size": 128256, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip
SMALL = {"hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16, "head_dim": 64}


@pytest.fixture
def models(tmp_path):
    for name, config in (("8B", LLAMA), ("1B", LLAMA | SMALL | {"tie_word_embeddings": True})):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(json.dumps(config))
    return tmp_path


@pytest.fixture
def results(tmp_path):
    """vLLM #20780's EAGLE-3 as `vllm bench serve` would have written it; at 32 it loses."""
    files = []
    for clients, worse in ((1, 1.0), (32, 1.9)):
        plain = {"max_concurrency": clients, "mean_tpot_ms": EAGLE_3.plain}
        runs = [plain] + [
            plain
            | {"mean_tpot_ms": ms * worse, "spec_decode_num_drafts": 1000}
            | {"spec_decode_draft_tokens": 1000 * k}
            | {"spec_decode_accepted_tokens": 1000 * tokens - 1000}
            for k, tokens, ms in zip(EAGLE_3.lengths, EAGLE_3.tokens, EAGLE_3.times, strict=True)
        ]
        for n, run in enumerate(runs):
            files.append(tmp_path / f"{clients}_{n}.json")
            speed = {"output_throughput": 1e3 * clients / run["mean_tpot_ms"]}
            files[-1].write_text(json.dumps(run | speed))
    return [str(file) for file in files]


def test_load_tests_become_a_page_and_a_picture(results, tmp_path, capsys):
    assert main([*results, "--out", str(tmp_path / "plan.md")]) == 0
    page = (tmp_path / "plan.md").read_text("utf-8")
    assert page.startswith(capsys.readouterr().out.strip())
    assert "| 1 | 4 | 3.08 | 4.05 | 247 | 1.75 | 1.95 | 1.18 + 0.14 K | 3.8% |" in page
    assert "| 32 | 0 | 1.00 | 7.07 | 4,526 | 1.00 |" in page
    assert "Drafts pay with 1 request; they lose with 32: switch off between." in page
    assert '`"num_speculative_tokens_per_batch_size": [[1, 1, 4], [2, 32, 0]]`' in page
    assert "(plan.png)" in page
    assert Image.open(tmp_path / "plan.png").size[0] > 600
    with pytest.raises(FileExistsError):
        main([*results, "--out", str(tmp_path / "plan.md")])


def test_servers_are_tested_one_after_the_other(tmp_path, capsys):
    (tmp_path / "prompts.jsonl").write_text('"one"\n{"prompt": "two"}\n')
    plainly = door(lambda asked: plain() if asked.path == "/v1/completions" else vllm(asked))
    with plainly as without, door(Drafting()) as drafting:
        servers = ["--url", without.url, "--url", drafting.url, "--clients", "2"]
        more = ["--prompts", str(tmp_path / "prompts.jsonl"), "--tokens", "8"]
        assert main([*servers, *more]) == 0
    page = capsys.readouterr().out
    assert "Source: course-target, 8 tokens of 2 prompts, tested here." in page
    assert page.splitlines()[6].startswith(("| 2 | 0 | 1.00 |", "| 2 | 4 | 4.00 |"))
    assert [a.body["prompt"] for a in without.asked if a.path == "/v1/completions"].count("two")


def test_one_server_after_the_other_is_tested_into_a_file(tmp_path, capsys):
    """The same call each time; the plan comes with the second K, the newer test of one K counts."""
    (tmp_path / "prompts.jsonl").write_text('"one"\n"two"\n')
    kept = ["--prompts", str(tmp_path / "prompts.jsonl"), "--kept", str(tmp_path / "tests.jsonl")]
    more = ["--clients", "2", "--tokens", "8"]
    plainly = door(lambda asked: plain() if asked.path == "/v1/completions" else vllm(asked))
    with plainly as here:
        for _ in range(2):
            assert main(["--url", here.url, *kept, *more]) == 0
            said = capsys.readouterr()
            assert said.out == ""
            assert "6 requests of 8 tokens" in said.err
            assert "start the server with another K, and call this again" in said.err
    with door(Drafting()) as here:
        assert main(["--url", here.url, *kept, *more]) == 0
    page = capsys.readouterr().out
    assert page.splitlines()[6].startswith(("| 2 | 0 | 1.00 |", "| 2 | 4 | 4.00 |"))
    assert main([*kept, *more]) == 0  # without a server: the same plan again
    assert capsys.readouterr().out == page
    with pytest.raises(ValueError, match="tokens was 8, now 9"):
        main([*kept, "--tokens", "9"])


def test_the_page_of_kept_tests_is_written_anew_unless_it_was_edited(tmp_path):
    (tmp_path / "prompts.jsonl").write_text('"one"\n')
    kept = ["--prompts", str(tmp_path / "prompts.jsonl"), "--kept", str(tmp_path / "tests.jsonl")]
    more = ["--tokens", "8", "--out", str(tmp_path / "plan.md")]
    plainly = door(lambda asked: plain() if asked.path == "/v1/completions" else vllm(asked))
    with plainly as without, door(Drafting()) as drafting:
        for clients in ("1", "2"):
            for server in (without, drafting):  # each alone says nothing of its load
                assert main(["--url", server.url, *kept, *more, "--clients", clients]) == 0
            page = (tmp_path / "plan.md").read_text("utf-8")
            loads = [line.split()[1] for line in page.splitlines() if line.startswith("| ")]
            assert loads == ["requests", "1", "2"][: int(clients) + 1]
        (tmp_path / "plan.md").write_text(f"{page}mine\n", "utf-8")
        asked = len(drafting.asked)
        with pytest.raises(FileExistsError, match=r"plan\.md exists and is not overwritten"):
            main(["--url", drafting.url, *kept, *more])
        assert len(drafting.asked) == asked  # nothing was measured
    assert (tmp_path / "plan.md").read_text("utf-8") == f"{page}mine\n"


def test_sizes_become_a_plan(models, capsys):
    asked = ["--target", str(models / "8B"), "--draft", str(models / "1B"), "--alpha", "0.4"]
    assert main([*asked, "--context", "16", "--loads", "1,64,512"]) == 0
    page = capsys.readouterr().out
    assert "8B with 1B, 1 x H100 SXM, α = 0.4, 16 tokens of context, 82% of the" in page
    assert "Switch drafts off from " in page
    assert main([*asked, "--at-best"]) == 0
    assert "100% of the bandwidth, 0 µs per layer; not measured" in capsys.readouterr().out
    own = ["--machine", "mine", "--bandwidth", "3.35", "--tflops", "989.5", "--memory", "80"]
    assert main([*asked, "--context", "16", "--loads", "1,64,512", *own]) == 0
    assert capsys.readouterr().out == page.replace("H100 SXM", "mine")


def test_a_mixture_may_lose_with_few_requests_and_gain_with_many(models, capsys):
    """By its bytes: with few rows a further token brings new experts, with many all are there."""
    experts = {"num_experts": 128, "num_experts_per_tok": 4, "moe_intermediate_size": 1024}
    config = LLAMA | SMALL | {"model_type": "qwen3_moe"} | experts
    (models / "8B" / "config.json").write_text(json.dumps(config))
    asked = ["--target", str(models / "8B"), "--alpha", "0.5", "--context", "16", "--at-best"]
    assert main([*asked, "--draft", str(models / "1B"), "--loads", "1,64"]) == 0
    page = capsys.readouterr().out
    assert "| 1 | 0 |" in page
    assert "but lose with 1" in page


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "give result files, or --url, or --target"),
        (["--target", "8B"], "--alpha is missing"),
        (["--url", "http://127.0.0.1:1"], "--prompts is missing"),
        (["--url", "http://127.0.0.1:1", "--prompts", "p.jsonl"], "one server has one K"),
        (["a.json", "--out", "a.txt"], r"FILE\.md or FILE\.png"),
        (["--target", "8B", "--alpha", "0.8", "--loads", "1,x"], "no list of numbers"),
        (["--target", "8B", "--alpha", "1.2"], "alpha is 1.2"),
        (["--target", "8B", "--alpha", "0.8", "--machine", "Z9"], "--bandwidth, --tflops"),
        (["--target", "nowhere", "--alpha", "0.8"], "a model's folder"),
    ],
)
def test_what_cannot_be_planned_is_refused(models, monkeypatch, arguments, said):
    monkeypatch.chdir(models)
    with pytest.raises(ValueError, match=said):
        main(arguments)
