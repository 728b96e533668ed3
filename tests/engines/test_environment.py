"""vLLM's environment: what is installed, and what an interrupted or strange one becomes."""

import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest

from course_utils.engines import environment
from course_utils.engines.environment import SUFFIX, create, package_here, python

WANTED = ["vllm==0", "--extra-index-url", "https://example.org/x"]


class Pip:
    """In place of venv and pip: makes the files, and fails or is interrupted on demand."""

    def __init__(self):
        self.called, self.variables, self.ends = [], [], {}

    def __call__(self, step, env):
        self.called.append(step[2:])
        self.variables.append(env)
        what = step[2] if step[2] == "venv" else step[4]
        if step[2] == "venv":
            folder = Path(step[3])
            folder.mkdir()
            (folder / "pyvenv.cfg").write_text("")
            python(folder).parent.mkdir()
        else:
            (Path(step[0]).parents[1] / what.replace("/", "_")).write_text("installed")
        end = self.ends.pop(what, 0)
        if isinstance(end, BaseException):
            raise end
        return subprocess.CompletedProcess(step, end)


@pytest.fixture
def pip(monkeypatch):
    pip = Pip()
    monkeypatch.setattr(environment.subprocess, "run", pip)
    monkeypatch.setattr(environment, "ROOM", 0)
    monkeypatch.setattr(environment, "_without_broken_media", lambda folder: None)
    return pip


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "deep" / ".engine"


def test_an_environment_is_made_once(pip, folder):
    folder.mkdir(parents=True)  # an empty folder is nobody's
    create(WANTED, folder)
    assert pip.called == [
        ["venv", str(folder)],
        ["pip", "install", *WANTED],
        ["pip", "install", SUFFIX],
    ]
    create(WANTED, folder)
    assert len(pip.called) == 3


def test_other_packages_make_another_one(pip, folder):
    create(WANTED, folder)
    create(["vllm==1"], folder)
    assert len(pip.called) == 6
    assert not (folder / "vllm==0").exists()
    assert (folder / "packages").read_text() == "vllm==1"
    (folder / "packages").write_bytes(b"\xff\xfe")
    create(["vllm==1"], folder)
    assert len(pip.called) == 9


@pytest.mark.parametrize(
    ("what", "said"),
    [("venv", "python3-venv"), ("vllm==0", "install vllm==0 .*PACKAGE="), (SUFFIX, SUFFIX)],
)
@pytest.mark.parametrize("end", [KeyboardInterrupt(), 1], ids=["interrupted", "failed"])
def test_what_was_interrupted_is_made_again_and_a_failure_told(pip, folder, what, said, end):
    pip.ends = {what: end}
    with pytest.raises((KeyboardInterrupt, RuntimeError), match=said if end == 1 else None):
        create(WANTED, folder)
    pip.called.clear()
    create(WANTED, folder)
    assert [step[0] for step in pip.called] == ["venv", "pip", "pip"]


@pytest.mark.parametrize("at", range(5))
def test_a_clearing_that_was_interrupted_is_done_again(pip, folder, monkeypatch, at):
    """Whatever is gone: the old stamp is, first of all, and the mark is last."""
    create(WANTED, folder)
    removed, remove, unlink = [], shutil.rmtree, Path.unlink

    def count(path):
        if path.name in {"bin", "packages", "vllm==0", SUFFIX, ".engine"}:
            if len(removed) == at:
                raise KeyboardInterrupt
            removed.append(path.name)

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", lambda path: (count(path), remove(path)))
        patch.setattr(Path, "unlink", lambda path, **more: (count(path), unlink(path, **more)))
        with pytest.raises(KeyboardInterrupt):
            create(["vllm==1"], folder)
    assert not removed or removed[0] == "packages"
    pip.called.clear()
    create(WANTED, folder)
    assert len(pip.called) == (0 if at == 0 else 3)


def test_a_folder_that_is_no_environment_is_refused(pip, folder):
    folder.mkdir(parents=True)
    (folder / "thesis.tex").write_text("years of work")
    with pytest.raises(FileExistsError, match="is no environment: move it away"):
        create(WANTED, folder)
    assert (folder / "thesis.tex").read_text() == "years of work"
    assert pip.called == []


@pytest.mark.parametrize("kind", ["file", "link", "dangling link"])
def test_what_is_no_folder_is_refused(pip, folder, tmp_path, kind):
    folder.parent.mkdir()
    if kind == "file":
        folder.write_text("")
    else:
        folder.symlink_to(tmp_path / "elsewhere")
    if kind == "link":
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "elsewhere" / "pyvenv.cfg").write_text("")
    with pytest.raises(FileExistsError, match="is no folder: move it away"):
        create(WANTED, folder)
    assert pip.called == []


def test_a_whole_environment_behind_a_link_is_used(pip, folder, tmp_path):
    create(WANTED, tmp_path / "elsewhere")
    folder.parent.mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    create(WANTED, folder)
    assert len(pip.called) == 3


def test_links_inside_are_removed_and_not_followed(pip, folder, tmp_path):
    create(WANTED, folder)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "kept").write_text("")
    (folder / "lib64").symlink_to(tmp_path / "mine")
    create(["vllm==1"], folder)
    assert (tmp_path / "mine" / "kept").exists()


def test_without_room_nothing_is_begun(pip, folder, monkeypatch):
    monkeypatch.setattr(environment, "ROOM", 1e30)
    with pytest.raises(OSError, match="GB are free; the engine wants about"):
        create(WANTED, folder)
    assert pip.called == []
    assert not folder.exists()


def test_two_do_not_make_it_at_once(pip, folder, monkeypatch):
    monkeypatch.setattr(environment, "alone", partial(environment.alone, patience=0))
    folder.parent.mkdir()
    with (
        environment.alone(folder),
        pytest.raises(TimeoutError, match="another program has kept it"),
    ):
        create(WANTED, folder)
    assert pip.called == []


def test_our_packages_do_not_get_into_it(pip, folder, monkeypatch):
    for name in ("PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("PIP_INDEX_URL", "https://example.org/simple")
    create(WANTED, folder)
    for variables in pip.variables:
        assert not {"PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET"} & variables.keys()
        assert variables["PIP_INDEX_URL"] == "https://example.org/simple"


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_wheel_is_the_machines(machine):
    wheel, *index = package_here(False, "Linux", machine)
    assert wheel.endswith(f"_{machine}.whl")
    assert index == ["--extra-index-url", environment.CPU_TORCH]
    assert package_here(True, "Linux", machine) == [f"vllm=={environment.VERSION}"]
    for gpu in (True, False):
        for system, other in (("Darwin", machine), ("Linux", "riscv64")):
            with pytest.raises(ValueError, match=f"{system} on {other}.*Docker.*recorded session"):
                package_here(gpu, system, other)


@pytest.mark.parametrize("media", ["fit", "do not fit", "stay"])
def test_packages_of_another_build_than_torch_are_removed(monkeypatch, folder, media):
    called = []

    def run(step, env, **more):
        called.append(step[1:])
        fails = (media != "fit" and step[1] == "-c") or media == "stay"
        return subprocess.CompletedProcess(step, int(fails))

    monkeypatch.setattr(environment.subprocess, "run", run)
    if media == "stay":
        with pytest.raises(RuntimeError, match=r"delete \.engine"):
            environment._without_broken_media(folder)
    else:
        environment._without_broken_media(folder)
    removed = ["-m", "pip", "uninstall", "--yes", "torchvision", "torchaudio", "torchcodec"]
    assert called[0] == ["-c", "import torchvision, torchaudio, torchcodec"]
    assert called[1:] == ([] if media == "fit" else [removed])
