"""One fault of vLLM on CPUs, mended in the environment's own copy, to see what it cost.

Where a request is sampled, vLLM spreads its temperature over the rows to be verified.
The CPU's stand-in for that kernel fills a converted copy and throws it away, so the rows
are divided by whatever the memory held (REFERENCES.md: vllm-55005).  Greedy requests do
not come this way.
"""

from pathlib import Path

from course_utils.classroom.files import write_whole
from course_utils.engines.environment import FOLDER

ISSUE = "vllm-project/vllm#55005"
FILE = "lib/python3*/site-packages/vllm/utils/cpu_triton_utils.py"
FAULT = """    torch.ops._C.expand_kernel_impl(
        _ensure_int64(output),
        _ensure_int64(input_val),
        _ensure_int64(cu_num_tokens),
        replace_from,
        replace_to,
    )
"""
MENDED = """    replaced = torch.where(input_val == replace_from, replace_to, input_val)
    counts = cu_num_tokens.diff(prepend=cu_num_tokens.new_zeros(1))
    output.copy_(replaced.repeat_interleave(counts))
"""


def repaired(folder: Path = FOLDER) -> bool:
    """Has this environment's copy been mended?

    Raises:
        ValueError: it has no such copy: vLLM is built for another kind of machine.
    """
    return MENDED in _text(_file(folder))


def repair(folder: Path = FOLDER, back: bool = False) -> None:
    """Mend the copy, or put it `back` as it was released.

    Raises:
        ValueError: this version has neither the fault nor the mending: look at it by hand.
        OSError: it cannot be written to.
    """
    file, (old, new) = _file(folder), (MENDED, FAULT) if back else (FAULT, MENDED)
    text = _text(file)
    if (text.count(old), text.count(new)) == (0, 1):
        return
    if (text.count(old), text.count(new)) != (1, 0):
        raise ValueError(f"this vLLM's {file.name} is not the one that {ISSUE} speaks of")
    write_whole(file, text.replace(old, new))


def _text(file: Path) -> str:
    return file.read_bytes().decode("utf-8")


def _file(folder: Path) -> Path:
    found = sorted(folder.glob(FILE))
    if not found:
        raise ValueError(
            f"no vLLM with a CPU's stand-ins in {folder.name}: there is nothing to mend"
        )
    return found[0]
