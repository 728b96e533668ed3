"""Functions of the stage's modules, called by node on values that pytest chose."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from filelock import FileLock

COURSE = Path(__file__).parents[2]
STAGE = COURSE / "stage"
CALL = """
const { module, name, cases } = JSON.parse(require("fs").readFileSync(0));
import(module).then((found) => console.log(JSON.stringify(cases.map((c) => found[name](...c)))));
"""


def need_node() -> str:
    """The path of node; without one the test is skipped, except where it must not be."""
    node = shutil.which("node")
    if node is None:
        if "NODE_REQUIRED" in os.environ:
            raise FileNotFoundError("no node here, and NODE_REQUIRED is set: install node 20")
        pytest.skip("no node here: install node 20")
    return node


def need_modules(folder: str = "stage") -> Path:
    """The folder's node_modules, installed if need be; skipped where nobody asked for that."""
    need_node()
    modules, build = COURSE / folder / "node_modules", COURSE / "build"
    build.mkdir(exist_ok=True)
    with FileLock(build / "npm.lock"):  # of two workers one installs, and the other waits
        if not (modules / ".package-lock.json").exists():  # npm writes it when all is there
            if "NODE_REQUIRED" not in os.environ:
                pytest.skip(f"npm's modules are not there: npm ci --prefix {folder}")
            npm = [shutil.which("npm"), "ci", "--prefix", folder, "--no-audit", "--no-fund"]
            subprocess.run(npm, check=True, capture_output=True, cwd=COURSE)
    return modules


def called(module: str, name: str, cases: list[list]) -> list:
    """[module's name(*case) for each case]; `module` is a path in stage/, "formulas/x.mjs".

    What it imports, node finds out: where a package of npm's is missing it is asked for.
    """
    given = {"module": (COURSE / "stage" / module).as_uri(), "name": name, "cases": cases}
    run = _asked(given)
    if "Cannot find package" in run.stderr:
        need_modules()
        run = _asked(given)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def _asked(given: dict) -> subprocess.CompletedProcess[str]:
    command = [need_node(), "-e", CALL]
    return subprocess.run(command, input=json.dumps(given), capture_output=True, text=True)
