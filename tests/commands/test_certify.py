"""The command: a verdict and its exit status, on one page."""

import sys

import pytest

from course_utils.__main__ import main
from course_utils.commands import certify as certify_command
from course_utils.proofs import examination
from course_utils.proofs.bugs import BUGS, SHAPE, TREE_BUGS, bug
from course_utils.proofs.certificate import Check
from course_utils.proofs.table_checks import distance_of
from course_utils.writing import load_plugin


@pytest.fixture
def short(monkeypatch):
    """One table, and a few short texts of the pair."""
    monkeypatch.setattr(certify_command, "PROMPTS_PER_KIND", 1)
    monkeypatch.setattr(examination, "ON_TABLES", [distance_of("exact distribution, top-k")])
    monkeypatch.setattr(examination, "SAMPLED_TOKENS", 48)
    monkeypatch.setattr(examination, "GREEDY_PROMPTS", 1)
    for name in ("short_exams", "long_exams", "late_exams"):
        monkeypatch.setattr(examination, name, lambda *_: {})


@pytest.mark.slow
def test_no_defect_is_0_and_the_page_lists_settings_and_power(capsys, short):
    assert main(["certify", "--dtype", "float32", "--top-k", "33"]) == 0
    page = capsys.readouterr().out
    assert "verdict: no defect found" in page
    assert "99 times in 100 it would have seen TV 0." in page
    assert "top-k 2, 20, 33" in page


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


EXITS = """
from dataclasses import dataclass
@dataclass
class Settings:
    status: int = 0
def speculate(*_):
    raise SystemExit(Settings().status)
"""


def test_a_decoder_that_ends_the_program_has_not_passed(capsys, short, tmp_path):
    """A decoder's file is loaded by path, whatever its name."""
    name = "json.1.py"
    (tmp_path / name).write_text(EXITS, "utf-8")
    assert main(["certify", "--dtype", "float32", "--decoder", f"{tmp_path / name}:speculate"]) == 3
    page = capsys.readouterr().out
    assert "verdict: INCONCLUSIVE" in page
    assert "SystemExit: 0" in page


@pytest.mark.parametrize(
    ("options", "decoder", "gamma", "shared"),
    [
        (["--bug", "siblings judged by p"], bug("siblings judged by p", TREE_BUGS), len(SHAPE), 0),
        (["--bug", "no uniform", "--gamma", "7"], bug("no uniform", BUGS), 7, 0),
        (["--drafter", "early-exit"], None, 4, 1),
    ],
)
def test_a_specimen_is_examined_by_its_name_and_shared_layers_with_their_target(
    capsys, monkeypatch, options, decoder, gamma, shared
):
    calls = []

    def certified(target, draft, examined, prompts, gamma, *_):
        calls.append((decoder is None or examined == decoder.decoder, gamma, target is draft))
        yield Check("towards the draft", False, 1, 0)

    monkeypatch.setattr(examination, "every_check", certified)
    assert main(["certify", "--dtype", "float32", *options]) == 1
    assert calls == [(True, gamma, shared)]
    assert "verdict: LOSSY: towards the draft" in capsys.readouterr().out


OWN = """
import sys
import numpy as np
from course_utils.decoding.contracts import Rule
from course_utils.decoding.rules import TOKEN_WISE, token_wise
from course_utils.models.toys.tables import RowPerText
sys.path.insert(0, "elsewhere")
def eager(p, q, drafted, uniforms):
    return token_wise(p, q, drafted, [0.9 * u for u in uniforms[:-1]] + uniforms[-1:])
EAGER = Rule("eager", eager, lossless=False, source="mine")
MODEL = RowPerText(40, 1, 300)
def model():
    return MODEL
class Parrot:
    def propose(self, tokens, gamma, noise):
        raise LookupError("no guess")
class Broken(Parrot):
    def __init__(self, model):
        pass
"""


def test_ones_own_rule_and_models_are_examined_by_their_names(capsys, short, tmp_path, monkeypatch):
    (tmp_path / "own.py").write_text(OWN)
    own, path = f"{tmp_path / 'own.py'}:", [*sys.path]
    models = ["--target", f"{own}MODEL", "--draft", f"{own}model"]
    assert main(["certify", *models]) == 0
    assert main(["certify", *models, "--rule", f"{own}EAGER"]) == 1
    assert main(["certify", *models, "--drafter", f"{own}Broken"]) == 3
    assert "LookupError: no guess (own.py, line 16, in propose)" in capsys.readouterr().out
    assert main(["certify", *models, "--drafter", f"{own}Parrot"]) == 2
    assert "called with (draft model)" in capsys.readouterr().err
    for wrong in ["--rule", f"{own}MODEL"], ["--rule", "own"], ["--drafter", "ngram"]:
        assert main(["certify", *models, *wrong]) == 2
    assert "needs the tokenizer of a pair" in capsys.readouterr().err
    assert [folder for folder in sys.path if folder != "elsewhere"] == path


def test_a_text_is_written_with_ones_own_rule(loaded, tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    tiny = loaded[0]("tiny")
    runs = [
        tiny.write("def", rule=rule, max_new_tokens=20, seed=3).finish()
        for rule in (load_plugin("rule", f"{tmp_path}/own.py:EAGER"), f"{tmp_path}/own.py:EAGER")
    ]
    assert [run.rule.name for run in runs] == ["eager", "eager"]
    assert runs[0].tokens == runs[1].tokens
