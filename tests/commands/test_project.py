"""The project's page: these tests run its code, so it cannot be outdated."""

import os
import re
import subprocess
import sys
from types import ModuleType

import pytest

from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.proofs.decoders import Decoder
from course_utils.proofs.table_checks import ON_TABLES, distance_of

TEXT = (NOTEBOOKS / "project.md").read_text("utf-8")
*FILES, SPEED, WORKED, COUNT = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
NAMES = {re.search(r"^class (\w+)", code, re.MULTILINE)[1]: code for code in (*FILES, WORKED)}
LOSSLESS = ("LookupFirst", "OwnTrigram", "Sure", "CopyWhileItWorks")


@pytest.fixture
def drafter(tmp_path):
    """Return a drafter of the page by its name, as in a student's mine.py."""
    (tmp_path / "own.py").write_text("def add(a, b):\n    return a + b\n", "utf-8")

    def load(name):
        mine = ModuleType("mine")
        exec(NAMES[name], vars(mine))
        mine.MY_CODE = tmp_path  # counting the course's own takes seconds
        return getattr(mine, name)

    return load


@pytest.mark.parametrize("name", LOSSLESS)
@pytest.mark.parametrize("promise", ON_TABLES, ids=lambda promise: promise.__name__)
def test_what_the_page_offers_keeps_every_promise_on_tables(drafter, name, promise):
    check = promise(Decoder(drafter=drafter(name)))
    assert check.passed, check


def test_the_lossy_drafter_of_the_page_fails(drafter):
    check = distance_of("exact distribution")(Decoder(drafter=drafter("FlatQ")))
    assert not check.passed


@pytest.mark.slow
@pytest.mark.parametrize("code", [SPEED, COUNT], ids=["speed.py", "the count"])
def test_a_script_of_the_page_runs_on_few_texts(tmp_path, code):
    short = re.sub(r"^(TEXTS, TOKENS\b.*?) = 16, 96", r"\1 = 2, 8", code, flags=re.MULTILINE)
    assert short != code
    (tmp_path / "mine.py").write_text(WORKED, "utf-8")
    (tmp_path / "script.py").write_text(short, "utf-8")
    ran = subprocess.run(
        [sys.executable, "script.py", "mine:CopyWhileItWorks", "3"],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(NOTEBOOKS.parent)},
        input="\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
