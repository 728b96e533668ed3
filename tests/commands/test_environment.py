"""The two descriptions of the environment agree, and the toys stay light."""

import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OPTIONAL = PROJECT["optional-dependencies"].values()
ASKED = list(dict.fromkeys(chain(PROJECT["dependencies"], *OPTIONAL)))  # one may be of two extras


def name(requirement):
    return re.split(r"[<>=!~ ]", requirement)[0].lower()


def test_environment_yml_asks_for_what_pyproject_asks_for():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    *conda, pip = environment["dependencies"]
    python = next(line for line in conda if name(line) == "python")
    assert python.removeprefix("python ") == PROJECT["requires-python"]
    conda_names = {"torch": "pytorch"}
    packages = [line for line in conda if name(line) not in ("python", "pip")]
    assert sorted(packages) == sorted(
        requirement.replace(
            name(requirement), conda_names.get(name(requirement), name(requirement))
        )
        for requirement in ASKED
    )
    assert pip == {"pip": ["--editable ."]}


def test_every_requirement_is_pinned_in_the_constraints():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = dict(re.split("==| ;", line)[:2] for line in lines if not line.startswith("#"))
    for requirement in ASKED:
        assert name(requirement).replace("_", "-") in pins
    assert pins["torch"] == "2.13.0"


def test_an_installed_package_has_the_trained_pair_inside(tmp_path):
    """As in Colab: a plain `pip install`, and no clone beside it."""
    build = [sys.executable, "setup.py", "-q", "build", "--build-base", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    show = "from course_utils.models.names import PAIRS; print(*PAIRS['tiny'], sep='\\n')"
    run = subprocess.run(
        [sys.executable, "-c", show], cwd=tmp_path / "lib", capture_output=True, text=True
    )
    inside = tmp_path / "lib" / "course_utils" / "data"
    assert run.stdout.split() == [str(inside / "target"), str(inside / "draft")], run.stderr
    assert (inside / "draft" / "model.safetensors").exists()


def in_a_fresh_process(script):
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)


HEAVY = """
import sys
heavy = {{{}}} & set(sys.modules)
assert not heavy, heavy
"""

IMPORT = """
import course_utils
assert {"load_pair", "Pair", "generate", "DRAFTERS"} <= set(dir(course_utils))
assert "numpy" not in sys.modules
"""
DECODE = """
from course_utils import PromptLookup, Sampled, generate
from course_utils.models.toys.characters import CharacterModel
for drafter in (Sampled(CharacterModel(accuracy=0.7)), PromptLookup()):
    assert list(generate(CharacterModel(), [0], drafter, max_new_tokens=18))
"""
HELP = """
from course_utils import __main__ as course
from workshop import __main__ as authors
for program in (course, authors):
    for command in ([], *([name] for name in program.COMMANDS)):
        assert program.main([*command, "--help"]) == 0
"""
