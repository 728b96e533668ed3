"""The doctor knows what the trained pair says, and notices when it says something else."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from course_utils.commands import machine
from course_utils.commands.doctor import main as doctor
from course_utils.commands.machine import CONTINUATIONS, PROMPT, in_a_line
from course_utils.decoding.sampling import GREEDY, probabilities
from course_utils.models.device import native_dtypes
from course_utils.models.loading.memory import CPU
from course_utils.pairs import PAIRS


@pytest.fixture
def copies(tmp_path, monkeypatch):
    """The trained pair in a place where it can be damaged; the doctor looks there."""
    folders = [
        Path(shutil.copytree(name, tmp_path / str(i))) for i, name in enumerate(PAIRS["tiny"])
    ]
    monkeypatch.setitem(PAIRS, "tiny", tuple(map(str, folders)))
    return dict(zip(CONTINUATIONS, folders, strict=True))


def test_one_line_says_that_all_is_well_or_what_is_not():
    well, ill = (
        {"name": name, "ok": ok, "detail": "why"} for name, ok in (("a", True), ("b", False))
    )
    ready = "This machine is ready: 2 of 2 checks are passed."
    assert in_a_line({"checks": [well, well]}) == ready
    not_ready = "This machine is not ready (1 of 2 checks failed). b: why"
    assert in_a_line({"checks": [well, ill]}) == not_ready


def test_it_reports_and_approves_of_this_machine(capsys):
    assert doctor(["--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["faster_dtype"] in ("float32", "bfloat16")
    assert all(check["ok"] for check in report["checks"])
    text = machine.as_text(report)
    assert text.count("OK  ") == len(report["checks"])
    assert f"torch {torch.__version__}" in text
    assert repr(CONTINUATIONS["target"]) in text


def test_it_says_what_is_broken(capsys, monkeypatch, tmp_path):
    monkeypatch.setitem(PAIRS, "tiny", (str(tmp_path), str(tmp_path)))
    assert doctor([]) == 1
    assert "FAIL trained pair: ModelNotFound" in capsys.readouterr().out


def wrong_number(folder):
    path = folder / "config.json"
    config = json.loads(path.read_text())
    config["rope_parameters"]["rope_theta"] = 100.0
    path.write_text(json.dumps(config))


def zeroed_layer(folder):
    path = folder / "model.safetensors"
    weights = load_file(path)
    weights["model.layers.0.mlp.down_proj.weight"].zero_()
    save_file(weights, path, {"format": "pt"})


@pytest.mark.parametrize("role", CONTINUATIONS)
@pytest.mark.parametrize("damage", [wrong_number, zeroed_layer])
def test_a_pair_that_is_damaged_is_found_out(copies, role, damage):
    damage(copies[role])
    ok, detail = machine._pair()
    assert not ok
    assert f"the {role} continues" in detail
    assert "git checkout" in detail


@pytest.mark.parametrize("role", CONTINUATIONS)
def test_what_it_knows_does_not_hang_on_rounding(pair, role):
    text = pair.encode(PROMPT) + pair.encode(CONTINUATIONS[role])
    rows = getattr(pair, role).start([]).extend(text)[len(pair.encode(PROMPT)) - 1 : -1]
    assert probabilities(rows, GREEDY).argmax(-1).tolist() == pair.encode(CONTINUATIONS[role])
    best = rows.topk(2).values
    assert torch.all(best[:, 0] - best[:, 1] > 0.2)


@pytest.fixture
def short_texts(monkeypatch):
    """A third of the tokens; what is remembered of the CPU's text is as long."""
    monkeypatch.setattr(machine, "NEW_TOKENS", 24)
    machine._reference.cache_clear()
    yield
    machine._reference.cache_clear()


def test_a_report_is_a_block_with_a_run_in_each_native_format(short_texts, capsys):
    assert doctor(["--report"]) == 0
    fence, command, *lines, end = capsys.readouterr().out.splitlines()
    assert (fence, command, end) == ("```text", "python -m course_utils doctor --report", "```")
    runs = [line for line in lines if line.startswith("OK   trained pair on cpu in ")]
    assert [line.split()[6] for line in runs] == [f"{dtype}:" for dtype in native_dtypes(CPU)]
    assert "float32 on the CPU without a draft, the text of float32 on the CPU with one" in runs[0]
    for line in runs:
        assert re.search(r"\d+ and \d+ tokens per second; of a round 4 guesses \d", line)
        assert "GB free" in line


def test_a_device_that_is_wrong_is_found_out(short_texts, monkeypatch, fast):
    """Its texts agree with one another, and not with the CPU's."""

    class Shifted:
        vocabulary_size, context = fast.target.vocabulary_size, fast.target.context

        def start(self, prompt):
            session = fast.target.start(prompt)
            extend = session.extend

            def rolled(tokens):
                rows = extend(tokens).copy()
                rows[:, 5] += 100
                return rows

            session.extend = rolled
            return session

    loaded = machine.load_pair
    wrong = lambda name, *, form="auto", **how: (  # noqa: E731
        loaded(name, form=form, **how) if form == "readable" else replace(fast, target=Shifted())
    )
    monkeypatch.setattr(machine, "load_pair", wrong)
    ok, said = machine.tried(PROMPT, "float32", CPU)
    assert not ok
    assert "a text whose token 1 no rounding explains without a draft" in said
