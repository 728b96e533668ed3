"""The project's workflows on GitHub: pinned by commit, with minimal rights."""

import re
from pathlib import Path

import pytest
import yaml

FILES = sorted((Path(__file__).parents[2] / ".github" / "workflows").glob("*.y*ml"))
PINNED = re.compile(r"\s*(- )?uses: [\w.-]+(/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_actions_are_pinned_and_a_job_that_may_write_runs_no_code_of_the_project(path):
    text = path.read_text("utf-8")
    used = [line for line in text.splitlines() if "uses:" in line]
    assert used
    assert [line for line in used if not PINNED.fullmatch(line)] == []
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    for job in workflow["jobs"].values():
        if "write" in job["permissions"].values():
            assert all("run" not in step for step in job["steps"])
            assert "checkout" not in str(job["steps"])
