"""From a prompt to a text: `Pair.write` and the command `generate`."""

import sys
from dataclasses import replace

import pytest
import torch
from tokenizers.processors import TemplateProcessing
from transformers import AutoTokenizer

import course_utils
from course_utils import GREEDY, RULES, PromptLookup, emitted_tokens, generate
from course_utils.__main__ import main
from course_utils.decoding.rules import slug
from course_utils.drafters.registry import DRAFTERS, NamedDrafter
from course_utils.models.names import PAIRS
from tests.conftest import random_qwen3
from tests.traces import read_trace

PROMPT = "import os\n\ndef "
MADE = {"temperature": 0, "max_new_tokens": 40}

pytestmark = pytest.mark.usefixtures("quickly")


@pytest.fixture(scope="module")
def tiny(loaded):
    return loaded[0]("tiny", dtype="float32")


@pytest.fixture(scope="module")
def alone(tiny):
    """The greedy text without a draft."""
    run = generate(tiny.target, tiny.encode(PROMPT), sampling=GREEDY, max_new_tokens=40)
    return emitted_tokens(run)


# --- Pair.write ---------------------------------------------------------------------------


def test_a_strangers_three_lines_on_two_models_of_their_own(tmp_path, capsys):
    for name, layers in (("a", 2), ("b", 1)):
        random_qwen3(layers, vocabulary=4096, seed=layers).save_pretrained(tmp_path / name)
        AutoTokenizer.from_pretrained(PAIRS["tiny"][0]).save_pretrained(tmp_path / name)
    pair = course_utils.load_pair(str(tmp_path / "a"), str(tmp_path / "b"))
    for piece in pair.write("class Stack:", temperature=0.7, max_new_tokens=12, seed=3):
        print(piece, end="")
    text = capsys.readouterr().out
    sampling = course_utils.Sampling(0.7)
    run = generate(
        pair.target, pair.encode("class Stack:"), course_utils.Sampled(pair.draft),
        sampling=sampling, max_new_tokens=12, stop_tokens=pair.stop_tokens, seed=3,
    )  # fmt: skip
    assert text == pair.decode(emitted_tokens(run))


@pytest.mark.parametrize("drafter", DRAFTERS)
def test_every_drafter_writes_the_targets_greedy_text(tiny, alone, tmp_path, drafter):
    trace = tmp_path / "run.jsonl"
    run = tiny.write(PROMPT, drafter=drafter, gamma=8, trace=trace, **MADE)
    pieces = list(run)
    assert run.tokens == alone
    assert run.text == "".join(pieces) == tiny.decode(alone)
    assert run.gamma == (DRAFTERS[drafter].nodes or 8 * (drafter != "none"))
    short = [tiny.write("def", drafter=name, **MADE).finish().tokens for name in (drafter, "none")]
    assert short[0] == short[1]
    assert run.rule is DRAFTERS[drafter].rule
    assert main(["audit", str(trace)]) == 0


def test_a_drafter_of_yours_is_a_name_or_the_thing_itself(tiny, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("from course_utils.drafters.sampled import Sampled as Mine")
    texts = [
        tiny.write("x", drafter=drafter, max_new_tokens=20).finish().text
        for drafter in (f"{mine}:Mine", course_utils.Sampled(tiny.draft))
    ]
    assert len({*texts}) == 1


def test_a_text_ends_before_a_stop_string(tiny, alone):
    run = tiny.write(PROMPT, stop=["no such text", "path is"], **MADE).finish()
    assert run.text == tiny.decode(alone).partition("path is")[0] != tiny.decode(alone)
    assert run.metrics.stop_reason == "stop_string"
    assert run.tokens == alone[: len(run.tokens)]


def test_a_text_ends_before_the_stop_token_which_the_tokens_contain(tiny, alone):
    at = next(i for i, token in enumerate(alone) if i > 8 and token not in alone[:i])
    run = replace(tiny, stop_tokens=(alone[at],)).write(PROMPT, stop="no such text", **MADE)
    assert "".join(run) == run.text == tiny.decode(alone[:at])
    assert run.tokens == alone[: at + 1]
    assert run.metrics.stop_reason == "stop_token"


@pytest.mark.slow  # the costs are measured for a second each
def test_a_gamma_that_is_measured_writes_the_same_when_greedy(tiny, alone):
    for gamma in ("auto", "adaptive"):
        run = tiny.write(PROMPT, drafter="lookup", gamma=gamma, **MADE).finish()
        assert run.tokens == alone
        assert run.choosing_seconds > 0
        assert gamma == "adaptive" or (run.predicted_speedup > 1) == (run.gamma > 0)


@pytest.mark.parametrize("drafter", ["none", "tree"])
def test_a_chat_is_that_of_transformers(loaded, chatty, trained_target, drafter):
    pair = loaded[0](chatty, PAIRS["tiny"][1], dtype="float32")
    run = pair.write("Who?", chat=True, system="Be brief.", drafter=drafter, temperature=0,
                     max_new_tokens=24).finish()  # fmt: skip
    how = {"max_new_tokens": 24, "do_sample": False, "repetition_penalty": 1.0}
    how["eos_token_id"] = list(pair.stop_tokens)
    expected = trained_target.generate(torch.tensor([run.prompt]), **how)[0, len(run.prompt) :]
    assert run.tokens == expected.tolist()
    assert run.prompt == pair.encode_chat("Who?", system="Be brief.")
    assert (run.sampling.top_k, run.sampling.top_p) == (20, 0.95)  # as the model advises


@pytest.mark.parametrize(
    ("name", "value"),
    [("drafter", "math:pi"), ("gamma", "many"), ("system", "only in a chat"), ("drafter", "model")],
)
def test_a_wrong_setting_is_refused_before_anything_is_written(tiny, name, value):
    with pytest.raises(ValueError, match=name):
        replace(tiny, draft=None).write("x", **{name: value})


# --- the command --------------------------------------------------------------------------


def test_each_option_reaches_the_text(run_json, tmp_path, alone):
    trace = tmp_path / "run.jsonl"
    options = {
        "seed": 7, "top-k": 5, "top-p": 0.9, "min-p": 0.01, "temperature": 0.8, "gamma": 3,
        "max-new-tokens": 20, "drafter": "lookup", "rule": "block", "trace": trace,
    }  # fmt: skip
    report = run_json("def f", *(x for name, o in options.items() for x in (f"--{name}", o)))
    sampling = {"temperature": 0.8, "top_k": 5, "top_p": 0.9, "min_p": 0.01}
    assert sampling.items() <= report["sampling"].items()
    assert (report["gamma"], report["rule"], report["lossless"]) == (3, "block", True)
    rounds, setting = read_trace(trace)
    assert (setting.seed, setting.drafter, setting.max_new_tokens) == (7, "lookup", 20)
    assert [token for r in rounds for token in r.emitted] == report["tokens"]
    folders = ["--target", PAIRS["tiny"][0], "--draft", PAIRS["tiny"][1]]
    greedy = ("--temperature", 0, "--max-new-tokens", 40, "--dtype", "float32")
    cut = run_json(PROMPT, *folders, *greedy, "--stop", "path is")
    assert cut["tokens"] == alone[: len(cut["tokens"])] != alone


def test_text_streams_in_colours_on_a_terminal(capsys, monkeypatch):
    arguments = ["generate", "人工智能", "--max-new-tokens", "8", "--gamma", "2"]
    for terminal in (True, False):
        for stream in (sys.stdout, sys.stderr):
            monkeypatch.setattr(stream, "isatty", lambda terminal=terminal: terminal)
        for setting in ("", "1"):
            monkeypatch.setenv("NO_COLOR", setting)
            assert main(arguments) == 0
            out, err = capsys.readouterr()
            assert out.startswith("人工智能")
            assert "target calls" in err
            assert {"\033[" in text for text in (out, err)} == {terminal and not setting}


def test_a_lossy_rule_is_called_so_and_a_chat_has_its_template(capsys, chatty):
    lossy = next(rule for rule in RULES if not rule.lossless)
    assert main(["generate", "import os", "--max-new-tokens", "12", "--rule", slug(lossy)]) == 0
    assert "LOSSY" in capsys.readouterr().err
    chat = ["--target", chatty, "--drafter", "none", "--chat", "--no-thinking"]
    assert main(["generate", "Who?", *chat, "--max-new-tokens", "4"]) == 0
    turns = "<|im_start|>user\nWho?<|im_end|>\n<|im_start|>assistant\n"
    assert capsys.readouterr().out.startswith(f"{turns}<think>\n\n</think>\n\n")


def test_a_text_has_one_start_token_also_if_it_was_decoded_with_it(tiny):
    tokenizer = AutoTokenizer.from_pretrained(PAIRS["tiny"][0], bos_token="<|endoftext|>")
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="<|endoftext|> $A", special_tokens=[("<|endoftext|>", 0)]
    )
    pair = replace(tiny, tokenizer=tokenizer)
    tokens = pair.encode("x = 1")
    assert tokens == [0, *tiny.encode("x = 1")] == pair.encode(pair.decode(tokens))


def test_a_trace_is_never_overwritten_and_keeps_the_rounds_it_has(monkeypatch, tmp_path):
    class Interrupted(PromptLookup):
        rounds = 0

        def propose(self, tokens, gamma, noise):
            self.rounds += 1
            if self.rounds > 3:
                raise KeyboardInterrupt
            return super().propose(tokens, gamma, noise)

    monkeypatch.setitem(DRAFTERS, "lookup", NamedDrafter("lookup", Interrupted))
    call = ["generate", "x", "--drafter", "lookup", "--trace", str(tmp_path / "run.jsonl")]
    assert main([*call, "--gamma", "0"]) == 2  # a call that fails leaves none in the way
    assert main(call) == 130
    assert len(read_trace(tmp_path / "run.jsonl")[0]) == 3
    content = (tmp_path / "run.jsonl").read_bytes()
    for name in ("run.jsonl", "no/run.jsonl"):
        assert main([*call[:-1], str(tmp_path / name)]) == 2
    assert (tmp_path / "run.jsonl").read_bytes() == content
