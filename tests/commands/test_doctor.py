"""The doctor knows the trained pair's text and notices another one."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from course_utils.commands import machine
from course_utils.commands.doctor import main as doctor
from course_utils.commands.machine import CONTINUATIONS, PROMPT
from course_utils.decoding.sampling import GREEDY, probabilities
from course_utils.models.names import PAIRS


def test_it_reports_and_approves_of_this_machine(capsys):
    assert doctor([]) == 0
    text = capsys.readouterr().out
    assert text.count("OK  ") == len(machine.CHECKS)
    assert f"torch {torch.__version__}" in text
    assert repr(CONTINUATIONS["target"]) in text


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


@pytest.mark.parametrize(
    ("role", "damage"), [("target", wrong_number), ("draft", zeroed_layer)], ids=["target", "draft"]
)
def test_a_pair_that_is_damaged_is_found_out(monkeypatch, capsys, tmp_path, role, damage):
    """The pair runs on the default device, so a device with wrong results is found, too."""
    folders = [shutil.copytree(name, tmp_path / Path(name).name) for name in PAIRS["tiny"]]
    monkeypatch.setitem(PAIRS, "tiny", tuple(map(str, folders)))
    damage(tmp_path / role)
    results = machine.examine()
    assert f"not ready (1 of 4 checks failed). trained pair: the {role} continues" in (
        line := machine.in_a_line(results)
    )
    assert "git checkout" in line
    monkeypatch.setattr(machine, "examine", lambda: results)
    assert doctor([]) == 1
    assert f"FAIL trained pair: the {role} continues" in capsys.readouterr().out


@pytest.mark.parametrize("role", CONTINUATIONS)
def test_what_it_knows_does_not_hang_on_rounding(pair, role):
    text = pair.encode(PROMPT) + pair.encode(CONTINUATIONS[role])
    rows = getattr(pair, role).start([]).extend(text)[len(pair.encode(PROMPT)) - 1 : -1]
    assert probabilities(rows, GREEDY).argmax(-1).tolist() == pair.encode(CONTINUATIONS[role])
    best = rows.topk(2).values
    assert torch.all(best[:, 0] - best[:, 1] > 0.2)
