"""Which dtype a processor gets, by what it says of itself, and how many cores a process takes."""

import os
import subprocess
import sys

import pytest
import torch

from course_utils.commands.program import SPIN_TURNS, share_the_machine
from course_utils.models import device
from course_utils.models.cores import cores_given, threads_for
from course_utils.models.device import to_dtype

CPU = torch.device("cpu")


@pytest.mark.parametrize(
    ("onednn", "instructions", "expected"),
    [
        (True, {"avx512_bf16": True}, torch.bfloat16),
        (True, {"amx_bf16": True}, torch.bfloat16),
        (True, {"avx512_bw": True}, torch.float32),  # oneDNN packs it, the CPU emulates it
        (False, {"avx512_bf16": True}, torch.float32),  # oneDNN was told not to use it
    ],
)
def test_auto_takes_bfloat16_only_where_it_is_native(monkeypatch, onednn, instructions, expected):
    monkeypatch.setattr(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", lambda: onednn)
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: instructions)
    monkeypatch.setattr(device.platform, "machine", lambda: "x86_64")
    assert to_dtype("auto", CPU) == expected


@pytest.mark.parametrize(
    ("capability", "native"),
    [
        ((5, 2), ["float32"]),
        ((6, 0), ["float32", "float16"]),
        ((7, 5), ["float32", "float16"]),  # a T4
        ((8, 0), ["float32", "bfloat16", "float16"]),
    ],
)
def test_auto_takes_what_a_gpu_multiplies(monkeypatch, capability, native):
    def supported(including_emulation=True):
        return including_emulation or capability >= (8, 0)

    monkeypatch.setattr(torch.cuda, "is_bf16_supported", supported)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: capability)
    gpu = torch.device("cuda", 0)
    assert device.native_dtypes(gpu) == native
    best = {1: "float32", 2: "float16", 3: "bfloat16"}[len(native)]
    assert to_dtype("auto", gpu) == device.DTYPES[best]


@pytest.mark.parametrize("machine", ["arm64", "aarch64"])
@pytest.mark.parametrize("absent", [True, False])
def test_arm_takes_float32(monkeypatch, machine, absent):
    monkeypatch.setattr(device.platform, "machine", lambda: machine)
    if absent:
        monkeypatch.delattr(torch.backends, "mkldnn")
    assert to_dtype("auto", CPU) == torch.float32


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity on this system")
def test_the_cores_are_those_that_were_given(monkeypatch):
    """A process that is bound to one core counts one, whatever the machine has."""
    for text, expected in (("3", 3), ("", 1), ("many", 1)):
        bound = (
            "import os; os.sched_setaffinity(0, list(os.sched_getaffinity(0))[:1]);"
            "from course_utils.models.cores import cores_given; print(cores_given())"
        )
        run = subprocess.run(
            [sys.executable, "-c", bound], env=os.environ | {"OMP_NUM_THREADS": text},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert int(run.stdout) == expected
    monkeypatch.setenv("OMP_NUM_THREADS", "6")  # which only a model of real size takes
    assert (threads_for("tiny"), threads_for("qwen3"), cores_given()) == (1, 6, 6)


@pytest.mark.parametrize("own", [{}, {"OMP_WAIT_POLICY": "ACTIVE", "GOMP_SPINCOUNT": "7"}])
def test_what_is_started_shares_the_machine(monkeypatch, own):
    """With the cores that were given; what the user has set stays."""
    monkeypatch.setattr(os, "environ", environment := dict(own))
    share_the_machine()
    expected = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": SPIN_TURNS}
    assert environment == {"OMP_NUM_THREADS": str(cores_given())} | expected | own
