"""On a machine where the course has never run, no library stores an id or a file in the home."""

import json
import os
import subprocess
import sys

import pytest

from course_utils.classroom.notebooks import NOTEBOOKS, lesson_paths

USED = ("PATH", "OMP_NUM_THREADS", "OMP_WAIT_POLICY")  # and no variable that switches anything off


def first_cells(lesson):
    """Return a lesson's code up to the cell that loads the pair."""
    cells = json.loads(lesson_paths([lesson])[0].read_text("utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    loading = next(i for i, source in enumerate(code) if "load_pair(" in source)
    return "\n".join(code[: loading + 1])


@pytest.mark.parametrize(
    "command",
    [
        ["-m", "course_utils", "doctor"],
        ["-c", first_cells("13")],
        ["-c", "import workshop.bench.competitors, onnxruntime_genai"],
    ],
    ids=["doctor", "lesson 13", "bench"],
)
def test_nothing_is_left_in_a_fresh_home(tmp_path, command):
    environment = {name: os.environ[name] for name in USED if name in os.environ}
    run = subprocess.run(
        [sys.executable, *command], cwd=NOTEBOOKS.parent, capture_output=True, text=True,
        env=environment | {"HOME": str(tmp_path), "PYTHONPATH": str(NOTEBOOKS.parent)},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
