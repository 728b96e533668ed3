"""The auditor: it passes every correct run, and names the round of each fault."""

import json
from dataclasses import replace

import numpy as np
import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import RULES, TOKEN_WISE, TREE_RULES, TYPICAL
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.candidates import Candidates, likeliest
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.proofs.audit import audit, slack
from course_utils.proofs.bugs import BUGS
from course_utils.proofs.decoders import exam
from course_utils.writing.trace import RunSettings, pack, record_rounds, unpack
from tests.traces import read_trace

EXAM = exam(vocabulary_size=4)
SETTINGS = RunSettings(3, "token-wise", Sampling(), "model", 3, 2, 40, (), EXAM.target.context)
DRAFTERS = {"sampled": Sampled(EXAM.draft), "lookup": PromptLookup(), "none": None}


def trace(path, drafter=DRAFTERS["sampled"], *, target=EXAM.target, rule=TOKEN_WISE, length=40,
          **how):  # fmt: skip
    """Record a run in the file; return its lines."""
    settings = {"gamma": 3, "rule": rule, "max_new_tokens": length, "rows": True}
    rounds = generate(target, [0, 1], drafter, **settings, **({"seed": 3} | how))
    path.unlink(missing_ok=True)
    claims = {"max_new_tokens": length, "target_context": target.context} | how
    list(record_rounds(path, rounds, replace(SETTINGS, rule=rule.name, **claims)))
    return path.read_bytes().splitlines(keepends=True)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.jsonl"


@pytest.fixture
def lines(path):
    return trace(path)


def findings(path, lines):
    path.write_bytes(b"".join(lines))
    return audit(path).findings


@pytest.mark.parametrize("rule", [*RULES, *TREE_RULES], ids=lambda rule: rule.name)
def test_every_rule_replays(rule, path):
    drafters = {"tree": Candidates(EXAM.draft, likeliest)} if rule.trees else DRAFTERS
    for sampling in (Sampling(), Sampling(0.7, top_k=3), GREEDY):
        for name, drafter in drafters.items():
            trace(path, drafter, rule=rule, sampling=sampling, length=100)
            result = audit(path)
            assert result.findings == []
            assert result.decisions > 25
            assert (result.decisions == result.rounds == 100) == (name == "none")


def test_a_run_replays_however_it_ended(path):
    for stop in range(4):
        for seed in range(12):  # so that the stop token falls on every place of a round
            trace(path, stop_tokens=(stop,), seed=seed)
            assert audit(path).findings == []
    last = trace(path, target=exam(4, target_context=20).target)[-1]
    assert json.loads(last)["stop_reason"] == "context"
    assert audit(path).findings == []


def test_each_round_is_in_the_file_at_once_and_comes_back_as_it_was(path):
    whole = list(generate(EXAM.target, [0, 1], DRAFTERS["sampled"], max_new_tokens=20, rows=True))
    written = record_rounds(path, whole, SETTINGS)
    assert not path.exists()
    for count, r in enumerate(written):
        assert len(path.read_bytes().splitlines()) == count + 2
        assert r == whole[count].compact()
    rounds, same = read_trace(path)
    assert same == SETTINGS
    for r, back in zip(whole, rounds, strict=True):
        np.testing.assert_array_equal(back.p, r.p)
        assert r.q is back.q is None or (back.q == r.q).all()
        rest = {"p": None, "q": None, "uniforms": tuple(r.uniforms)}
        assert replace(back, **rest) == replace(r, **rest)


# --- edits ------------------------------------------------------------------------


def with_line(lines, place, fields):
    return [*lines[:place], json.dumps(fields).encode() + b"\n", *lines[place + 1 :]]


def changed(change):
    return lambda rows: pack(change(unpack(rows)))


EDITS = [
    ("index", lambda value: value + 1), ("context", lambda value: value + 1),
    ("stop_reason", lambda value: "length"), ("stop_reason", lambda value: "stop_token"),
    ("drafted", lambda value: [(value[0] + 1) % 4, *value[1:]]),
    ("emitted", lambda value: [(value[0] + 1) % 4, *value[1:]]),
    ("emitted", lambda value: [*value, 0]), ("emitted", lambda value: []),
    ("uniforms", lambda value: [np.nextafter(value[0], 1), *value[1:]]),
    ("verdict", lambda value: {**value, "accepted": value["accepted"] - 1 or 1}),
    ("verdict", lambda value: {**value, "token": (value["token"] + 1) % 4}),
    ("verdict", lambda value: {**value, "path": list(range(value["accepted"]))}),
    ("parents", lambda value: [-1, 0, 1]),
    *((rows, changed(lambda array: array * (1 + 1e-9))) for rows in "pq"),
    # still distributions, others
    *((rows, changed(lambda array: array * 0 + (np.arange(4) == 0))) for rows in "pq"),
    *((rows, changed(lambda array, bad=bad: np.full_like(array, bad)))
      for rows in "pq" for bad in (0.0, -0.5, np.nan, np.inf, 1e30)),
]  # fmt: skip


@pytest.mark.parametrize("rule", [TOKEN_WISE, TYPICAL], ids=lambda rule: rule.name)
def test_an_edited_field_is_reported_with_its_round(path, rule, recwarn):
    """No rule is called on rows that are not distributions: typical acceptance needs entropy."""
    lines = trace(path, rule=rule)
    rounds = [json.loads(line) for line in lines[1:]]
    accepting = [i for i, r in enumerate(rounds) if len(r["drafted"]) == 3 <= len(r["emitted"])]
    for place in (accepting[0], accepting[len(accepting) // 2]):
        for name, change in EDITS:
            edited = {**rounds[place], name: change(rounds[place][name])}
            assert edited != rounds[place]
            faults = findings(path, with_line(lines, place + 1, edited))
            assert faults, name
            assert faults[0].round == place, name
    assert not list(recwarn)


def test_a_setting_that_is_another_contradicts_what_was_decided(path, lines):
    settings = json.loads(lines[0])
    lies = {
        "seed": [4], "rule": ["greedy match"], "stop_tokens": [[1]], "gamma": [2],
        "prompt_tokens": [3], "max_new_tokens": [12, 1000], "target_context": [30, 42],
        "sampling": [settings["sampling"] | {name: value} for name, value in
                     (("temperature", 0.0), ("top_k", 2), ("min_p", 0.9))],
    }  # fmt: skip
    for name, value in ((name, value) for name, values in lies.items() for value in values):
        assert findings(path, with_line(lines, 0, settings | {name: value})), (name, value)


def test_a_run_that_was_cut_where_somebody_liked_it_is_reported(path, lines):
    for at in range(2, len(lines) - 1):
        for reason in ("length", "context", "stop_token"):
            claimed = json.loads(lines[at]) | {"stop_reason": reason}
            faults = findings(path, [*lines[:at], json.dumps(claimed).encode() + b"\n"])
            assert [fault.round for fault in faults] == [at - 1]


def test_a_round_taken_out_put_in_or_moved_is_reported(path, lines):
    for faulty in (
        [*lines[:4], *lines[5:]], [*lines[:4], lines[3], *lines[4:]],
        [*lines[:4], lines[5], lines[4], *lines[6:]], [*lines, lines[-1]],
    ):  # fmt: skip
        first = next(i for i, line in enumerate(faulty) if lines[i : i + 1] != [line])
        assert findings(path, faulty)[0].round == first - 1


def test_a_field_that_is_missing_or_nonsense_is_a_sentence_about_its_round(path, lines):
    place = 2
    good = json.loads(lines[place])
    nonsense = (True, -1, 10**30, 1.5, float("nan"), "x", "AAAA", [], {}, [None], [[1]], [-1])
    others = {"overlaps", "seconds", "cache_before", "cache_after"}
    for name in good.keys() - others:  # no decision depends on them
        edited = [good | {name: value} for value in nonsense if value != good[name]]
        without = {key: value for key, value in good.items() if key != name}
        for line in edited + [without] * (name not in ("parents", "stop_reason")):
            faults = findings(path, with_line(lines, place, line))
            assert faults, (name, line.get(name))
            assert faults[0].round == place - 1
            assert all(len(finding.reason) < 200 for finding in faults)


def test_a_cut_file_is_reported_wherever_it_was_cut(path):
    lines = trace(path, length=12)
    text, ends = b"".join(lines), np.cumsum([*map(len, lines)])[:-1]
    for at in {*range(ends[0] + 1, len(text), 41), *ends[1:], *(ends[1:] - 1)}:
        cut = text[:at]
        faults = findings(path, [cut])
        assert {finding.round for finding in faults} == {cut.count(b"\n") - cut.endswith(b"\n") - 1}
        assert all("cut" in finding.reason for finding in faults)


def test_what_is_no_trace_is_refused(path, lines):
    negative = lines[0].replace(b'"top_k": 0', b'"top_k": -1')
    other = b"", b"\n", b"hello\n", b"[1]\n", b"{}\n", b"\x00\xff", lines[0][:-9]
    for text in (*other, lines[0], lines[1], negative):
        with pytest.raises(ValueError, match=r"line 1|empty"):
            findings(path, [text])


# A trace cannot show a wrong decision at a uniform of exactly 0, a withheld guess, a row of q
# rounded before it was recorded, or the tokens of a cache.
UNSEEN = {
    "not strict", "unlikely drafts dropped", "draft cache lags", "target cache kept", "stale slot",
    "q rounded",
}  # fmt: skip


@pytest.mark.parametrize("specimen", BUGS, ids=lambda bug: bug.name)
def test_a_trace_of_a_mutant_that_claims_the_lossless_rule_is_reported(specimen, path):
    rule = specimen.decoder.rule if specimen.decoder.rule in TREE_RULES else TOKEN_WISE
    rounds = EXAM.rounds(specimen.decoder, 100)
    claims = {"prompt_tokens": len(EXAM.prompt), "max_new_tokens": 100}
    list(record_rounds(path, rounds, replace(SETTINGS, seed=0, rule=rule.name, **claims)))
    assert bool(audit(path).findings) == (specimen.name not in UNSEEN)


@pytest.mark.parametrize("distance", [0.5, -0.5, 4, -4])
def test_only_rounding_may_put_a_uniform_on_the_other_side_of_an_edge(distance, path):
    uniform = Noise(3).round(0).uniforms("verify", 1)[0]
    edge = uniform + distance * slack(np.ones((1, 2)))
    assert slack(np.ones((1, 2))) == 8 * 2**-52
    token = int(distance > 0)  # on the other side
    run = next(generate(EXAM.target, [0, 1], max_new_tokens=1, seed=3))
    verdict = replace(run.verdict, token=token)
    r = replace(run, p=np.array([[edge, 1 - edge]]), q=None, verdict=verdict, emitted=(token,))
    list(record_rounds(path, [r], replace(SETTINGS, max_new_tokens=1)))
    assert (audit(path).findings == []) == (abs(distance) < 1)
