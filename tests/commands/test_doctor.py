"""The doctor knows the trained pair's text and notices another one."""

import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from course_utils.commands.doctor import main as doctor
from course_utils.models.names import PAIRS


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


def test_a_damaged_pair_fails_and_the_shipped_one_passes(monkeypatch, capsys, tmp_path):
    assert doctor([]) == 0
    assert f"torch {torch.__version__}" in capsys.readouterr().out
    for role, damage in (("target", wrong_number), ("draft", zeroed_layer)):
        folders = [shutil.copytree(n, tmp_path / role / Path(n).name) for n in PAIRS["tiny"]]
        damage(tmp_path / role / role)
        with monkeypatch.context() as patch:
            patch.setitem(PAIRS, "tiny", tuple(map(str, folders)))
            assert doctor([]) == 1
        assert f"FAIL trained pair: the {role}" in capsys.readouterr().out
