"""What a device has, what is free, what was held and what is given back; on a CPU, and on a GPU
that is made up."""

import platform
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
import torch

from course_utils.models.loading.memory import (
    CPU,
    MemoryShortage,
    Need,
    check_memory,
    device_memory,
    giving_back,
)
from tests.forks import result_of


def test_a_process_held_at_least_what_it_holds():
    before = device_memory(CPU)
    held = np.ones(60_000_000)  # 480 MB, all of it touched
    after = device_memory(CPU)
    assert after.peak >= held.nbytes
    assert before.peak <= after.peak
    assert 0 < after.free < after.total


@pytest.fixture
def gpu(monkeypatch):
    place = torch.device("cuda", 1)
    asked = {place: ((3 * 10**9, 16 * 10**9), 9 * 10**9)}
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device: asked[device][0])
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda device: asked[device][1])
    return place


def test_a_gpu_is_asked_itself(gpu):
    memory = device_memory(gpu)
    assert (memory.free, memory.total, memory.peak) == (3 * 10**9, 16 * 10**9, 9 * 10**9)
    assert str(memory) == "3.0 GB of 16.0 GB free, at most 9.0 GB held by this process so far"


def test_a_refusal_says_what_the_device_has(gpu):
    with pytest.raises(MemoryShortage, match=r"\(cuda:1: 3.0 GB of 16.0 GB free, at most 9.0 GB"):
        check_memory(["a"], [Need(10**10, 0)], 3 * 10**9, torch.float16, 64, device=gpu)


MIB = 2**20


def resident() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def given_back(inside: bool) -> int:
    """Bytes of 200 MiB, every second tensor of 400, that the system has back when they are gone."""
    torch.ones(30 * MIB // 4)  # from now on malloc would cut what is smaller from its heap
    with giving_back() if inside else nullcontext():
        held = [torch.ones(MIB) for _ in range(100)]
        before = resident()
        del held[::2]
        return before - resident()


@pytest.mark.slow
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="elsewhere nothing is changed")
def test_a_tensor_that_goes_leaves_no_hole():
    assert result_of(given_back, True) > 190 * MIB
    assert result_of(given_back, False) < 20 * MIB  # or this would show nothing
