"""`train` once more: other settings are named, and reuse nothing."""

import os
import shutil
import sys
import threading
from dataclasses import replace

import pytest
import torch
from tqdm.auto import tqdm

from course_utils.training import corpus
from tests.forks import exit_status
from workshop.__main__ import main
from workshop.commands import train
from workshop.training import dependencies, evaluate, pretrain
from workshop.training.recipes import Recipe

TINY = Recipe(
    layers=1, hidden=64, intermediate=96, tokens=8 * 256, batch_tokens=256, length=32,
    long_length=64,
)  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A "standard library" of two modules, one of them held out."""
    root = tmp_path_factory.mktemp("library")
    text = "def f(x):\n    return x + 1\n\n\nclass A:\n    value = f(1)\n" * 60
    for name in ("os.py", "textwrap.py"):
        (root / name).write_text(f"# {name}\n{text}")
    return root


def made_tiny(monkeypatch, library):
    """`train` as it is, but for the size of everything."""
    monkeypatch.setattr(corpus, "standard_library", lambda: library)
    monkeypatch.setattr(dependencies, "LEARNED", ())
    monkeypatch.setattr(dependencies, "HELD_OUT", ("matplotlib/units.py",))
    monkeypatch.setattr(train, "TARGET", TINY)
    monkeypatch.setattr(train, "DRAFT", replace(TINY, tokens=6 * 256))
    monkeypatch.setattr(pretrain, "LOGGED_TOKENS", 2 * 256)
    monkeypatch.setattr(evaluate, "held_out_prompts", lambda kind: ["def f"])


def arguments(folder, *others):
    return ["train", "--out", str(folder), "--checkpoint-seconds", "0", "--windows", "2", *others]


def one_life(library, folder):
    """Run `train` in this process."""
    torch.set_num_threads(1)
    tqdm.set_lock(threading.RLock())  # its own is a semaphore, which would leak
    made_tiny(pytest.MonkeyPatch(), library)
    sys.stdout = sys.stderr = open(folder.with_suffix(".said"), "a")  # noqa: SIM115
    os._exit(main(arguments(folder)))


def lived(library, folder):
    return exit_status(one_life, library, folder)


@pytest.fixture(scope="module")
def whole(library, tmp_path_factory):
    """What a run that was not killed leaves."""
    folder = tmp_path_factory.mktemp("whole") / "pair"
    assert lived(library, folder) == 0, folder.with_suffix(".said").read_text()
    return folder


@pytest.fixture
def copy(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "pair")


# --- other settings -----------------------------------------------------------------


def refused(capsys, folder, *options):
    before = sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*"))
    assert main(arguments(folder, *options)) == 2
    assert sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*")) == before
    error = capsys.readouterr().err
    assert error.count("\n") == 1, error
    return error


@pytest.mark.parametrize("unfinished", [False, True])
def test_other_settings_are_named_and_nothing_is_reused(
    capsys, monkeypatch, library, copy, unfinished
):
    made_tiny(monkeypatch, library)
    if unfinished:
        shutil.rmtree(copy / "target")
        shutil.rmtree(copy / "draft")
    place = copy / "work" / "draft" if unfinished else copy / "draft"
    error = refused(capsys, copy, "--draft-tokens", "256")
    assert f"{place} was made with other settings: tokens is 1536 there and 256 here." in error
    assert "seed is 0 there and 1 here" in refused(capsys, copy, "--seed", "1")
    assert "layers is 1 there and 2" in refused_with(capsys, monkeypatch, copy, layers=2)
    (copy.parent / "library").mkdir()
    for path in library.iterdir():
        (copy.parent / "library" / path.name).write_text(path.read_text() + "\nx = 1\n")
    made_tiny(monkeypatch, copy.parent / "library")
    assert "standard_library is " in refused(capsys, copy)
    assert "standard_library is " in refused(capsys, copy, "--stage", "draft")


def refused_with(capsys, monkeypatch, folder, **change):
    with monkeypatch.context() as patch:
        patch.setattr(train, "TARGET", replace(TINY, **change))
        return refused(capsys, folder)
