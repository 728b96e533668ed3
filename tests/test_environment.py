"""The two descriptions of the environment agree, and the toys stay light."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def name(requirement):
    return re.split(r"[<>=!~ ]", requirement)[0].lower()


def test_environment_yml_asks_for_what_pyproject_asks_for():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    *conda, pip = environment["dependencies"]
    python = next(line for line in conda if name(line) == "python")
    assert python.removeprefix("python ") == PROJECT["requires-python"]
    asked = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"]]
    conda_names = {"torch": "pytorch"}
    packages = [line for line in conda if name(line) not in ("python", "pip")]
    assert sorted(packages) == sorted(
        requirement.replace(
            name(requirement), conda_names.get(name(requirement), name(requirement))
        )
        for requirement in asked
    )
    assert pip == {"pip": ["--editable ."]}


def test_every_requirement_is_pinned_in_the_constraints():
    pins = dict(
        line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if line
    )
    pins = {key.lower(): version for key, version in pins.items()}
    for requirement in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"]]:
        assert name(requirement) in pins
    assert pins["torch"] == "2.13.0"


LIGHT = """
import sys, time
start = time.perf_counter()
import course_utils.decoding.loop, course_utils.decoding.metrics, course_utils.decoding.theory
import course_utils.models.characters, course_utils.models.n_grams, course_utils.models.tables
import course_utils.drafters.sampled, course_utils.drafters.lookup
from course_utils.decoding.loop import generate
from course_utils.drafters.sampled import Sampled
from course_utils.models.characters import CharacterModel
seconds = time.perf_counter() - start
list(generate(CharacterModel(), [0], Sampled(CharacterModel(accuracy=0.7)), max_new_tokens=18))
heavy = {"torch", "transformers", "matplotlib", "ipywidgets"} & set(sys.modules)
assert not heavy, heavy
print(seconds)
"""


@pytest.fixture(scope="module")
def light_run():
    return subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True)


def test_the_toy_lessons_load_neither_torch_nor_transformers(light_run):
    assert light_run.returncode == 0, light_run.stderr
