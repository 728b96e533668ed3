"""The certificate: no defect in what is lossless, lossy where it is not, inconclusive if it
cannot say.  What means to deceive it is in test_liars.py."""

import json
import shutil

import pytest

from course_utils.__main__ import main
from course_utils.commands import certify as certify_command
from course_utils.commands.certify import as_text
from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import BLOCK
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.models.loading.prompts import held_out_prompts
from course_utils.pairs import PAIRS, load_pair
from course_utils.proofs import certificate as whole
from course_utils.proofs.bugs import BUGS, SHAPE, TREE_BUGS, bug
from course_utils.proofs.certificate import (
    INCONCLUSIVE,
    LOSSY,
    NO_DEFECT,
    OVER,
    certificate_of,
    run_checks,
)
from course_utils.proofs.decoders import CORRECT, Decoder
from course_utils.proofs.examination import examine, on_the_pair
from course_utils.proofs.table_checks import (
    Check,
    distance_of,
    excluded_tokens_stay_out,
)
from tests.liars import Asked


@pytest.fixture(scope="module")
def prompts(pair):
    return [pair.encode(prompt) for prompt in held_out_prompts("code")[:1]]


def certify(*given, **settings):
    return certificate_of(list(run_checks(*given, **settings)), 0.0)


@pytest.fixture
def few_tables(monkeypatch):
    """Two that take no time: test_bug_zoo.py asks all of every rule and of every bug, and
    test_project.py of drafters that stop early and that copy."""
    quick = [distance_of("exact distribution, filters together"), excluded_tokens_stay_out]
    monkeypatch.setattr(whole, "ON_TABLES", quick)


@pytest.fixture
def short(few_tables, monkeypatch):
    """A certificate of two texts on the pair, of few tables and of no made-up models."""
    monkeypatch.setattr(whole, "made_up", lambda *_: [])
    monkeypatch.setattr(whole, "on_the_pair", lambda *given: on_the_pair(*given)[:3:2])


HONEST = {
    "block": Decoder(BLOCK),
    "lookup": Decoder(BLOCK, lambda model: PromptLookup()),
    "none": Decoder(drafter=lambda model: None),
}


@pytest.mark.slow
def test_no_defect_is_found_in_the_decoder(fast, prompts, few_tables):
    certificate = certify(fast.target, fast.draft, CORRECT, prompts, stop_tokens=(0,))
    assert [c for c in certificate.checks if not c.passed] == []
    assert (certificate.verdict, certificate.not_run) == (NO_DEFECT, ())
    assert "verdict: no defect found; 99 times in 100 it would have seen TV 0." in as_text(
        certificate
    )
    powers = [c.sees for c in certificate.checks if "chi-square" in c.name]
    assert len(powers) >= 3
    assert all(sees.startswith("TV 0.") for sees in powers if sees)


@pytest.mark.parametrize("name", HONEST)
def test_no_defect_is_found_in_what_is_lossless(fast, prompts, short, name):
    certificate = certify(fast.target, fast.draft, HONEST[name], prompts, stop_tokens=(0,))
    assert [c for c in certificate.checks if not c.passed] == []
    assert (certificate.verdict, certificate.not_run) == (NO_DEFECT, ())


def near_ties(rows, session):
    """Every second token is as likely as the one before it, but for a hair, which falls
    one way in passes over an odd number of tokens and the other way in even ones."""
    rows = rows.copy()
    rows[:, 1::2] = rows[:, ::2] + (2e-6 if len(rows) % 2 else -2e-6)
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_ties_and_rounding_are_no_defect(prompts, short, dtype):
    pair = load_pair("tiny", dtype=dtype)
    target = Asked(pair.target, near_ties) if dtype == "float32" else pair.target
    found = list(run_checks(target, pair.draft, CORRECT, prompts, stop_tokens=(0,)))
    assert [f for f in found if isinstance(f, str) or not f.passed] == []
    if dtype == "float32":
        assert "numerical tie" in found[-1].detail


@pytest.mark.parametrize(
    ("name", "found_by"),
    [
        ("target cache kept", "pair: row alone, row in a round (logits)"),
        ("p and q swapped", "pair: rounds decided otherwise"),
        ("argmax draft, soft q", "pair: rounds with guesses not from q"),
        ("argmax correction", "pair: rounds decided otherwise"),
        ("unlikely drafts dropped", "pair: drafts that saw their guess"),
    ],
)
def test_a_bug_comes_out_lossy_and_is_seen_on_the_pair(fast, prompts, short, name, found_by):
    certificate = certify(fast.target, fast.draft, bug(name).decoder, prompts)
    assert certificate.verdict == LOSSY
    assert found_by in [c.name for c in certificate.checks if not c.passed]


def test_a_drafter_that_runs_on_the_pair_alone_is_inconclusive(fast, prompts, short):
    class TrainedPairOnly(Sampled):
        def propose(self, tokens, gamma, noise):
            if self.model is not fast.draft:
                raise TypeError("made for the trained pair")
            return super().propose(tokens, gamma, noise)

    certificate = certify(fast.target, fast.draft, Decoder(drafter=TrainedPairOnly), prompts)
    assert certificate.verdict == INCONCLUSIVE
    assert all(check.passed for check in certificate.checks)
    assert "made for the trained pair" in certificate.not_run[0]
    assert "INCONCLUSIVE: not run: exact distribution, filters" in as_text(certificate)


@pytest.mark.parametrize(
    ("changed", "message"),
    [({"prompts": []}, "at least one prompt"), ({"gamma": 0}, "gamma is 0"), ({"seed": -1}, "-1")],
)
def test_what_cannot_be_examined_is_refused(fast, prompts, changed, message):
    with pytest.raises(ValueError, match=message):
        certify(fast.target, fast.draft, CORRECT, **({"prompts": prompts} | changed))


def test_the_command_prints_json_with_its_keys(capsys, monkeypatch, short):
    monkeypatch.setattr("course_utils.commands.certify.PROMPTS_OF_A_KIND", 1)
    arguments = ["certify", "--dtype", "float32", "--json"]
    assert main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == NO_DEFECT
    assert {"verdict", "checks", "not_run", "seconds", "seen", "examined"} == set(report)
    fields = {"name", "passed", "figure", "threshold", "sees", "decisive", "detail"}
    fields |= {"settings", "longest", "places"}
    assert all(set(check) == fields for check in report["checks"])


def test_the_command_takes_ones_own_drafter_and_finds_it_out(capsys, monkeypatch, short, tmp_path):
    monkeypatch.setattr("course_utils.commands.certify.PROMPTS_OF_A_KIND", 1)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "liar.py").write_text(
        "from dataclasses import replace\n"
        "from course_utils.drafters.sampled import Sampled\n"
        "class Liar(Sampled):\n"
        "    def propose(self, tokens, gamma, noise):\n"
        "        draft = super().propose(tokens, gamma, noise)\n"
        "        return replace(draft, q=0.9 * draft.q + 0.1 / draft.q.shape[1])\n"
    )
    assert main(["certify", "--drafter", "liar:Liar", "--dtype", "float32"]) == 1
    assert "verdict: LOSSY" in capsys.readouterr().out


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
        ("base.py", "raise GeneratorExit", "GeneratorExit"),
    ],
)
def test_a_decoder_that_ends_the_process_has_not_passed(capsys, tmp_path, name, does, words):
    """Its file is read by its path, whatever it is called."""
    (tmp_path / name).write_text(ENDS.format(does), "utf-8")
    assert main(["certify", "--dtype", "float32", "--decoder", f"{tmp_path / name}:speculate"]) == 3
    said = capsys.readouterr().out
    assert "verdict: INCONCLUSIVE" in said
    assert words in said


def _endless():
    yield "the first"
    while True:
        pass


def test_a_decoder_that_loops_is_ended_when_the_seconds_are_over():
    assert list(certify_command.apart(_endless, seconds=0.5))[-1] == OVER.format(0.5)


def test_what_is_unclear_has_a_reason(fast, prompts):
    """A drafter whose uniforms are its own: its rounds say nothing, and the line says why."""

    class Own(Sampled):
        def propose(self, tokens, gamma, noise):
            return super().propose(tokens, gamma, Noise(len(tokens)).round(7))

    tasks = on_the_pair(prompts, fast.target.context, (0,), 0)[:1]
    found, _ = examine(Decoder(drafter=Own), fast.target, fast.draft, tasks, 4, "pair")
    unclear = [f for f in found if not f.passed and not f.decisive]
    assert unclear
    assert all(check.detail for check in unclear)
    assert "UNCLEAR  its uniform draws another guess" in as_text(certificate_of(found, 0.0))


@pytest.mark.parametrize(
    ("name", "among", "gamma"),
    [("siblings judged by p", TREE_BUGS, len(SHAPE)), ("no uniform", BUGS, 4)],
)
def test_specimens_of_chains_and_of_trees_are_certified_by_name(monkeypatch, name, among, gamma):
    asked = []

    def certified(target, draft, decoder, prompts, gamma, *settings):
        asked.append((decoder, gamma, hasattr(target.start([]), "keep")))
        yield Check("asked only", False, 1, 0)

    monkeypatch.setattr(certify_command, "run_checks", certified)
    assert main(["certify", "--dtype", "float32", "--bug", name]) == 1
    assert asked == [(bug(name, among).decoder, gamma, True)]


def test_models_of_different_vocabularies_are_inconclusive(capsys, tmp_path):
    draft = shutil.copytree(PAIRS["tiny"][1], tmp_path / "draft")
    path = draft / "tokenizer.json"
    path.write_text(path.read_text("utf-8").replace("<|endoftext|>", "<|end|>"), "utf-8")
    assert main(["certify", "--draft", str(draft), "--json"]) == 3
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "inconclusive"
    assert report["not_run"][0].startswith("token 0 is '<|endoftext|>' in ")
