"""`make test`: every check runs, whatever became of the others; the end says which failed."""

import os
import signal
import subprocess
import time

import pytest

from course_utils.classroom.notebooks import NOTEBOOKS

READY = ("READY", "TEST_READY", "WORKSHOP_READY")
CHECKS = ["ruff", "format", "imports", "lint", "tests", "browser", "notebooks"]
STUB = """#!/bin/sh
echo "ran ${0##*/} $*" | tee -a "$RAN"
trap 'kill $! 2>/dev/null; exit 2' INT  # as pytest does
# waited for, since a shell that has just forked may lose a signal
case "$*" in $WAITS) sleep 60 >/dev/null 2>&1 & touch "$RAN.begun"; wait $!;; esac
case "$*" in $FAILS) exit 1;; esac
"""


@pytest.fixture
def tools(tmp_path):
    """Programs that say what they are asked for, in place of those of .venv."""
    for name in ("ruff", "lint-imports", "python"):
        (tmp_path / name).write_text(STUB)
        (tmp_path / name).chmod(0o755)
    for name in ("ready", "test", "workshop"):
        (tmp_path / name).touch()
    return tmp_path


def started(tools, *arguments, target="test", fails="never", waits="never"):
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    ready = [f"BIN={tools}", *(f"{name}={tools}/{name.split('_')[0].lower()}" for name in READY)]
    return subprocess.Popen(
        ["make", target, *ready, *arguments], cwd=NOTEBOOKS.parent, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        env=inherited | {"FAILS": fails, "WAITS": waits, "RAN": str(tools / "ran")},
    )  # fmt: skip


def ran(tools):
    return (tools / "ran").read_text().splitlines()


@pytest.mark.parametrize(
    ("fails", "last", "status"),
    [
        ("never", "every check is green", 0),
        ("check*", "RED: ruff", 2),
        ("*tests/browser*", "RED: tests browser", 2),
        ("*", "RED: " + " ".join(CHECKS), 2),
    ],
)
def test_every_check_runs_and_the_end_says_which_are_red(tools, fails, last, status):
    process = started(tools, fails=fails)
    said, _ = process.communicate()
    assert process.returncode == status
    assert len(ran(tools)) == len(CHECKS)
    lines = [line for line in said.splitlines() if not line.startswith("make")]
    assert lines[-1] == last


def test_the_short_check_has_form_contracts_and_the_heart_of_the_tests(tools):
    process = started(tools, target="check")
    process.communicate()
    assert process.returncode == 0
    programs = [line.split(" ", 2)[1:] for line in ran(tools)]
    assert [name for name, *_ in programs] == ["ruff", "ruff", "lint-imports", "python", "python"]
    assert "workshop lint" in programs[3][1]
    assert "tests/decoding" in programs[4][1]
    assert started(tools, target="check", fails="*lint*").wait() != 0


def test_one_random_order_for_all_and_it_can_be_asked_for_again(tools):
    said, _ = started(tools, "ORDER=random").communicate()
    (seed,) = {word.partition("=")[2] for word in said.split() if "order-seed=" in word}
    assert f"make check-tests ORDER={seed}" in said
    first = ran(tools)
    (tools / "ran").unlink()
    started(tools, f"ORDER={seed}").communicate()
    assert ran(tools) == first
    (tools / "ran").unlink()
    started(tools).communicate()
    assert not any("order" in line for line in ran(tools))


def test_an_interrupt_ends_all_checks(tools):
    process = started(tools, waits="*--check*")
    while not (tools / "ran.begun").exists():
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    process.communicate(timeout=30)
    assert process.returncode != 0
    assert len(ran(tools)) == 2
