"""What the targets of make run, and what they leave."""

import os
import subprocess

from course_utils.classroom.notebooks import NOTEBOOKS

ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}


def test_lab_opens_the_copies_and_clean_leaves_them():
    def dry(*arguments):
        command = ["make", "--dry-run", *arguments]
        return subprocess.check_output(command, cwd=NOTEBOOKS.parent, env=ENVIRONMENT, text=True)

    assert "lab --folder my_lessons" in dry("lab")
    assert "lab --folder notebooks" in dry("lab", "FOLDER=notebooks")
    assert "my_lessons" not in dry("clean")
