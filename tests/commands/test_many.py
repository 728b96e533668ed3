"""generate --prompts: each line its result, whatever else is in the file, and none is lost."""

import json
import re

import pytest

from course_utils.commands import batch_memory, many
from course_utils.commands.generate import main as generate
from course_utils.commands.prompt_file import Results, read_prompts
from course_utils.models.batched import Batched
from course_utils.models.memory import MemoryShortage

GOOD = ["def area(width", "class Stack:\n    def", "import sys\n"]
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


def test_a_file_of_something_else_is_left_alone(tmp_path):
    out = tmp_path / "notes.txt"
    out.write_text("my notes\n")
    with pytest.raises(ValueError, match=r"line 1 of .* is no result of this command"):
        Results(out, {})
    assert out.read_text() == "my notes\n"


def test_an_empty_file_says_what_to_write(tmp_path):
    path = tmp_path / "empty.jsonl"
    path.write_text("\n \n")
    with pytest.raises(ValueError, match="is empty: write a prompt a line"):
        read_prompts(path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--prompts", "p", "text"], "give one of them"),
        (["text", "--batch", "2"], "--batch belongs to --prompts"),
        (["--prompts", "p", "--batch", "0"], "batch is 0"),
        (["--prompts", "p", "--drafter", "tree"], "guesses for one text"),
        (["--prompts", "p", "--drafter", "eagle"], "guesses for one text"),
        (["--prompts", "p", "--drafter", "early-exit"], "cascade, auto, quantised"),
        ([], "the prompt is empty"),
    ],
)
def test_options_that_do_not_go_together(options, message):
    with pytest.raises(ValueError, match=message):
        generate([*options, *HOW])


def test_a_length_that_adapts_is_for_one_text():
    with pytest.raises(ValueError, match="gamma is adaptive"):
        generate(["--prompts", "p", "--gamma", "adaptive"])


def test_a_batch_that_does_not_fit_is_refused_before_anything_is_allocated(
    file, packed, monkeypatch
):
    """What is needed, what is free, what would fit; a row needs room for its own text only."""
    monkeypatch.setattr(Batched, "start_batch", None)  # nothing is started
    free = 3 * 10**6
    monkeypatch.setattr(batch_memory, "free_memory", lambda device: free)
    with pytest.raises(MemoryShortage) as found:
        run(file, "--batch", "3", "--max-new-tokens", "600")
    said = re.fullmatch(
        r"a batch of 3 rows needs (\d+\.\d) MB and 3\.0 MB is free: each row takes (\d+\.\d) MB of "
        r"caches for 602 tokens and (\d\.\d) MB of probabilities; take a smaller model, or "
        r"--max-new-tokens (\d+)",
        str(found.value),
    )
    needed, caches, turn, most = map(float, said.groups())
    assert needed == pytest.approx(3 * (caches + turn), abs=0.3)
    free = 20 * 10**6
    with pytest.raises(MemoryShortage, match="take --batch 1 at most, or --max-new-tokens"):
        run(file, "--batch", "3", "--max-new-tokens", "600")
    free = 3 * 10**6
    batch_memory.room_for(packed.target, packed.draft, 2, int(most), slots=3, prompt=1)
    with pytest.raises(MemoryShortage):
        batch_memory.room_for(packed.target, packed.draft, 2, int(most) + 1, slots=3, prompt=1)


def test_the_room_of_a_row_is_what_is_allocated(packed, monkeypatch):
    monkeypatch.setattr(batch_memory, "free_memory", lambda device: 10**9)
    tokens = batch_memory.room_for(packed.target, packed.draft, 2, 8, slots=3, prompt=5)
    need = batch_memory.row_need(packed.target, packed.draft, 2, tokens)
    caches = [Batched(m, tokens).start_batch(3).cache.nbytes for m in (packed.target, packed.draft)]
    assert 3 * need.caches == sum(caches)
    assert tokens == 5 + 8 + 1
    assert batch_memory.room_for(packed.target, None, 2, 10**9, 1, 5) == packed.target.context


def test_a_row_that_has_little_room_says_what_it_says_with_much(file, capsys, monkeypatch):
    found = []
    for _ in range(2):
        run(file, "--max-new-tokens", "40")
        found.append(lines_of(capsys.readouterr().out))
        monkeypatch.setattr(many, "room_for", lambda target, *_: target.context)
    assert found[0] == found[1]
