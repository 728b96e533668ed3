"""The training code, on a corpus and models small enough for seconds."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from course_utils.models.names import DATA
from course_utils.training import corpus
from course_utils.training.recipes import Schedule
from course_utils.writing.writing import load_pair
from workshop.__main__ import main
from workshop.training import dependencies, stages
from workshop.training.checkpoints import checkpoints_in
from workshop.training.evaluate import greedy_agreement, teacher_forced
from workshop.training.recipes import Recipe
from workshop.training.stages import train_model

SMALL = Recipe(
    layers=2, hidden=64, intermediate=96, tokens=40 * 512, batch_tokens=512, length=64,
    long_length=128,
)  # fmt: skip
FEW = replace(SMALL, tokens=6 * 512)

pytestmark = pytest.mark.filterwarnings("ignore")


def test_held_out_files_and_their_tests_are_not_trained_on():
    trained = {name for name, _ in corpus.training_sources()}
    held_out = {name for name, _ in corpus.held_out_sources()}
    assert len(held_out) >= 25
    assert not trained & held_out
    assert "test/test_textwrap.py" not in trained


def weights(folder, name="target"):
    state = AutoModelForCausalLM.from_pretrained(folder / name).state_dict()
    return {name: tensor.clone() for name, tensor in state.items()}  # the file may go


@pytest.mark.slow
def test_both_stages_learn_and_export_what_transformers_loads(small_library):
    folder = small_library
    train_model(folder, "target", SMALL)
    train_model(folder, "draft", replace(SMALL, layers=1))
    for name in ("target", "draft"):
        assert weights(folder, name)["model.embed_tokens.weight"].dtype == torch.bfloat16
        assert AutoTokenizer.from_pretrained(folder / name).eos_token_id == 0
    *_, last = (folder / "target_log.jsonl").read_text().splitlines()
    assert json.loads(last)["tokens"] == SMALL.tokens
    assert json.loads(last)["train_loss"] < 0.8 * np.log(4096)
    models = str(folder / "target"), str(folder / "draft")
    pair = load_pair(*models, dtype="float32", form="readable")
    report = teacher_forced(pair, corpus.held_out_sources())
    assert 0.3 < report["alpha_temperature_1"] <= 1
    assert 0 < greedy_agreement(pair, ["def f"], 10) <= 1


def test_a_finished_model_is_not_made_again_nor_used_for_other_settings(small_library, capsys):
    for _ in range(2):
        train_model(small_library, "plain", FEW)
    assert "is finished already and is skipped" in capsys.readouterr().err
    with pytest.raises(ValueError, match="seed is 0 there and 1 here"):
        train_model(small_library, "plain", FEW, seed=1)


class Killed(BaseException):
    pass


def dying(real, times):
    """A function that is killed in the middle of its nth call."""
    calls = iter(range(1, 10**6))

    def call(*args, **keywords):
        done = real(*args, **keywords)
        if next(calls) == times:
            raise Killed
        return done

    return call


@pytest.mark.parametrize("moment", ["as a checkpoint is written", "in the export"])
def test_a_killed_run_resumes_where_it_stopped(small_library, monkeypatch, moment):
    """The resumed run ends with exactly the weights of an uninterrupted one."""
    train_model(small_library / "whole", "target", FEW, checkpoint_seconds=0.0)
    folder, steps = small_library / "killed", []
    with monkeypatch.context() as patch:
        if moment == "in the export":
            patch.setattr(stages, "export", dying(stages.export, 1))
        else:
            patch.setattr(torch, "save", dying(torch.save, 3))
        with pytest.raises(Killed):
            train_model(folder, "target", FEW, checkpoint_seconds=0.0)
    assert not (folder / "target").exists()
    real = Schedule.rate
    monkeypatch.setattr(Schedule, "rate", lambda self, step: steps.append(step) or real(self, step))
    train_model(folder, "target", FEW, checkpoint_seconds=0.0)
    assert 0 not in steps  # the finished ones are not done again
    expected = weights(small_library / "whole")
    assert all(torch.equal(weight, expected[name]) for name, weight in weights(folder).items())


def test_a_damaged_checkpoint_is_set_aside(small_library, capsys):
    train_model(small_library, "target", FEW, checkpoint_seconds=0.0)
    expected = weights(small_library)
    (small_library / "target" / "model.safetensors").write_bytes(b"damage")
    last = checkpoints_in(small_library / "work" / "target")[-1]
    (last / "state.pt").write_bytes(b"damage")
    train_model(small_library, "target", FEW)
    assert capsys.readouterr().err.count("is damaged; set aside as") == 2
    assert all(torch.equal(w, expected[name]) for name, w in weights(small_library).items())


def test_a_model_of_unknown_settings_is_not_overwritten(capsys, tmp_path):
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "model.safetensors").write_text("precious")
    assert main(["train", "--stage", "target", "--out", str(tmp_path)]) == 2
    assert "not be overwritten" in capsys.readouterr().err
    assert (tmp_path / "target" / "model.safetensors").read_text() == "precious"


@pytest.mark.slow
def test_the_recorded_figures_are_those_of_the_shipped_pair(pair):
    """A twentieth of the held-out windows gives about the figures in data/evaluation.json."""
    recorded = json.loads((DATA / "evaluation.json").read_text())
    for part, sources in (("", corpus), ("package_", dependencies)):
        measured = teacher_forced(pair, sources.held_out_sources(), windows=14)
        for name, value in measured.items():
            assert value == pytest.approx(recorded[part + name], rel=0.06), name
