"""What GitHub runs for the project: pinned by commit, and with no more rights than it needs."""

import re
from pathlib import Path

import pytest
import yaml

FILES = sorted((Path(__file__).parents[2] / ".github" / "workflows").glob("*.y*ml"))
PINNED = re.compile(r"\s*(- )?uses: [\w.-]+(/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_action_is_pinned_by_its_commit_and_says_its_version(path):
    used = [line for line in path.read_text("utf-8").splitlines() if "uses:" in line]
    assert used
    assert [line for line in used if not PINNED.fullmatch(line)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_job_that_may_write_runs_no_command_and_no_code_of_the_project(path):
    workflow = yaml.safe_load(path.read_text("utf-8"))
    assert workflow["permissions"] == {}
    for job in workflow["jobs"].values():
        if "write" in job["permissions"].values():
            assert all("run" not in step for step in job["steps"])
            assert "checkout" not in str(job["steps"])
