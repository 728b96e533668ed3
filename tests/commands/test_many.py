"""generate --prompts: each line its result, whatever else is in the file, and none is lost."""

import json
import os
import re
import resource
import sys

import pytest
import torch

from course_utils.__main__ import main
from course_utils.commands import batch_memory, many
from course_utils.commands.generate import main as generate
from course_utils.commands.many import Asked, read_prompts, results_in
from course_utils.models.batched import Batched
from course_utils.models.memory import MemoryShortage
from course_utils.models.onnx_qwen3 import OnnxQwen3
from tests.forks import exit_status

GOOD = ["def area(width", "class Stack:\n    def", "import sys\n"]
pytestmark = pytest.mark.usefixtures("quickly")
HOW = ["--max-new-tokens", "8", "--dtype", "float32", "--threads", "1", "--gamma", "2"]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "prompts.jsonl"
    lines = [json.dumps(GOOD[0]), "oops", json.dumps({"prompt": GOOD[1]}), "", '""']
    path.write_text("\n".join([*lines, json.dumps(GOOD[2])]))
    return path


def run(file, *options):
    return generate(["--prompts", str(file), *HOW, *options])


def lines_of(text):
    return {entry["line"]: entry for entry in map(json.loads, text.splitlines())}


def test_a_bad_line_is_named_and_the_others_are_done(file, capsys):
    assert run(file) == 1
    out, err = capsys.readouterr()
    found = lines_of(out)
    assert sorted(found) == [1, 2, 3, 5, 6]  # line 4 is blank
    assert all(len(found[at]["tokens"]) == 8 for at in (1, 3, 6))
    assert "no JSON" in found[2]["error"]
    assert "line 5: the prompt is empty" in err


def test_no_result_depends_on_the_batch(file, capsys):
    found = []
    for batch in "1", "3":
        run(file, "--batch", batch)
        found.append(lines_of(capsys.readouterr().out))
    assert found[0] == found[1]


@pytest.mark.parametrize("cut", [0, 40, 700])
def test_an_interrupted_run_goes_on_where_it_was(file, tmp_path, cut):
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    assert run(file, "--out", str(whole)) == 1
    broken.write_bytes(whole.read_bytes()[:cut])
    assert run(file, "--out", str(broken)) == 1
    assert lines_of(broken.read_text()) == lines_of(whole.read_text())
    before = broken.read_bytes()
    assert run(file, "--out", str(broken)) == 1
    assert broken.read_bytes() == before


def test_results_of_another_run_are_left_alone(file, tmp_path):
    out = tmp_path / "out.jsonl"
    run(file, "--out", str(out))
    before = out.read_bytes()
    with pytest.raises(ValueError, match="results of other settings"):
        run(file, "--out", str(out), "--seed", "1")
    file.write_text(file.read_text().replace("width", "height"))
    with pytest.raises(ValueError, match="line 1 was another prompt"):
        run(file, "--out", str(out))
    assert out.read_bytes() == before


SETTINGS = {"seed": 0}
ASKED = [Asked(1, "a", own={"id": "x"}), Asked(2, "b"), Asked(12, "c", own={"id": 7})]


def kept(out, asked=ASKED):
    """The file once the missing results are in it, and how many were missing."""
    with results_in(out, SETTINGS, asked) as results:
        missing = len(results.missing)
        for one in results.missing:
            results.add(one, {"text": one.prompt, "tokens": [one.line]})
    return out.read_bytes(), missing


@pytest.mark.parametrize(
    "held",
    [
        b"my notes\n", b"my notes", b'"def add("', b'{"a": [1, 2], "line": 1}', b"\xff\x00",
        b'{"line": 1, "text": "mine"', b'{"line": [], "digest": 1, "settings": 1}\n',
        b"[" * 10**5 + b"\n", b"[" * 10**5,
    ],
)  # fmt: skip
def test_a_file_of_something_else_is_left_alone(tmp_path, held):
    out = tmp_path / "notes.txt"
    out.write_bytes(held)
    with pytest.raises(ValueError, match=r" is no result of this c.*: name another --out"):
        kept(out)
    assert out.read_bytes() == held


def test_a_result_that_was_cut_anywhere_is_written_again(tmp_path):
    out = tmp_path / "out.jsonl"
    whole, missing = kept(out)
    assert missing == len(ASKED) == whole.count(b"\n")
    for length in range(len(whole)):
        out.write_bytes(whole[:length])
        assert kept(out) == (whole, missing - whole[:length].count(b"\n"))


def test_the_cut_result_of_another_prompt_is_left_alone(tmp_path):
    out = tmp_path / "out.jsonl"
    cut = kept(out, ASKED[:1])[0][:-1]
    out.write_bytes(cut)
    with pytest.raises(ValueError, match="has no end and is no result of this call"):
        kept(out, [Asked(1, "other")])
    assert out.read_bytes() == cut


@pytest.mark.parametrize("link", [None, os.symlink, os.link])
def test_the_prompts_are_not_overwritten_by_their_results(tmp_path, link):
    prompts = out = tmp_path / "one.jsonl"
    prompts.write_text('"def add("')
    if link:
        link(prompts, out := tmp_path / "out.jsonl")
    with pytest.raises(ValueError, match="--out is the file of the prompts"):
        run(prompts, "--out", str(out))
    assert prompts.read_text() == '"def add("'


def test_a_place_for_results_that_is_none_is_said(file, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for out in (tmp_path / "pipe", tmp_path, "/dev/full", "/dev/zero"):
        with pytest.raises(OSError, match="is a folder or a device: name a file"):
            run(file, "--out", str(out))
    with pytest.raises(OSError, match=r"cannot be written: there is no folder .*/none"):
        run(file, "--out", str(tmp_path / "none" / "out.jsonl"))


@pytest.mark.parametrize("link", [False, True])
def test_one_run_at_a_time_writes_to_a_file(tmp_path, link):
    out = other = tmp_path / "out.jsonl"
    if link:
        (other := tmp_path / "link").symlink_to(out)
    refused = pytest.raises(TimeoutError, match=r"another run writes to .*: wait for it, or name")
    with results_in(out, SETTINGS, ASKED), refused:
        kept(other)
    assert kept(other)[1] == len(ASKED)


def limited(most, *arguments):
    """The command in a process that may write files of `most` bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    torch.set_num_threads(1)
    sys.stderr = open(arguments[-1] + ".said", "w")  # noqa: SIM115
    sys.exit(main(["generate", *arguments]))


def test_a_full_disk_loses_no_result(file, tmp_path):
    whole, short = tmp_path / "whole.jsonl", tmp_path / "short.jsonl"
    run(file, "--out", str(whole))
    full = whole.read_bytes()
    how = ("--prompts", str(file), *HOW, "--out", str(short))
    assert exit_status(limited, len(full) - 15, *how) == 2
    said = (tmp_path / "short.jsonl.said").read_text().splitlines()
    assert said[-1].startswith(f"error: {short} cannot be written to any more: File too large")
    assert short.read_bytes() == full[: full[:-1].rfind(b"\n") + 1]
    assert run(file, "--out", str(short)) == 1
    assert short.read_bytes() == full


def test_a_line_too_deep_to_be_read_is_a_bad_line_and_the_others_are_done(tmp_path, capsys):
    file = tmp_path / "deep.jsonl"
    file.write_text("\n".join(["[" * 10**5, json.dumps(GOOD[0])]))
    assert run(file) == 1
    out, err = capsys.readouterr()
    assert err == "line 1: this is no JSON of ours: it is nested too deeply\n"
    assert len(lines_of(out)[2]["tokens"]) == 8


def test_a_result_has_its_lines_other_fields(tmp_path, capsys):
    file, out = tmp_path / "ids.jsonl", tmp_path / "out.jsonl"
    own = [{"id": "b-1", "tags": ["x", {"y": None}]}, {"id": 7}, {"\ud83d": "\ud83d"}]
    lines = [json.dumps({**fields, "prompt": GOOD[0]}) for fields in own]
    bad = ['{"id": NaN, "prompt": "x"}', '{"id": 3}', '{"prompt": "x", "text": "y"}']
    file.write_text("\n".join([*lines, *bad, '"x"']))
    assert run(file) == run(file, "--out", str(out)) == 1
    for text in (capsys.readouterr().out, out.read_text()):
        found = lines_of(text)
        for at, fields in enumerate(own, start=1):
            assert fields.items() <= found[at].items()
            assert len(found[at]["tokens"]) == 8
        assert [at for at in found if "error" in found[at]] == [4, 5, 6]
        assert found[5]["id"] == 3


def test_an_empty_file_says_what_to_write(tmp_path):
    path = tmp_path / "empty.jsonl"
    path.write_text("\n \n")
    with pytest.raises(ValueError, match="is empty: write a prompt a line"):
        read_prompts(path)


def test_a_batch_that_does_not_fit_is_refused_before_anything_is_allocated(file, pair, monkeypatch):
    """What is needed, what is free, what would fit; a row needs room for its own text only."""
    monkeypatch.setattr(Batched, "start_batch", None)  # nothing is started
    free = 3 * 10**6
    monkeypatch.setattr(batch_memory, "free_memory", lambda device: free)
    with pytest.raises(MemoryShortage) as found:
        run(file, "--batch", "3", "--max-new-tokens", "600", "--form", "packed")
    said = re.fullmatch(
        r"a batch of 3 rows needs (\d+\.\d) MB and 3\.0 MB is free: each row takes (\d+\.\d) MB of "
        r"caches for 602 tokens and (\d\.\d) MB of probabilities; take a smaller model, or "
        r"--max-new-tokens (\d+) \(cpu: .* held by this process so far\)",
        str(found.value),
    )
    needed, caches, turn, most = map(float, said.groups())
    assert needed == pytest.approx(3 * (caches + turn), abs=0.3)
    free = 20 * 10**6
    with pytest.raises(MemoryShortage, match="take --batch 1 at most, or --max-new-tokens"):
        run(file, "--batch", "3", "--max-new-tokens", "600", "--form", "packed")
    free = 3 * 10**6
    batch_memory.room_for(pair.target, pair.draft, 2, int(most), slots=3, prompt=1)
    with pytest.raises(MemoryShortage):
        batch_memory.room_for(pair.target, pair.draft, 2, int(most) + 1, slots=3, prompt=1)


def test_weights_that_a_batch_has_of_its_own_count(pair, monkeypatch):
    """Those of ONNX Runtime's graph for so many texts, until it is there."""
    models = [OnnxQwen3(model) for model in (pair.target, pair.draft)]
    both = sum(model.weight_bytes for model in models)
    free, rows = 0, 3 * batch_memory.row_need(*models, 2, 14).total
    monkeypatch.setattr(batch_memory, "free_memory", lambda device: free)
    free = rows + both
    batch_memory.room_for(*models, 2, 8, 3, prompt=5)
    free -= 1
    with pytest.raises(MemoryShortage, match=r"packs .* of weights for it"):
        batch_memory.room_for(*models, 2, 8, 3, prompt=5)
    for model in models:
        assert model.graph_bytes(3) == model.weight_bytes
        batch = Batched(model, 14).start_batch(3)
        batch.start(1, [1, 2])
        batch.extend({1: [3]})
        assert model.graph_bytes(3) == 0
        assert model.graph_bytes(2) == model.weight_bytes
    free = rows
    batch_memory.room_for(*models, 2, 8, 3, prompt=5)


def test_the_room_of_a_row_is_what_is_allocated(fast, monkeypatch):
    monkeypatch.setattr(batch_memory, "free_memory", lambda device: 10**9)
    tokens = batch_memory.room_for(fast.target, fast.draft, 2, 8, slots=3, prompt=5)
    need = batch_memory.row_need(fast.target, fast.draft, 2, tokens)
    caches = [Batched(m, tokens).start_batch(3).cache.nbytes for m in (fast.target, fast.draft)]
    assert 3 * need.caches == sum(caches)
    assert tokens == 5 + 8 + 1
    assert batch_memory.room_for(fast.target, None, 2, 10**9, 1, 5) == fast.target.context


def test_a_row_that_has_little_room_says_what_it_says_with_much(file, capsys, monkeypatch):
    found = []
    for _ in range(2):
        run(file, "--max-new-tokens", "40")
        found.append(lines_of(capsys.readouterr().out))
        monkeypatch.setattr(many, "room_for", lambda target, *_: target.context)
    assert found[0] == found[1]
