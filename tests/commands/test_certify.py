"""The command: a verdict and its exit status, a child process that is ended, one page or JSON."""

import json

import pytest

from course_utils.__main__ import main
from course_utils.commands import certify as certify_command
from course_utils.commands.certify import as_text, in_child_process
from course_utils.proofs import examination
from course_utils.proofs.bugs import BUGS, SHAPE, TREE_BUGS, bug
from course_utils.proofs.certificate import NO_DEFECT, OVER, Check, at_most, certificate_of
from course_utils.proofs.exact_walk import FLOAT32
from course_utils.proofs.table_checks import distance_of


@pytest.fixture
def short(monkeypatch):
    """One table, and a text of the pair."""
    monkeypatch.setattr(certify_command, "PROMPTS_OF_A_KIND", 1)
    monkeypatch.setattr(examination, "ON_TABLES", [distance_of("exact distribution, top-k")])
    for name in ("short_exams", "long_exams", "late_exams"):
        monkeypatch.setattr(examination, name, lambda *given: {})


def test_the_command_prints_json_with_its_keys(capsys, short):
    arguments = ["certify", "--dtype", "float32", "--json", "--top-k", "33"]
    assert main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == NO_DEFECT
    assert {"verdict", "checks", "not_run", "seconds", "seen", "examined"} == set(report)
    fields = {"name", "passed", "figure", "threshold", "sees", "detail"}
    fields |= {"settings", "longest"}
    assert all(set(check) == fields for check in report["checks"])
    assert report["seen"][0].startswith("TV 0.")
    assert "top-k 2, 20, 33" in report["examined"]


def test_the_command_takes_ones_own_drafter_and_finds_it_out(capsys, monkeypatch, short, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flat.py").write_text(
        "from dataclasses import replace\n"
        "from course_utils.drafters.sampled import Sampled\n"
        "class Flat(Sampled):\n"
        "    def propose(self, tokens, gamma, noise):\n"
        "        draft = super().propose(tokens, gamma, noise)\n"
        "        return replace(draft, q=0.9 * draft.q + 0.1 / draft.q.shape[1])\n"
    )
    assert main(["certify", "--drafter", "flat:Flat", "--dtype", "float32"]) == 1
    page = capsys.readouterr().out
    assert "verdict: LOSSY: exact distribution, top-k, top-k 2, γ = 2, prompt [3, 0, 0," in page
    assert "not run" not in page


ENDS = """
import os
from dataclasses import dataclass
@dataclass
class Settings:
    status: int = 0
def speculate(*given):
    {}
"""


@pytest.mark.parametrize(
    ("name", "does", "words"),
    [
        ("my_decoder.1.py", "os._exit(Settings().status)", "the process ended with status 0"),
        ("killed.py", "os.kill(os.getpid(), 9)", "the process ended with status -9"),
        ("json.py", "raise SystemExit(0)", "SystemExit: 0"),
    ],
)
def test_a_decoder_that_ends_the_process_has_not_passed(capsys, short, tmp_path, name, does, words):
    """Its file is read by its path, whatever it is called."""
    (tmp_path / name).write_text(ENDS.format(does), "utf-8")
    assert main(["certify", "--dtype", "float32", "--decoder", f"{tmp_path / name}:speculate"]) == 3
    page = capsys.readouterr().out
    assert "verdict: INCONCLUSIVE" in page
    assert words in page


def _endless():
    yield "the first"
    while True:
        pass


def test_a_decoder_that_loops_is_ended_when_the_seconds_are_over():
    assert list(in_child_process(_endless, seconds=0.5))[-1] == OVER.format(0.5)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--decoder", "speculate"], "MODULE:NAME"),
        (["--decoder", "nowhere.py:speculate"], "no file nowhere.py"),
        (["--bug", "mosquito"], "no bug is called"),
        (["--gamma", "0"], "gamma is 0"),
        (["--seconds", "0"], "seconds is 0"),
    ],
)
def test_a_wrong_call_is_told(capsys, arguments, words):
    assert main(["certify", *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "among", "gamma"),
    [("siblings judged by p", TREE_BUGS, len(SHAPE)), ("no uniform", BUGS, 4)],
)
def test_specimens_of_chains_and_of_trees_are_certified_by_name(
    capsys, monkeypatch, name, among, gamma
):
    def certified(target, draft, decoder, prompts, gamma, *settings):
        same, trees = decoder == bug(name, among).decoder, hasattr(target.start([]), "keep")
        yield Check("asked only", False, 1, 0, detail=f"{same}, {gamma}, {trees}")

    monkeypatch.setattr(certify_command, "every_check", certified)
    assert main(["certify", "--dtype", "float32", "--bug", name]) == 1
    assert f"asked only, True, {gamma}, True" in capsys.readouterr().out


def test_a_page_says_what_would_have_been_seen_and_what_could_not_be_said():
    seen = Check("pair: towards the draft", True, 1, 2, sees="TV 0.050 towards the draft")
    rounded = Check("exact distribution", True, 1e-8, 1e-7, detail=f"within {FLOAT32}")
    page = as_text(certificate_of([seen, rounded], 1.0))
    assert "ok  sees TV 0.050 towards the draft" in page
    words = f"no defect found beyond {FLOAT32}; 99 times in 100 it would have seen TV 0.050"
    assert words in page
    page = as_text(certificate_of(["pair: too slow", "pair: no rows"], 1.0))
    assert "INCONCLUSIVE: not run: pair: too slow and 1 more" in page
    assert "LOSSY: greedy text" in as_text(certificate_of([at_most("greedy text", 1, 0)], 1.0))
