"""`make test`: every check runs, whatever became of the others; the end says which failed."""

import os
import subprocess

from course_utils.classroom.notebooks import NOTEBOOKS

READY = ("READY", "TEST_READY", "WORKSHOP_READY")
CHECKS = ["ruff", "format", "imports", "lint", "tests", "browser", "notebooks"]
STUB = """#!/bin/sh
echo "ran ${0##*/} $*" >> "$RAN"
case "$*" in $FAILS) exit 1;; esac
"""


def test_lab_opens_the_copies_and_clean_leaves_them():
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    command = ["make", "--dry-run"]
    for arguments, words in ((["lab"], "my_lessons"), (["lab", "FOLDER=notebooks"], "notebooks")):
        printed = subprocess.check_output(
            [*command, *arguments], cwd=NOTEBOOKS.parent, env=environment, text=True
        )
        assert f"lab --folder {words}" in printed
    clean = subprocess.check_output(
        [*command, "clean"], cwd=NOTEBOOKS.parent, env=environment, text=True
    )
    assert "my_lessons" not in clean
