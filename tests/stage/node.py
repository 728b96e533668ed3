"""Functions of the stage's modules, called by node on values that pytest chose."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

STAGE = Path(__file__).parents[2] / "stage"
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
        pytest.skip("no node here: the stage's own functions are not compared with Python's")
    return node


def need_modules() -> Path:
    """stage/node_modules, installed if need be; skipped where nobody asked for that."""
    need_node()
    modules = STAGE / "node_modules"
    if not modules.exists():
        if "NODE_REQUIRED" not in os.environ:
            pytest.skip("stage/node_modules is not installed: npm ci --prefix stage")
        npm = [shutil.which("npm"), "ci", "--prefix", str(STAGE), "--no-audit", "--no-fund"]
        subprocess.run(npm, check=True, capture_output=True)
    return modules


def called(module: str, name: str, cases: list[list]) -> list:
    """[module's name(*case) for each case]; `module` is a path in stage/, "formulas/x.mjs"."""
    given = {"module": (STAGE / module).as_uri(), "name": name, "cases": cases}
    run = subprocess.run(
        [need_node(), "-e", CALL], input=json.dumps(given), capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)
