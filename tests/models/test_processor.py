"""The dtype for a processor, by its features, and the number of cores for a process."""

import os

import pytest
import torch

from course_utils.models import device
from course_utils.models.cores import cores_given, threads_for
from course_utils.models.device import to_dtype

CPU = torch.device("cpu")


@pytest.mark.parametrize(
    ("onednn", "instructions", "expected"),
    [
        (True, {"avx512_bf16": True}, torch.bfloat16),
        (True, {"amx_bf16": True}, torch.bfloat16),
        (True, {"avx512_bw": True}, torch.float32),  # the CPU emulates it
        (False, {"avx512_bf16": True}, torch.float32),  # oneDNN was told not to use it
    ],
)
def test_auto_takes_bfloat16_only_where_it_is_native(monkeypatch, onednn, instructions, expected):
    monkeypatch.setattr(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", lambda: onednn)
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: instructions)
    assert to_dtype("auto", CPU) == expected
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    assert to_dtype("auto", CPU) == torch.float32


@pytest.mark.parametrize(
    ("capability", "native"),
    [
        ((7, 5), ["float32", "float16"]),  # a T4
        ((8, 0), ["float32", "bfloat16", "float16"]),
    ],
)
def test_auto_takes_what_a_gpu_multiplies(monkeypatch, capability, native):
    def supported(including_emulation=True):
        return including_emulation or capability >= (8, 0)

    monkeypatch.setattr(torch.cuda, "is_bf16_supported", supported)
    gpu = torch.device("cuda", 0)
    assert device.native_dtypes(gpu) == native
    best = {2: "float16", 3: "bfloat16"}[len(native)]
    assert to_dtype("auto", gpu) == device.DTYPES[best]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity on this system")
def test_the_cores_are_those_that_were_given(monkeypatch):
    """A process bound to one core counts one, whatever the machine has."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {3})
    for text, expected in (("3", 3), ("", 1), ("many", 1)):
        monkeypatch.setenv("OMP_NUM_THREADS", text)
        assert cores_given() == threads_for("qwen3") == expected
    monkeypatch.setenv("OMP_NUM_THREADS", "6")  # which only a model of real size takes
    assert (threads_for("tiny"), threads_for("qwen3")) == (1, 6)
