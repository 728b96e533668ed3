"""The command line, in process; one test runs it as a user does."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
import torch

from course_utils import pairs
from course_utils.__main__ import main
from course_utils.commands import choices, gallery
from course_utils.commands import generate as generate_command
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.rules import RULES, slug
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.named import DRAFTERS, NamedDrafter
from course_utils.measuring.costs import Prediction
from course_utils.models.qwen3.onnx import OnnxQwen3
from course_utils.models.qwen3.readable import Qwen3
from course_utils.pairs import PAIRS, load_pair
from course_utils.training import corpus
from course_utils.training.counted import counted_library
from tests.traces import read_trace

KEYS = {
    "text", "prompt_tokens", "tokens", "seconds", "tokens_per_second", "rounds",
    "target_forwards", "drafted", "accepted", "examined", "accepted_per_drafted",
    "accepted_per_examined", "tokens_per_round", "accepted_per_emitted", "overlap", "gamma", "rule",
    "sampling", "lossless", "dtype", "threads", "stop_reason", "choosing_seconds",
    "predicted_speedup",
}  # fmt: skip
PROMPT = "import os\n\ndef "

pytestmark = pytest.mark.usefixtures("quickly")


def greedy(run_json, *arguments):
    common = ("--temperature", 0, "--dtype", "float32", "--max-new-tokens", 40)
    return run_json(PROMPT, *common, *arguments)


def test_the_command_prints_one_json_object_and_nothing_else(trained_target, pair):
    done = subprocess.run(
        [sys.executable, "-m", "course_utils", "generate", PROMPT, "--temperature", "0",
         "--dtype", "float32", "--max-new-tokens", "40", "--threads", "1", "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    report = json.loads(done.stdout)
    assert set(report) == KEYS
    prompt = pair.encode(PROMPT)
    expected = trained_target.generate(torch.tensor([prompt]), max_new_tokens=40, do_sample=False)
    assert report["tokens"] == expected[0, len(prompt) :].tolist()
    assert report["text"] == pair.decode(report["tokens"])
    assert report["prompt_tokens"] == len(prompt)
    assert (report["dtype"], report["threads"]) == ("float32", 1)
    assert done.stderr == ""


@pytest.mark.parametrize("drafter", ["none", "model", "tree", "lookup", "early-exit", "eagle"])
def test_a_penalised_text_is_that_of_transformers(run_json, trained_target, pair, drafter):
    report = greedy(run_json, "--drafter", drafter, "--gamma", 4, "--repetition-penalty", 1.3)
    prompt = torch.tensor([pair.encode(PROMPT)])
    how = {"max_new_tokens": 40, "do_sample": False, "repetition_penalty": 1.3}
    expected = trained_target.generate(prompt, **how)[0, prompt.shape[1] :].tolist()
    assert report["tokens"] == expected
    assert report["sampling"]["repetition_penalty"] == 1.3


@pytest.mark.parametrize("stop", ["path is", "\n\n", "ing=N"])
def test_a_text_ends_before_a_stop_string(run_json, alone, pair, stop):
    text, report = pair.decode(alone), greedy(run_json, "--stop", "no such text", "--stop", stop)
    assert report["text"] == text.partition(stop)[0] != text
    assert report["stop_reason"] == "stop_string"
    assert report["tokens"] == alone[: len(report["tokens"])]
    assert stop not in pair.decode(report["tokens"][:-1])


@pytest.fixture(scope="module")
def alone(loaded):
    """The greedy text without a draft."""
    pair = loaded[0]("tiny", dtype="float32")
    how = {"sampling": GREEDY, "max_new_tokens": 40}
    return emitted_tokens(generate(pair.target, pair.encode(PROMPT), **how))


@pytest.mark.parametrize("drafter", DRAFTERS)
def test_every_drafter_says_the_same_when_greedy(run_json, alone, tmp_path, drafter):
    trace = tmp_path / "run.jsonl"
    report = greedy(run_json, "--drafter", drafter, "--gamma", 8, "--trace", trace)
    assert report["tokens"] == alone
    assert report["rounds"] == report["target_forwards"] <= len(report["tokens"])
    if drafter == "none":
        assert report["drafted"] == 0
        assert report["accepted_per_drafted"] is None
    else:
        assert report["accepted"] <= report["drafted"]
        assert report["accepted_per_drafted"] == report["accepted"] / report["drafted"]
    assert main(["audit", str(trace)]) == 0


def test_the_seed_decides_the_sampled_text(run_json):
    texts = [
        run_json("x", "--seed", seed, "--gamma", 3, "--max-new-tokens", 20)["text"]
        for seed in (1, 1, 2)
    ]
    assert texts[0] == texts[1] != texts[2]


def test_gamma_is_chosen_by_measured_costs_unless_it_is_given(
    capsys, run_json, monkeypatch, tmp_path
):
    for drafter in ("model", "lookup"):
        report = run_json("import os\n", "--drafter", drafter, "--max-new-tokens", 8)
        assert 0 <= report["gamma"] <= 8
        assert report["choosing_seconds"] > 0 < report["predicted_speedup"]
    for speedup, said in ((0.9, r"gamma 0, .* s: no draft pays here"), (1.5, "gamma 3, .* 1.50x")):
        found = [Prediction(3, 1.0, speedup, speedup)]
        monkeypatch.setattr(generate_command, "predictions_for", lambda *_, **__: found)  # noqa: B023
        trace = tmp_path / f"{speedup}.jsonl"
        assert main(["generate", "x", "--max-new-tokens", "9", "--trace", str(trace)]) == 0
        assert re.search(said, capsys.readouterr().err)
        assert main(["audit", str(trace)]) == 0
        capsys.readouterr()
    for given in (["--gamma", "5"], ["--drafter", "none"]):
        report = run_json("x", "--max-new-tokens", 4, *given)
        assert (report["choosing_seconds"], report["predicted_speedup"]) == (None, None)


@pytest.mark.parametrize("drafter", ["model", "early-exit", "auto"])
def test_a_gamma_that_adapts_says_the_same_when_greedy(capsys, run_json, alone, drafter):
    report = greedy(run_json, "--drafter", drafter, "--gamma", "adaptive")
    assert report["tokens"] == alone
    assert report["choosing_seconds"] > 0
    assert report["predicted_speedup"] is None
    assert report["drafted"] < report["rounds"] * report["gamma"]
    assert main(["generate", "x", "--max-new-tokens", "4", "--gamma", "adaptive"]) == 0
    assert f"gamma adapts, at most {report['gamma']}" in capsys.readouterr().err


def test_a_drafter_of_yours_is_run_as_the_courses(run_json, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("from course_utils.drafters.sampled import Sampled as Mine")
    of = [
        run_json("x", "--drafter", name, "--gamma", 3)["tokens"]
        for name in (f"{mine}:Mine", "model")
    ]
    assert of[0] == of[1]


def test_a_drafter_without_what_it_needs_is_refused(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(choices, "counted_library", counted_library)
    monkeypatch.setattr(corpus, "standard_library", lambda: tmp_path)
    assert main(["generate", "x", "--drafter", "ngram"]) == 2
    assert "no Python sources" in capsys.readouterr().err
    assert main(["generate", "x", "--target", PAIRS["tiny"][0], "--drafter", "quantised"]) == 2
    assert "no draft model is known" in capsys.readouterr().err


KINDS = {"readable": Qwen3, "onnx": OnnxQwen3}


@pytest.mark.parametrize("form", [None, *KINDS])
def test_models_run_on_onnx_runtime_unless_another_form_is_asked_for(run_json, monkeypatch, form):
    loaded = []
    load = load_pair
    monkeypatch.setattr(
        pairs, "load_pair", lambda *a, **k: loaded.append(load(*a, **k)) or loaded[0]
    )
    arguments = ("--form", form) if form else ()
    run_json("x", "--max-new-tokens", 2, "--gamma", 2, "--dtype", "float32", *arguments)
    kind = KINDS[form or "onnx"]
    assert all(isinstance(model, kind) for model in (loaded[0].target, loaded[0].draft))


def test_folders_can_be_given(run_json, alone, tmp_path):
    target = shutil.copytree(PAIRS["tiny"][0], tmp_path / "t")
    draft = shutil.copytree(PAIRS["tiny"][1], tmp_path / "d")
    for model in (("--draft", draft), ("--drafter", "lookup")):
        assert greedy(run_json, "--target", target, *model)["tokens"] == alone


def test_text_streams_in_colours_on_a_terminal(capsys, monkeypatch):
    arguments = ["generate", "人工智能", "--max-new-tokens", "8", "--gamma", "2"]
    for terminal in (True, False):
        for stream in (sys.stdout, sys.stderr):
            monkeypatch.setattr(stream, "isatty", lambda terminal=terminal: terminal)
        for setting in ("", "1"):
            monkeypatch.setenv("NO_COLOR", setting)
            assert main(arguments) == 0
            captured = capsys.readouterr()
            assert captured.out.startswith("人工智能")
            assert "target calls" in captured.err
            for text in captured:
                assert ("\033[" in text) == (terminal and not setting)


def test_a_trace_has_a_line_a_round_and_is_never_overwritten(capsys, run_json, tmp_path):
    path = tmp_path / "run.jsonl"
    report = run_json("def f", "--max-new-tokens", 20, "--trace", path)
    settings, *rounds = [json.loads(line) for line in path.read_text().splitlines()]
    assert (len(rounds), settings["seed"]) == (report["rounds"], 0)
    assert [token for r in rounds for token in r["emitted"]] == report["tokens"]
    assert [r.emitted for r in read_trace(path)[0]] == [tuple(r["emitted"]) for r in rounds]
    content = path.read_bytes()
    assert main(["generate", "def f", "--trace", str(path)]) == 2
    assert "not overwritten" in capsys.readouterr().err
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x", "--gamma", "0"], "gamma is 0"),
        (["x", "--target", "nobody/nothing", "--drafter", "none"], "neither a folder"),
        (["x = 1\n" * 800], "shorten the prompt"),
    ],
)
def test_a_call_that_fails_leaves_no_trace_in_the_way_of_the_next(
    capsys, tmp_path, arguments, message
):
    path = tmp_path / "run.jsonl"
    assert main(["generate", *arguments, "--trace", str(path)]) == 2
    assert message in capsys.readouterr().err
    assert not path.exists()


def test_a_trace_that_cannot_be_written_is_refused_before_the_models_are_looked_at(
    capsys, tmp_path
):
    (tmp_path / "run.jsonl").write_text("precious")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    refused = {
        "run.jsonl": "not overwritten", "dangling": "not overwritten", ".": "not overwritten",
        "folder/run.jsonl": "there is no folder", "run.jsonl/run.jsonl": "there is no folder",
    }  # fmt: skip
    for name, message in refused.items():
        trace = str(tmp_path / name)
        options = ("--target", "nobody/nothing", "--drafter", "none", "--trace", trace)
        assert main(["generate", "x", *options]) == 2
        assert message in capsys.readouterr().err
    assert main(["generate", "x", "--trace", ""]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dangling", "run.jsonl"]


def test_an_interrupted_trace_keeps_the_rounds_it_has(capsys, monkeypatch, tmp_path):
    class Interrupted(PromptLookup):
        rounds = 0

        def propose(self, tokens, gamma, noise):
            self.rounds += 1
            if self.rounds > 3:
                raise KeyboardInterrupt
            return super().propose(tokens, gamma, noise)

    monkeypatch.setitem(DRAFTERS, "lookup", NamedDrafter(lambda model: Interrupted()))
    path = tmp_path / "run.jsonl"
    options = ("--drafter", "lookup", "--gamma", "2", "--trace", str(path))
    assert main(["generate", "x", *options]) == 130
    assert len(read_trace(path)[0]) == 3


@pytest.mark.parametrize("drafter", DRAFTERS)
def test_the_auditor_agrees_with_a_sampled_run(run_json, capsys, tmp_path, drafter):
    path = tmp_path / "run.jsonl"
    options = ("--drafter", drafter, "--max-new-tokens", 40, "--trace", path)
    report = run_json("for i in range(3):\n    for", *options, "--top-k", 5, "--top-p", 0.9)
    assert main(["audit", str(path)]) == 0
    decisions = report["drafted"] + report["rounds"]
    expected = f"{report['rounds']} rounds, {decisions} decisions replayed: all agree\n"
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize("rule", RULES, ids=slug)
def test_every_rule_can_be_chosen(run_json, tmp_path, rule):
    path = tmp_path / "run.jsonl"
    report = run_json("def f", "--rule", slug(rule), "--max-new-tokens", 30, "--trace", path)
    assert (report["rule"], report["lossless"]) == (rule.name, rule.lossless)
    assert main(["audit", str(path)]) == 0


def test_a_rule_that_is_lossy_is_labelled(capsys):
    lossy = next(rule for rule in RULES if not rule.lossless)
    for rule in (lossy, RULES[0]):
        assert main(["generate", "x", "--rule", slug(rule), "--max-new-tokens", "4"]) == 0
        assert ("LOSSY" in capsys.readouterr().err) != rule.lossless


def test_the_auditor_reports_each_finding_on_its_line(capsys, run_json, tmp_path):
    path = tmp_path / "run.jsonl"
    run_json("def f", "--max-new-tokens", 20, "--trace", path)
    lines = path.read_text().splitlines()
    changed = json.loads(lines[3])
    changed["verdict"]["token"] += 1
    path.write_text("\n".join([*lines[:3], json.dumps(changed), *lines[4:], ""]))
    assert main(["audit", str(path)]) == 1
    *findings, verdict = capsys.readouterr().out.splitlines()
    assert any("verdict is" in line for line in findings)
    assert all(line.startswith("round 2: ") for line in findings)
    assert verdict.endswith(f"{len(findings)} found wrong")
    assert main(["audit", str(path), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["verdict"], report["rounds"]) == ("faulty", len(lines) - 1)
    assert [f"round {f['round']}: {f['reason']}" for f in report["findings"]] == findings


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "No such file"), (b"", "line 1"), (b"\xff\xfe", "line 1"), (b"hello", "line 1")],
)
def test_what_cannot_be_audited_is_one_clear_line(capsys, tmp_path, content, message):
    path = tmp_path / "run.jsonl"
    if content is not None:
        path.write_bytes(content)
    assert main(["audit", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("error: ")
    assert message in captured.err
    assert (captured.err.count("\n"), captured.out) == (1, "")


def test_a_pipe_is_not_waited_for(capsys, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, "/dev/zero"):
        assert main(["audit", str(path)]) == 2
        assert "is a folder or a device" in capsys.readouterr().err


@pytest.mark.parametrize("drafter", ["model", "none"])
def test_the_summary_has_every_acceptance_metric(capsys, run_json, monkeypatch, drafter):
    monkeypatch.setenv("NO_COLOR", "1")
    options = ("--drafter", drafter, "--max-new-tokens", "30", "--gamma", "4")
    assert main(["generate", "import os", *options]) == 0
    said = capsys.readouterr().err.splitlines()[-1]
    report = run_json("import os", *options)
    if drafter == "none":
        assert said == "nothing was drafted"
        assert report["overlap"] is None
        return
    names = {
        "of drafted": "accepted_per_drafted", "of examined": "accepted_per_examined",
        "of emitted": "accepted_per_emitted", "tokens per round": "tokens_per_round",
    }  # fmt: skip
    for words, name in names.items():
        assert f"{report[name]:.2f} {words}" in said
    assert f"sum min(p, q) {report['overlap']:.2f}" in said


def test_the_trained_pair_takes_one_thread_and_another_the_cores(monkeypatch):
    asked = []
    monkeypatch.setenv("OMP_NUM_THREADS", "6")
    monkeypatch.setattr(torch, "set_num_threads", asked.append)
    for threads, pair in [(None, "tiny"), (None, "qwen3"), (2, "tiny"), (None, None)]:
        choices.set_threads(threads, pair)
    gallery.loaded.__wrapped__("tiny")  # of the talk, whose browser is at work beside it
    assert main(["generate", "import os", "--max-new-tokens", "1", "--gamma", "1"]) == 0
    assert asked == [1, 6, 2, 1, 1]
