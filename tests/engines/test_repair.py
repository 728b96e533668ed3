"""One fault, mended in a copy of vLLM and put back."""

import subprocess
import sys

import pytest
import torch

from course_utils.engines.repair import FAULT, MENDED, repair, repaired

BEFORE = "# naïve\nimport torch\n\n\ndef _expand_kernel_impl(output, input_val, cu_num_tokens):\n"
AFTER = "\n\ndef another():\n    pass\n"


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "lib/python3.11/site-packages/vllm/utils/cpu_triton_utils.py"
    file.parent.mkdir(parents=True)
    file.write_bytes((BEFORE + FAULT + AFTER).encode())
    return file


def test_the_text_is_replaced_and_put_back_to_the_last_byte(tmp_path, file):
    released = file.read_bytes()
    assert not repaired(tmp_path)
    for _ in range(2):  # twice is once
        repair(tmp_path)
    assert repaired(tmp_path)
    assert file.read_bytes() == (BEFORE + MENDED + AFTER).encode()
    for _ in range(2):
        repair(tmp_path, back=True)
    assert file.read_bytes() == released
    assert not repaired(tmp_path)


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize(
    "other", ["", "x = 1\n", FAULT + FAULT, MENDED + MENDED, FAULT + MENDED, FAULT.replace(",", "")]
)
def test_a_version_of_another_kind_is_left_alone(tmp_path, file, other, back):
    file.write_text(other)
    with pytest.raises(ValueError, match="is not the one that vllm-project/vllm#55005 speaks of"):
        repair(tmp_path, back=back)
    assert file.read_text() == other


@pytest.mark.parametrize("asked", [repaired, repair])
def test_where_there_is_no_such_file_there_is_nothing_to_mend(tmp_path, asked):
    with pytest.raises(ValueError, match="nothing to mend"):
        asked(tmp_path)


def test_the_mended_lines_do_what_the_kernel_is_for(file, tmp_path):
    """[a, b], up to rows 3 and 5 -> a a a b b, with one value replaced by another."""
    scope = {"torch": torch}
    exec(
        f"def expand(output, input_val, cu_num_tokens, replace_from, replace_to):\n{MENDED}", scope
    )
    output = torch.full((5,), -1.0)
    scope["expand"](output, torch.tensor([0.5, 0.0]), torch.tensor([3, 5]), 0.0, 1.0)
    assert output.tolist() == [0.5, 0.5, 0.5, 1.0, 1.0]
    repair(tmp_path)
    subprocess.run([sys.executable, "-m", "py_compile", file], check=True)
