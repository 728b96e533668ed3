"""Memory: every limit on this process counts, the form that fits is chosen, a shortage is named."""

import subprocess
import sys

import numpy as np
import psutil
import pytest
import torch
from transformers import AutoTokenizer

from course_utils.__main__ import main
from course_utils.models.causes import BadWeights
from course_utils.models.folder import memory_needed
from course_utils.models.load import MARGIN
from course_utils.models.names import PAIRS
from course_utils.shortage import MemoryShortage, failing_as, naming_shortage, process_memory
from tests.conftest import random_qwen3

MB, NO_LIMIT = 10**6, 2**63 - 4096
V2, V1 = ("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")
UNITED, BY_KIND = "0::/a/b\n", "9:cpu,cpuacct:/x\n4:memory:/a/b\n0::/a\n"
GROUPS = {  # {name: (the process's groups, {folder: (limit, use, cached files)}, free, total)}
    "none": (UNITED, {}, 800, 1000),
    "no limit": (UNITED, {"a/b": ("max", 5, 0)}, 800, 1000),
    "caches are free": (UNITED, {"a/b": (300, 290, 90)}, 100, 300),
    "around it": (UNITED, {"": (900, 50, 0), "a": (400, 350, 0), "a/b": (300, 100, 0)}, 50, 300),
    "in a container": (UNITED, {"": (300, 100, 0)}, 200, 300),
    "used up": (UNITED, {"a/b": (300, 301, 0)}, 0, 300),
    "version 1": (BY_KIND, {"a/b": (300, 290, 90)}, 100, 300),
    "around it, version 1": (BY_KIND, {"a": (400, 350, 0), "a/b": (NO_LIMIT, 0, 0)}, 50, 400),
}


@pytest.mark.parametrize("name", GROUPS)
def test_the_smallest_limit_of_the_control_groups_counts(monkeypatch, tmp_path, name):
    of_process, groups, free, total = GROUPS[name]
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text(of_process)
    top, files = tmp_path / "sys/fs/cgroup", V2
    if of_process == BY_KIND:
        top, files = top / "memory", V1
    for folder, (limit, use, cached) in groups.items():
        (top / folder).mkdir(parents=True, exist_ok=True)
        for file, size in zip(files, (limit, use), strict=True):
            scaled = size if size in ("max", NO_LIMIT) else size * MB
            (top / folder / file).write_text(f"{scaled}\n")
        prefix = "total_" * (files == V1)
        (top / folder / "memory.stat").write_text(
            f"anon 7\n{prefix}inactive_file {cached * MB - 1}\n{prefix}active_file {1}\n"
        )
    of_machine = type("", (), {"total": 1000 * MB, "available": 800 * MB})
    monkeypatch.setattr(psutil, "virtual_memory", lambda: of_machine)
    assert process_memory(tmp_path) == (free * MB, total * MB)


LIMIT = """
import resource, psutil
from course_utils.shortage import process_memory
used = getattr(psutil.Process().memory_info(), {field!r}) + 50_000_000
resource.setrlimit(resource.{limit}, (used, used))
free, total = process_memory()
print(total == used and 0 < free <= 50_000_000)
"""


@pytest.mark.parametrize(("limit", "field"), [("RLIMIT_DATA", "data"), ("RLIMIT_AS", "vms")])
def test_a_limit_of_the_process_counts(limit, field):
    script = LIMIT.format(limit=limit, field=field)
    assert subprocess.check_output([sys.executable, "-c", script], text=True) == "True\n"


CHOICE = """
import psutil, resource, sys
from course_utils import load_pair
from course_utils.models import load
load_pair("tiny").write("hi", max_new_tokens=4).finish()  # threads and libraries
read = load.read_source

def limited(name):
    most = psutil.Process().memory_info().data + int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    return read(name)

load.read_source = limited
try:
    pair = load_pair(sys.argv[1], dtype="float32")
    pair.write("hi " * 100, drafter="none", max_new_tokens=8).finish()
    print(type(pair.target).__name__)
except MemoryError as error:
    print(type(error).__name__)
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """The folder of a random Qwen3 of a few hundred megabytes, and its need."""
    folder = tmp_path_factory.mktemp("large")
    model = random_qwen3(layers=40, vocabulary=4096, context=4096, hidden=1024)
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(PAIRS["tiny"][0]).save_pretrained(folder)
    return str(folder), memory_needed(model.config, torch.float32, 4096)


@pytest.mark.parametrize("chosen", ["OnnxQwen3", "Qwen3", "MemoryShortage"])
def test_under_a_limit_the_form_that_fits_is_chosen_and_writes(large, chosen):
    folder, need = large
    room = {
        "OnnxQwen3": need.on_onnx(1).total + MARGIN + 30 * MB,
        "Qwen3": need.on_onnx(1).total + MARGIN - 30 * MB,
        "MemoryShortage": need.total - 30 * MB,
    }
    command = [sys.executable, "-c", CHOICE, folder, str(room[chosen])]
    assert subprocess.check_output(command, text=True).split() == [chosen]


ERRORS = {
    "C++": RuntimeError("[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : std::bad_alloc"),
    "torch": RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1"),
    "a file": RuntimeError("unable to mmap 538090408 bytes: Cannot allocate memory (12)"),
    "a thread": RuntimeError("can't start new thread"),
    "the system": OSError(12, "Cannot allocate memory"),
    "Python": MemoryError(),
    "NumPy": np._core._exceptions._ArrayMemoryError((2**20, 5), np.dtype("float32")),
}


@pytest.mark.parametrize("name", ERRORS)
def test_a_shortage_is_named_whatever_a_library_calls_it(monkeypatch, capsys, name):
    def fail(*_):
        raise ERRORS[name]

    for around in (naming_shortage(), failing_as(BadWeights, "the weights cannot be loaded")):
        with pytest.raises(MemoryShortage), around:
            fail()
    monkeypatch.setattr("course_utils.commands.progress.main", fail)
    assert main(["progress"]) == 2
    assert capsys.readouterr().err.startswith("error: out of memory")


def test_another_error_is_not_a_shortage():
    with pytest.raises(KeyError), naming_shortage():
        raise KeyError("memory")
    with pytest.raises(BadWeights), failing_as(BadWeights, "no weights"):
        raise RuntimeError("size mismatch")
