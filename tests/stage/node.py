"""Functions of the stage's modules, called by node on values that pytest chose."""

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
    """[module's name(*case) for each case]; `module` is a path in stage/, "formulas/x.mjs"."""
    given = {"module": (STAGE / module).as_uri(), "name": name, "cases": cases}
    answer = _answer(given)
    if "Cannot find package" in answer.get("failed", ""):
        need_modules()
        _node.cache_clear()  # the old one remembers that the package was not there
        answer = _answer(given)
    assert "found" in answer, answer["failed"]
    return answer["found"]


def _answer(given: dict) -> dict:
    node = _node()
    node.stdin.write(f"{json.dumps(given)}\n")
    node.stdin.flush()
    return json.loads(node.stdout.readline())


@cache
def _node() -> subprocess.Popen[str]:
    """One for all calls: to start it takes longer than most of them do."""
    node = subprocess.Popen(
        [need_node(), "-e", ANSWER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    atexit.register(node.kill)
    return node
