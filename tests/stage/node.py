"""Call functions of the stage's modules in node, with values from pytest."""

import atexit
import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from filelock import FileLock

COURSE = Path(__file__).parents[2]
STAGE = COURSE / "stage"
ANSWER = """
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", async (line) => {
  const { module, name, cases } = JSON.parse(line);
  const answer = await import(module)
    .then((found) => ({ found: cases.map((c) => found[name](...c)) }))
    .catch((error) => ({ failed: error.stack }));
  console.log(JSON.stringify(answer));
});
"""


def need_node() -> str:
    """Return the path of node; skip the test without it, unless NODE_REQUIRED is set."""
    node = shutil.which("node")
    if node is None:
        if "NODE_REQUIRED" in os.environ:
            raise FileNotFoundError("no node here, and NODE_REQUIRED is set: install node 20")
        pytest.skip("no node here: install node 20")
    return node


def need_modules(folder: str = "stage") -> Path:
    """Return the folder's node_modules, installed if NODE_REQUIRED is set; else skip the test."""
    need_node()
    modules, build = COURSE / folder / "node_modules", COURSE / "build"
    build.mkdir(exist_ok=True)
    with FileLock(build / "npm.lock"):  # one worker installs while others wait
        if not (modules / ".package-lock.json").exists():  # npm writes it when all is there
            if "NODE_REQUIRED" not in os.environ:
                pytest.skip(f"npm's modules are not there: npm ci --prefix {folder}")
            npm = [shutil.which("npm"), "ci", "--prefix", folder, "--no-audit", "--no-fund"]
            subprocess.run(npm, check=True, capture_output=True, cwd=COURSE)
    return modules


def called(module: str, name: str, cases: list[list]) -> list:
    """[module's name(*case) for each case]; `module` is a path in stage/, "formulas/x.mjs"."""
    request = {"module": (STAGE / module).as_uri(), "name": name, "cases": cases}
    answer = _answer(request)
    if "Cannot find package" in answer.get("failed", ""):
        need_modules()
        _node.cache_clear()  # the old one remembers that the package was not there
        answer = _answer(request)
    assert "found" in answer, answer["failed"]
    return answer["found"]


def _answer(request: dict) -> dict:
    node = _node()
    node.stdin.write(f"{json.dumps(request)}\n")
    node.stdin.flush()
    return json.loads(node.stdout.readline())


@cache
def _node() -> subprocess.Popen[str]:
    """Return one process for all calls, because starting it takes longer than most of them."""
    node = subprocess.Popen(
        [need_node(), "-e", ANSWER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    atexit.register(node.kill)
    return node
