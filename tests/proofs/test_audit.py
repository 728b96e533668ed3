"""The auditor: agrees with every correct run, and names the round of each thing wrong."""

import base64
import json
import tracemalloc
import zlib
from dataclasses import replace

import numpy as np
import pytest
import torch

from course_utils.decoding.contracts import Round, Seconds, Verdict
from course_utils.decoding.loop import generate
from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import (
    RECURSIVE_REJECTION,
    RULES,
    TOKEN_WISE,
    TREE_RULES,
    TYPICAL,
)
from course_utils.decoding.sampling import GREEDY, Sampling, sample
from course_utils.drafters.candidates import (
    Candidates,
    likeliest,
    with_replacement,
    without_replacement,
)
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.proofs.audit import Finding, audit, audit_lines, slack
from course_utils.proofs.bugs import BUGS
from course_utils.proofs.decoders import CORRECT, exam
from course_utils.proofs.trace import MOST_BYTES, Setting, packed, recorded_in, shown, trace_line
from course_utils.proofs.trace_reader import MOST_CHARACTERS, Line, lines_of, read_line
from tests.traces import read_trace

EXAM = exam(vocabulary_size=4)
SAMPLINGS = (Sampling(), Sampling(0.7, top_k=3), GREEDY)


def traced(drafter, *, target=EXAM.target, rule=TOKEN_WISE, seed=3, length=40,
           sampling=EXAM.sampling, stop_tokens=()):  # fmt: skip
    """The trace of a run, as text."""
    setting = Setting(seed, rule.name, sampling, "model", 3, 2, length, stop_tokens,
                      target.context)  # fmt: skip
    rounds = generate(
        target, [0, 1], drafter, gamma=3, rule=rule, sampling=sampling, max_new_tokens=length,
        stop_tokens=stop_tokens, seed=seed, rows=True,
    )  # fmt: skip
    return "".join(trace_line(r, setting) for r in rounds)


@pytest.fixture(scope="module")
def good():
    return traced(Sampled(EXAM.draft))


@pytest.mark.parametrize("sampling", SAMPLINGS, ids=str)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("kind", ["sampled", "lookup", "none"])
def test_every_chain_rule_replays(rule, sampling, kind):
    drafter = {"sampled": Sampled(EXAM.draft), "lookup": PromptLookup(), "none": None}
    done = audit(traced(drafter[kind], rule=rule, sampling=sampling, length=150))
    assert done.findings == []
    assert done.decisions > 150 / 4
    assert (done.decisions == done.rounds == 150) == (kind == "none")


@pytest.mark.parametrize("rule", TREE_RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("draw", [with_replacement, without_replacement, likeliest])
def test_candidates_replay(rule, draw):
    text = traced(Candidates(EXAM.draft, draw), rule=rule, length=150)
    assert audit(text).findings == []
    assert '"path": [1]' in text  # a second candidate was taken, and the cache put right


@pytest.mark.parametrize("stop", range(4))
def test_a_run_that_a_stop_token_ended_replays(stop):
    for seed in range(12):  # so that it falls on every place of a round
        text = traced(Sampled(EXAM.draft), stop_tokens=(stop,), seed=seed)
        assert audit(text).findings == []


def test_a_run_that_filled_the_context_replays():
    text = traced(Sampled(EXAM.draft), target=exam(4, target_context=20).target)
    assert line_of(text, -1)["stop_reason"] == "context"
    assert audit(text).findings == []


def test_rows_of_torch_are_replayed_alike_by_numpy():
    """Sums in float32 would differ: near 1 each step is rounded the same way."""
    step = 1229.45 * 2**-24
    p = torch.full((1, 4096), step)
    p[0, 0] = 1 - 4095 * step
    for seed in range(40):
        uniforms = Noise(seed).round(0).uniforms("verify", 1)
        token = sample(p[0], uniforms[0])
        assert token == sample(p[0].numpy(), uniforms[0])
        seconds = Seconds(0.0, 0.0, 0.0)
        r = Round(0, 2, (), p, None, uniforms, Verdict(0, token), (token,), 1, 2, seconds, "length")
        setting = Setting(seed, "token-wise", Sampling(), "none", 3, 2, 1, (), 4096)
        assert audit(trace_line(r, setting)).findings == []


def test_each_line_is_in_the_file_as_soon_as_it_is_passed_on(tmp_path):
    path = tmp_path / "run.jsonl"
    setting = Setting(0, "token-wise", Sampling(), "none", 4, 2, 20, (), EXAM.target.context)
    whole = list(generate(EXAM.target, [0, 1], max_new_tokens=20, rows=True))
    rounds = recorded_in(path, whole, setting)
    assert not path.exists()
    for count, r in enumerate(rounds):
        *before, last = path.read_text().splitlines(keepends=True)
        assert (len(before), last) == (count, trace_line(whole[count], setting))
        assert r == whole[count].compact()


def test_rounds_come_back_as_they_were(tmp_path):
    run = generate(EXAM.target, [0, 1], Sampled(EXAM.draft), max_new_tokens=20, rows=True)
    rounds = list(run)
    setting = Setting(0, "token-wise", Sampling(), "model", 4, 2, 20, (), EXAM.target.context)
    path = tmp_path / "run.jsonl"
    path.write_text("".join(trace_line(r, setting) for r in rounds))
    again, same = read_trace(path)
    assert same == setting
    for r, back in zip(rounds, again, strict=True):
        np.testing.assert_array_equal(back.p, r.p)
        for q, stored in [(r.q, back.q)] if r.drafted else []:
            np.testing.assert_array_equal(stored, q)
        rest = {"p": None, "q": None, "uniforms": tuple(r.uniforms)}
        assert replace(back, **rest) == replace(r, **rest)


# --- edits ------------------------------------------------------------------------


def changed(rows, change):
    """Packed rows after `change` of the array."""
    array = np.frombuffer(zlib.decompress(base64.b64decode(rows["data"])), rows["dtype"])
    array = array.reshape(rows["shape"]).copy()
    change(array)
    return packed(array)


def scaled(array):
    array[0, 0] *= 1 + 1e-9


def turned(array):
    array[0] = np.roll(array[0], 1)  # still a distribution, another one


def up(line, name):
    return line[name] + 1


def first_up(line, name):
    return [(line[name][0] + 1) % 4, *line[name][1:]]


def first_less(line, name):
    return [line[name][0] * 0.999, *line[name][1:]]


EDITS = [
    ("round", up),
    ("context", up),
    ("drafted", first_up),
    ("p", first_less),
    ("q", first_less),
    ("kinds", lambda line, name: ["bonus", *line[name][1:]] if line[name][1:] else ["target"]),
    ("uniforms", lambda line, name: [np.nextafter(line[name][0], 1), *line[name][1:]]),
    ("accepted", lambda line, name: line[name] - 1 if line[name] else 1),
    ("token", lambda line, name: (line[name] + 1) % 4),
    ("path", lambda line, name: list(range(line["accepted"]))),
    ("emitted", first_up),
    ("emitted", lambda line, name: [*line[name], 0]),
    ("emitted", lambda line, name: []),
    ("cache_before", up),
    ("cache_after", up),
    ("stop_reason", lambda line, name: None if line[name] else "length"),
    ("stop_reason", lambda line, name: "context"),
    ("stop_reason", lambda line, name: "stop_token"),
    ("parents", lambda line, name: [-1] * len(line["drafted"])),
    ("seed", up),
    ("rule", lambda line, name: "block"),
    ("rule", lambda line, name: "a rule nobody knows"),
    ("sampling", lambda line, name: {**line[name], "temperature": 0.7}),
    ("drafter", lambda line, name: "lookup"),
    ("gamma", up),
    ("prompt_tokens", up),
    ("max_new_tokens", up),
    ("stop_tokens", lambda line, name: [7]),
    ("target_context", up),
    ("p_rows", lambda line, name: changed(line[name], scaled)),
    ("p_rows", lambda line, name: changed(line[name], turned)),
    ("q_rows", lambda line, name: changed(line[name], scaled)),
    ("q_rows", lambda line, name: changed(line[name], turned)),
    ("q_rows", lambda line, name: None),
]
NOT_DECISIONS = {"seconds", "library"}  # nothing follows from them


def test_every_field_is_edited(good):
    assert (
        {name for name, _ in EDITS} | NOT_DECISIONS
        == set(Line.model_fields)
        == set(line_of(good, 0))
    )


def line_of(text, place):
    return json.loads(text.splitlines()[place])


def with_line(text, place, line):
    lines = text.splitlines()
    lines[place] = json.dumps(line)
    return "\n".join(lines) + "\n"


def drafting_places(text):
    """The first round, one in the middle and the last, of those that drafted several tokens."""
    drafted = [len(json.loads(line)["drafted"]) for line in text.splitlines()]
    places = [place for place, count in enumerate(drafted) if count > 1]
    return places[0], places[len(places) // 2], places[-1]


@pytest.mark.parametrize("which", range(3))
@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit[0])
def test_an_edited_field_is_reported_with_its_round(good, edit, which):
    name, change = edit
    place = drafting_places(good)[which]
    line = line_of(good, place)
    edited = {**line, name: change(line, name)}
    assert edited != line
    findings = audit(with_line(good, place, edited)).findings
    assert findings
    assert findings[0].round == place


def test_the_end_of_the_run_cannot_be_edited(good):
    last = len(good.splitlines()) - 1
    line = line_of(good, last)
    assert line["stop_reason"] == "length"
    for reason in (None, "context", "stop_token", "boredom"):
        edited = with_line(good, last, {**line, "stop_reason": reason})
        assert [finding.round for finding in audit(edited).findings] == [last]


def test_a_run_that_went_on_after_its_end_is_reported():
    lines = [json.loads(line) for line in traced(None).splitlines()]
    said = [line["emitted"][0] for line in lines]
    for line in lines:
        line["stop_tokens"] = [said[0]]
        if line["emitted"] == [said[0]]:
            line["stop_reason"] = "stop_token"
    findings = audit("".join(json.dumps(line) + "\n" for line in lines[:-1])).findings
    ended = [place for place, token in enumerate(said[:-2]) if token == said[0]]
    gone_on = [f.round for f in findings if f.reason == "the run had ended in the round before"]
    assert gone_on == [place + 1 for place in ended]


def test_a_setting_changed_everywhere_contradicts_what_was_decided(good):
    lies = {
        "seed": 4, "rule": "greedy match", "gamma": 1, "prompt_tokens": 3, "max_new_tokens": 39,
        "target_context": 20, "stop_tokens": [1],
        "sampling": {**line_of(good, 0)["sampling"], "temperature": 0},
    }  # fmt: skip
    for name, lie in lies.items():
        lines = [{**json.loads(line), name: lie} for line in good.splitlines()]
        assert audit("".join(json.dumps(line) + "\n" for line in lines)).findings, name


def test_a_round_taken_out_put_in_or_moved_is_reported(good):
    lines = good.splitlines(keepends=True)
    for faulty in (
        [*lines[:4], *lines[5:]], [*lines[:4], lines[3], *lines[4:]],
        [*lines[:4], lines[5], lines[4], *lines[6:]], [*lines, lines[-1]],
    ):  # fmt: skip
        first = next(i for i, line in enumerate(faulty) if lines[i : i + 1] != [line])
        assert audit("".join(faulty)).findings[0].round == first
    assert audit("".join(lines[1:])).findings[0] == Finding(0, "round is 1; the first is 0")


@pytest.mark.parametrize("name", Line.model_fields)
def test_a_field_that_is_missing_or_nonsense_is_reported_never_a_traceback(good, name):
    place = drafting_places(good)[1]
    line = line_of(good, place)
    without = {key: value for key, value in line.items() if key != name}
    assert (
        Finding(place, f"the field {name!r} is missing")
        in audit(with_line(good, place, without)).findings
    )
    nonsense = (None, True, -1, 10**30, 2**64, 1.5, float("nan"), "x", [], {}, [None], [[1]], [-1],
                [10**30], [float("nan")] * 3, {"dtype": "float64", "shape": [2, 4], "data": "AAAA"},
                {"dtype": "int64", "shape": [0], "data": ""}, {"temperature": "hot"})  # fmt: skip
    for value in nonsense:
        if value != line[name]:
            findings = audit(with_line(good, place, {**line, name: value})).findings
            assert place in {finding.round for finding in findings}, value


def bomb():
    """256 MiB of zeros, squeezed and in base64: a third of a megabyte."""
    squeeze = zlib.compressobj(9)
    squeezed = [squeeze.compress(bytes(2**24)) for _ in range(16)]
    return base64.b64encode(b"".join([*squeezed, squeeze.flush()])).decode()


def rows(shape, data="", dtype="float32"):
    return {"dtype": dtype, "shape": shape, "data": data}


HOSTILE = {
    "deep lists": ('"p": ' + "[" * 3000 + "]" * 3000, "deeper than a round has them"),
    "deeper still": ("[" * 70000, "more than 65536 parts"),
    "many parts": ('"p": [' + "0," * 70000 + "0]", "more than 65536 parts"),
    "a huge number": ('"round": ' + "9" * 5000, "a whole number of 5000 digits"),
    "a hot temperature": (
        '"sampling": {"temperature": 1' + "0" * 400 + "}",
        "a whole number of 401 digits",
    ),
    "a large temperature": (
        '"sampling": {"temperature": 1e999, "top_k": 0, "top_p": 1.0, "min_p": 0.0}',
        "'sampling.temperature' is inf: input should be a finite number",
    ),
    "negative top_k": (
        '"sampling": {"temperature": 1.0, "top_k": -1, "top_p": 1.0, "min_p": 0.0}',
        "top_k is -1",
    ),
    "seconds in quotes": (
        '"seconds": {"draft": "1.0", "verify": 0.0, "host": 0.0}',
        "'seconds.draft' is '1.0': input should be a valid number",
    ),
    "a default left out": (
        '"sampling": {"temperature": 1.0, "top_p": 1.0, "min_p": 0.0}',
        "'sampling.top_k' is missing",
    ),
    "a field that is there twice": ('"token": 1, "token": 2', "'token' is there twice"),
    "a long name": ('"rule": "' + "x" * 1000 + '"', "string should have at most 200 characters"),
    "an infinite uniform": ('"uniforms": [Infinity]', "'uniforms.0' is inf: input"),
    "half a character": ('"drafter": "\udcff"', "not text"),
    "an unknown library": (
        '"library": ["torch"]',
        "'library' is ['torch']: input should be 'numpy' or 'torch'",
    ),
    "rows of objects": (
        '"p_rows": ' + json.dumps(rows([1, 1], "AA==", "O")),
        "'p_rows.dtype' is 'O': input",
    ),
    "rows of any number": (
        '"p_rows": ' + json.dumps(rows([-1, 4])),
        "'p_rows.shape.0' is -1: input",
    ),
    "rows in three directions": ('"p_rows": ' + json.dumps(rows([1, 1, 4])), "at most 2 items"),
    "too many rows": ('"p_rows": ' + json.dumps(rows([2**40, 2**40])), "more than 67108864 bytes"),
    "rows that are cut": ('"p_rows": ' + json.dumps(rows([1, 1], "eJxj")), "do not unpack to"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_line_is_one_sentence(good, name):
    """It takes the place of a good field, or stands first if it is no field."""
    text, message = HOSTILE[name]
    place = drafting_places(good)[1]
    lines = good.splitlines(keepends=True)
    field = text.partition(":")[0].strip('"')
    line = {key: value for key, value in json.loads(lines[place]).items() if key != field}
    lines[place] = "{" + text + ", " + json.dumps(line)[1:] + "\n"
    if text.startswith("["):
        lines[place] = text + "\n"
    findings = [f.reason for f in audit("".join(lines)).findings if f.round == place]
    assert len(findings) == 1
    assert message in findings[0]
    assert len(findings[0]) < 200


@pytest.mark.parametrize("shape", [[2, 4], [1, 2**24], [4, 2**24]])
def test_a_line_that_unpacks_to_more_than_it_says_is_not_unpacked(good, shape):
    line = json.dumps({**line_of(good, 0), "p_rows": rows(shape, bomb())})
    assert len(line) < 2**20
    tracemalloc.start()
    with pytest.raises(ValueError, match=r"do not unpack to|more than"):
        read_line(line)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2.5 * MOST_BYTES


def test_a_file_of_anything_is_read_a_line_at_a_time(tmp_path, good):
    """A line without end costs what may be read of it; a million bad ones a thousand findings."""
    path = tmp_path / "run.jsonl"
    with path.open("wb") as file:
        file.write(good.encode())
        file.truncate(2 * MOST_CHARACTERS)  # zeros, which take no disk
        file.seek(0, 2)
        file.write(b"\n" * 10**6)
    tracemalloc.start()
    done = audit_lines(lines_of(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    place = len(good.splitlines())
    assert done.findings[0] == Finding(
        place, "longer than 134217728 characters, which no round needs"
    )
    assert done.findings[-1].reason == "too much is wrong; the rest is not looked at"
    assert len(done.findings) == 1001
    assert peak < 5 * MOST_CHARACTERS


def test_a_rule_is_not_asked_about_rows_that_it_cannot_bear():
    """The entropy of such a row is too large for the exponential in typical acceptance."""
    text = traced(Sampled(EXAM.draft), rule=TYPICAL)
    place = drafting_places(text)[1]
    line = line_of(text, place)
    bad = changed(line["p_rows"], lambda array: array.fill(1e30))
    findings = audit(with_line(text, place, {**line, "p_rows": bad})).findings
    assert {f.round for f in findings} == {place}
    assert "row 0 of p is not a distribution: it sums to 4e+30" in findings[0].reason


def test_rows_that_are_no_distributions_are_reported_without_a_warning(good, recwarn):
    for bad in (0.0, -0.5, np.nan, np.inf):
        place = drafting_places(good)[1]
        line = line_of(good, place)
        for name in ("p_rows", "q_rows"):
            rows = changed(line[name], lambda array, bad=bad: array.fill(bad))
            findings = audit(with_line(good, place, {**line, name: rows})).findings
            assert f"row 0 of {name[0]} is not a distribution" in findings[0].reason
    assert not list(recwarn)


# --- mutants ----------------------------------------------------------------------

# A trace holds what was decided from p, q and the uniforms.  It cannot show that a uniform
# of exactly 0 would be taken wrongly, that a guess was withheld, that a row of q was rounded
# before it was handed over, or which tokens a cache held when p or q was computed.
UNSEEN = {
    "not strict", "unlikely drafts dropped", "draft cache lags", "target cache kept", "stale slot",
    "q rounded",
}  # fmt: skip


def trace_of(decoder):
    """That of a run which claims to have the lossless rule of its kind."""
    said = decoder.rule if decoder.rule in TREE_RULES else TOKEN_WISE
    long = replace(EXAM, length=400, prompt=(0, 1))
    setting = Setting(0, said.name, long.sampling, "model", long.gamma, 2, long.length, (),
                      long.target.context)  # fmt: skip
    return "".join(trace_line(r, setting) for r in long.rounds(decoder))


def test_the_correct_decoder_is_cleared():
    assert audit(trace_of(CORRECT)).findings == []
    fixed_set = replace(
        CORRECT, rule=RECURSIVE_REJECTION, drafter=lambda model: Candidates(model, likeliest)
    )
    assert audit(trace_of(fixed_set)).findings == []


@pytest.mark.parametrize("specimen", BUGS, ids=lambda bug: bug.name)
def test_a_trace_of_a_mutant_is_reported(specimen):
    findings = audit(trace_of(specimen.decoder)).findings
    assert bool(findings) == (specimen.name not in UNSEEN)
    words = ("decides", "the seed draws", "not a distribution", "'path' does not fit")
    assert all(any(word in finding.reason for word in words) for finding in findings)


# --- files ------------------------------------------------------------------------


def test_a_cut_file_is_reported_wherever_it_was_cut():
    text = traced(Sampled(EXAM.draft), length=12)
    whole = text.index("\n")
    ends = [i + d for i, c in enumerate(text) if c == "\n" for d in (-1, 0, 1)]
    for at in sorted({*range(0, len(text), 41), *ends} - {len(text)}):
        cut = text[:at]
        if at < whole:
            with pytest.raises(ValueError, match="empty" if not at else "was it cut"):
                audit(cut)
            continue
        place = cut.count("\n") - cut.endswith("\n")
        findings = audit(cut).findings
        assert {finding.round for finding in findings} == {place}
        assert all("cut" in finding.reason for finding in findings)


def test_a_guess_beyond_the_vocabulary_is_refused(good):
    line = next(line for line in map(json.loads, good.splitlines()) if line["drafted"])
    line["drafted"][0] = 4  # of the tokens 0 to 3
    with pytest.raises(ValueError, match="'drafted' does not fit"):
        read_line(json.dumps(line))


def test_what_is_no_trace_is_refused():
    for text in ("", "\n", "hello\n", "[1]\n", "{}\n", "\x00\x01"):
        with pytest.raises(ValueError, match=r"empty|line 1"):
            audit(text)
    with pytest.raises(ValueError, match="not a JSON object"):
        read_line("3")


@pytest.mark.parametrize(
    ("distance", "agrees"), [(0.5, True), (-0.5, True), (4, False), (-4, False)]
)
def test_only_rounding_may_put_a_uniform_on_the_other_side_of_an_edge(distance, agrees):
    uniform = Noise(3).round(0).uniforms("verify", 1)[0]
    edge = uniform + distance * slack(np.ones((1, 2)))
    p = np.array([[edge, 1 - edge]])
    done = next(generate(EXAM.target, [0, 1], max_new_tokens=1, seed=3))
    wrong = int(distance > 0)  # the token on the other side
    r = replace(
        done, p=p, q=None, verdict=replace(done.verdict, token=wrong), emitted=(wrong,)
    )  # fmt: skip
    setting = Setting(3, "token-wise", Sampling(), "none", 3, 2, 1, (), EXAM.target.context)
    assert (audit(trace_line(r, setting)).findings == []) == agrees
    assert shown(r)["kinds"] == ("target",)
