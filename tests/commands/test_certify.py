"""The command: a verdict and its exit status, on one page; and what is one's own, by its name."""

import pytest

from course_utils.__main__ import main
from course_utils.commands import certify as certify_command
from course_utils.proofs import examination
from course_utils.proofs.table_checks import distance_of

OWN = """
from dataclasses import replace

from course_utils.decoding.contracts import Rule
from course_utils.decoding.rules import token_wise
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.tables import RowPerText

MODEL = RowPerText(40, 1, 300)


def model():
    return MODEL


def eager(p, q, drafted, uniforms):
    return token_wise(p, q, drafted, [0.9 * u for u in uniforms[:-1]] + uniforms[-1:])


def exits(target, draft, prompt, gamma, sampling, max_new_tokens, stop_tokens, uniform):
    raise SystemExit(0)


class Flat(Sampled):
    def propose(self, tokens, gamma, noise):
        draft = super().propose(tokens, gamma, noise)
        return replace(draft, q=0.9 * draft.q + 0.1 / draft.q.shape[1])


class Broken(Sampled):
    def propose(self, tokens, gamma, noise):
        raise LookupError("no guess")


EAGER = Rule("eager", eager, lossless=False, source="mine")
"""


@pytest.fixture
def own(tmp_path):
    """A file's objects are loaded by its path, whatever its name."""
    (tmp_path / "json.1.py").write_text(OWN, "utf-8")
    return f"{tmp_path / 'json.1.py'}:"


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
def test_no_defect_is_0_and_the_page_lists_settings_and_power(capsys, short, monkeypatch):
    monkeypatch.setattr(certify_command, "PROMPTS_PER_KIND", 4)  # fewer texts have no power
    assert main(["certify", "--dtype", "float32", "--top-k", "33"]) == 0
    page = capsys.readouterr().out
    assert "no defect found" in page
    assert "TV 0." in page
    assert "top-k 2, 20, 33" in page


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (["--drafter", "suffix"], 0, "no defect found"),
        (["--draft", "model"], 0, "no defect found"),
        (["--draft", "model", "--drafter", "Flat"], 1, "LOSSY: exact distribution, top-k"),
        (["--draft", "model", "--rule", "EAGER"], 1, "LOSSY: exact distribution, top-k"),
        (["--draft", "model", "--bug", "no uniform"], 1, "LOSSY"),
        (["--draft", "model", "--drafter", "Broken"], 3, "no guess (json.1.py, line "),
        (["--draft", "model", "--decoder", "exits"], 3, "SystemExit"),
        (["--draft", "eager"], 2, "eager"),
        (["--drafter", "ngram"], 2, "tokenizer"),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) else "",
)
def test_a_plugin_is_examined_by_its_name(capsys, short, own, options, status, words):
    named = [own + x if x in OWN and x[0] != "-" else x for x in options]
    assert main(["certify", "--target", f"{own}MODEL", *named]) == status
    assert words in "".join(capsys.readouterr())
