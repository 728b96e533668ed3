"""The certificate: lossless for what is, lossy for what is not, inconclusive if it cannot say."""

import json

import pytest
from transformers import AutoTokenizer

from course_utils.__main__ import main
from course_utils.commands.certify import as_text
from course_utils.decoding.rules import RULES
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.models.pairs import PAIRS
from course_utils.models.prompts import held_out_prompts
from course_utils.proofs.bugs import bug
from course_utils.proofs.certificate import certify
from course_utils.proofs.decoders import CORRECT, Decoder
from tests.conftest import random_llama


@pytest.fixture(scope="module")
def prompts(pair):
    return [pair.encode(prompt) for prompt in held_out_prompts("code")[:1]]


def failed(certificate):
    return [check.name for check in certificate.checks if not check.passed]


@pytest.mark.parametrize(
    "decoder",
    [
        CORRECT,
        Decoder(RULES[1]),
        Decoder(drafter=lambda model, sampling: PromptLookup()),
        Decoder(drafter=lambda model, sampling: None),
    ],
    ids=["model", "block", "lookup", "none"],
)
def test_what_is_lossless_is_certified(pair, prompts, decoder):
    certificate = certify(pair.target, pair.draft, decoder, prompts)
    assert (certificate.verdict, failed(certificate)) == ("lossless", [])
    assert len(certificate.checks) == 10
    assert certificate.tokens == 192
    assert 0 < certificate.drift_seen <= 1


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES if not rule.lossless], ids=lambda rule: rule.name
)
def test_a_lossy_rule_comes_out_lossy(pair, prompts, rule):
    certificate = certify(pair.target, pair.draft, Decoder(rule), prompts)
    assert certificate.verdict == "lossy"
    assert "exact law" in failed(certificate)
    # its decisions are recorded under its own name and replay
    assert "recorded decisions that do not replay" not in failed(certificate)


@pytest.mark.parametrize(
    ("name", "found_by"),
    [
        ("target cache kept", "cache equals a fresh one (logits)"),
        ("p and q swapped", "greedy texts that differ, but for ties"),
        ("argmax draft, soft q", "recorded decisions that do not replay"),
        ("argmax correction", "recorded decisions that do not replay"),
        ("not strict", "p = 0 stays out"),
        ("residual swapped", "samples at T=1, by p/q (chi-square)"),
    ],
)
def test_a_bug_comes_out_lossy_and_is_seen_on_the_pair(pair, prompts, name, found_by):
    certificate = certify(pair.target, pair.draft, bug(name).decoder, prompts)
    assert certificate.verdict == "lossy"
    assert found_by in failed(certificate)


def test_a_drafter_that_cannot_be_enumerated_is_inconclusive(pair, prompts):
    class TrainedPairOnly(Sampled):
        def propose(self, tokens, gamma, noise):
            if self.model is not pair.draft:
                raise TypeError("made for the trained pair")
            return super().propose(tokens, gamma, noise)

    certificate = certify(pair.target, pair.draft, Decoder(drafter=TrainedPairOnly), prompts)
    assert certificate.verdict == "inconclusive"
    assert not failed(certificate)
    assert "made for the trained pair" in certificate.not_run[0]
    assert "INCONCLUSIVE" in as_text(certificate)


def test_no_prompts_are_refused(pair):
    with pytest.raises(ValueError, match="at least one prompt"):
        certify(pair.target, pair.draft, CORRECT, [])


def test_the_command_prints_json_with_its_keys(capsys, monkeypatch):
    monkeypatch.setattr("course_utils.commands.certify.PROMPTS_OF_A_KIND", 1)
    arguments = ["certify", "--dtype", "float32", "--json"]
    assert main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "lossless"
    assert {"verdict", "checks", "seconds"} <= set(report)
    assert all(set(c) == {"name", "passed", "figure", "threshold"} for c in report["checks"])
    assert main([*arguments, "--rule", "p-at-least-q"]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "lossy"


def test_the_command_takes_ones_own_drafter_and_finds_it_out(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("course_utils.commands.certify.PROMPTS_OF_A_KIND", 1)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "liar.py").write_text(
        "from dataclasses import replace\n"
        "from course_utils.drafters.sampled import Sampled\n"
        "class Liar(Sampled):\n"
        "    def propose(self, tokens, gamma, noise):\n"
        "        draft = super().propose(tokens, gamma, noise)\n"
        "        return replace(draft, q=1 - (1 - draft.q) * 0.8)  # more than it was\n"
    )
    assert main(["certify", "--drafter", "liar:Liar", "--dtype", "float32"]) == 1
    assert "verdict: LOSSY" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--drafter", "oracle"], "MODULE:NAME"),
        (["--drafter", "no_such_module:X"], "no_such_module"),
        (["--drafter", "json:Oracle"], "Oracle"),
        (["--rule", "fair"], "token-wise"),
        (["--bug", "mosquito"], "no bug is called"),
        (["--bug", "fixed set, soft q"], "on tables only"),
        (["--threads", "0"], "at least 1"),
        (["--target", "nowhere"], "no draft model is known"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_a_wrong_choice_is_named(capsys, arguments, message):
    assert main(["certify", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_models_of_different_vocabularies_are_inconclusive(capsys, tmp_path):
    model = random_llama(layers=1, seed=0)
    model.resize_token_embeddings(4000)
    model.save_pretrained(tmp_path / "draft")
    AutoTokenizer.from_pretrained(PAIRS["tiny"][0]).save_pretrained(tmp_path / "draft")
    assert main(["certify", "--draft", str(tmp_path / "draft"), "--json"]) == 3
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "inconclusive"
    assert "4000" in report["not_run"][0]
