"""`make test`: every check runs, even after failures; the end names those that failed."""

import os
import subprocess

import pytest

from course_utils.classroom.notebooks import NOTEBOOKS

READY = ("READY", "TEST_READY", "WORKSHOP_READY")
CHECKS = 8
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
STUB = """#!/bin/sh
echo "ran ${0##*/} $*" >> "$RAN"
case "$*" in $FAILS) exit 1;; esac
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fails", "last", "status"),
    [("never", "every check is green", 0), ("*tests/browser*", "RED: tests browser", 2)],
)
def test_every_check_runs_and_the_end_says_which_are_red(tmp_path, fails, last, status):
    """A project with stubs for the programs in .venv."""
    for name in ("ruff", "lint-imports", "mypy", "python"):
        (tmp_path / name).write_text(STUB)
        (tmp_path / name).chmod(0o755)
    for name in READY:
        (tmp_path / name).touch()
    ready = [f"BIN={tmp_path}", *(f"{name}={tmp_path / name}" for name in READY)]
    done = subprocess.run(
        ["make", "test", *ready], cwd=NOTEBOOKS.parent, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env=ENVIRONMENT | {"FAILS": fails, "RAN": str(tmp_path / "ran")},
    )  # fmt: skip
    assert (tmp_path / "ran").read_text().count("\n") == CHECKS
    lines = [line for line in done.stdout.splitlines() if not line.startswith("make")]
    assert (done.returncode, lines[-1]) == (status, last)


def test_lab_opens_the_copies_and_clean_leaves_them():
    def dry(*arguments):
        command = ["make", "--dry-run", *arguments]
        return subprocess.check_output(command, cwd=NOTEBOOKS.parent, env=ENVIRONMENT, text=True)

    assert "lab --folder my_lessons" in dry("lab")
    assert "lab --folder notebooks" in dry("lab", "FOLDER=notebooks")
    assert "my_lessons" not in dry("clean")
