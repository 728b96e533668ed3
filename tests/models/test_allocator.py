"""What malloc keeps of what was freed between tensors that stay, and that it gives it back."""

import platform
from contextlib import nullcontext
from pathlib import Path

import pytest
import torch

from course_utils.models.memory import giving_back
from tests.forks import result_of

pytestmark = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="elsewhere nothing is changed"
)
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


def test_a_tensor_that_goes_leaves_no_hole():
    assert result_of(given_back, True) > 190 * MIB
    assert result_of(given_back, False) < 20 * MIB  # or this would show nothing
