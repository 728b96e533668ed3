"""The command: a verdict and its exit status, on one page."""

import pytest

from course_utils.__main__ import main
from course_utils.commands import certify as certify_command
from course_utils.proofs import examination
from course_utils.proofs.bugs import BUGS, SHAPE, TREE_BUGS, bug
from course_utils.proofs.certificate import Check
from course_utils.proofs.table_checks import distance_of


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
