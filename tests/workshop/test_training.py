"""The training code, on a corpus and models small enough for seconds."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from course_utils.models.names import DATA
from course_utils.pairs import load_pair
from course_utils.training import corpus
from workshop.__main__ import main
from workshop.training import atomic_folder, dependencies, stages
from workshop.training.evaluate import greedy_agreement, teacher_forced
from workshop.training.recipes import PLAIN, Recipe

SMALL = Recipe(
    layers=2, hidden=64, intermediate=96, tokens=40 * 512, batch_tokens=512, length=64,
    long_length=128,
)  # fmt: skip


@pytest.fixture
def small_library(tmp_path, monkeypatch):
    """A "standard library" of a few modules, one of them held out."""
    root = tmp_path / "lib"
    (root / "test").mkdir(parents=True)
    (root / "encodings").mkdir()
    text = "def f(x):\n    return x + 1\n\n\nclass A:\n    value = f(1)\n" * 60
    for name in ("os.py", "textwrap.py", "test/test_os.py", "test/test_textwrap.py"):
        (root / name).write_text(f"# {name}\n{text}")
    (root / "encodings" / "cp1252.py").write_text("noise")
    (root / "broken.py").write_bytes(b"\xff\xfe\xff")
    monkeypatch.setattr(corpus, "standard_library", lambda: root)
    monkeypatch.setattr(dependencies, "LEARNED", ())
    return tmp_path / "pair"


def test_held_out_files_and_their_tests_are_not_trained_on(small_library):
    assert [name for name, _ in corpus.training_sources()] == ["os.py", "test/test_os.py"]
    assert [name for name, _ in corpus.held_out_sources()] == ["textwrap.py"]


def test_the_real_corpus_keeps_them_apart():
    trained = {name for name, _ in corpus.training_sources()}
    held_out = {name for name, _ in corpus.held_out_sources()}
    assert len(held_out) >= 25
    assert not trained & held_out
    assert "test/test_textwrap.py" not in trained


def test_a_library_without_sources_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="no Python sources"):
        next(corpus.training_sources(tmp_path))


@pytest.mark.filterwarnings("ignore")
def test_a_pair_goes_on_learning_with_its_own_tokenizer(small_library):
    first, second = small_library / "first", small_library / "second"
    stages.train_target(first, SMALL)
    (small_library.parent / "lib" / "os.py").write_text("class Other:\n    more = 1\n" * 200)
    few = replace(SMALL, tokens=512)
    stages.train_target(second, few, first)
    ours, theirs = (AutoTokenizer.from_pretrained(f / "target") for f in (first, second))
    assert ours.get_vocab() == theirs.get_vocab()
    begun, one_step = (
        AutoModelForCausalLM.from_pretrained(f / "target").state_dict() for f in (first, second)
    )
    far = max((begun[name] - one_step[name]).abs().max() for name in begun)
    assert 0 < far < 0.05
    with pytest.raises(ValueError, match="start is"):  # the same folder, not gone on from
        stages.train_target(second, few)
    with pytest.raises(ValueError, match="another shape"):
        stages.train_target(small_library / "third", replace(few, layers=1), first)
    with pytest.raises(FileNotFoundError, match="to start from"):
        stages.train_target(small_library / "third", few, small_library / "nowhere")


def losses(folder, name):
    return [json.loads(line) for line in (folder / f"{name}_log.jsonl").read_text().splitlines()]


@pytest.mark.filterwarnings("ignore")
def test_both_stages_learn_and_export_what_transformers_loads(small_library, monkeypatch):
    folder = small_library
    stages.train_target(folder, SMALL)
    stages.train_draft(folder, replace(SMALL, layers=1))
    for name in ("target", "draft"):
        model = AutoModelForCausalLM.from_pretrained(folder / name)
        assert model.dtype == torch.bfloat16
        assert AutoTokenizer.from_pretrained(folder / name).eos_token_id == 0
    target_log = losses(folder, "target")
    assert target_log[-1]["tokens"] == SMALL.tokens
    assert target_log[-1]["train_loss"] < 0.8 * np.log(4096)
    pair = load_pair(
        str(folder / "target"), str(folder / "draft"), dtype="float32", form="readable"
    )
    report = teacher_forced(pair, corpus.held_out_sources())
    assert 0.3 < report["alpha_temperature_1"] <= 1
    assert 0 < greedy_agreement(pair, ["def f"], 10) <= 1


@pytest.mark.filterwarnings("ignore")
def test_the_plain_draft_needs_no_target_and_is_made_once(small_library, capsys):
    folder, recipe = small_library, replace(SMALL, layers=1)
    stages.train_plain(folder, recipe)
    assert not (folder / "target").exists()
    model = AutoModelForCausalLM.from_pretrained(folder / "plain")
    assert model.config.num_hidden_layers == 1
    assert losses(folder, "plain")[-1]["train_loss"] < 0.8 * np.log(4096)
    stages.train_plain(folder, recipe)
    assert "is finished and is not made again" in capsys.readouterr().err
    with pytest.raises(ValueError, match="seed is 0 there and 1 here"):
        stages.train_plain(folder, recipe, seed=1)


def test_the_plain_draft_that_ships_was_made_by_its_stage(pair):
    """Its tokenizer is the pair's, its shape and its tokens are the recipe's."""
    made = json.loads((DATA / "plain" / "made_with.json").read_text())
    assert atomic_folder.damaged(DATA / "plain") is None
    recipe = asdict(PLAIN)
    del recipe["rows"]  # of no target
    assert {name: made["settings"][name] for name in recipe} == recipe
    model = AutoModelForCausalLM.from_pretrained(DATA / "plain")
    assert model.config.hidden_size == PLAIN.hidden
    tokenizer = AutoTokenizer.from_pretrained(DATA / "plain")
    assert tokenizer.get_vocab() == pair.tokenizer.get_vocab()


class Killed(Exception):
    pass


def test_a_killed_run_goes_on_where_it_stopped(small_library, monkeypatch):
    """The resumed run ends with the very weights of one that was never killed."""
    options = {"checkpoint_seconds": 0.0}
    stages.train_target(small_library / "whole", SMALL, **options)
    real, steps = stages.next_token_loss, []

    def dying(model):
        loss = real(model)

        def step(windows):
            if torch.is_grad_enabled():  # a training step, not an evaluation
                steps.append(1)
            if len(steps) == 15:
                raise Killed
            return loss(windows)

        return step

    monkeypatch.setattr(stages, "next_token_loss", dying)
    folder = small_library / "killed"
    with pytest.raises(Killed):
        stages.train_target(folder, SMALL, **options)
    stages.train_target(folder, SMALL, **options)
    assert len(steps) == 15 + 40 - 14  # the 14 finished ones are not done again
    weights = [
        AutoModelForCausalLM.from_pretrained(f / "target").state_dict()
        for f in (small_library / "whole", folder)
    ]
    for name, expected in weights[0].items():
        assert torch.equal(weights[1][name], expected), name


def test_a_finished_model_is_not_overwritten(capsys, tmp_path):
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "model.safetensors").write_text("precious")
    (tmp_path / "work").mkdir()
    assert main(["train", "--stage", "target", "--out", str(tmp_path)]) == 2
    assert "not overwritten" in capsys.readouterr().err
    assert (tmp_path / "target" / "model.safetensors").read_text() == "precious"


@pytest.mark.slow
def test_the_recorded_figures_are_those_of_the_shipped_pair(pair):
    """A twentieth of the held-out windows gives about what data/evaluation.json records."""
    recorded = json.loads((DATA / "evaluation.json").read_text())
    for part, sources in (("", corpus), ("package_", dependencies)):
        measured = teacher_forced(pair, sources.held_out_sources(), windows=14)
        for name, value in measured.items():
            assert value == pytest.approx(recorded[part + name], rel=0.06), name
        assert recorded[f"{part}target_loss"] < recorded[f"{part}draft_loss"]
