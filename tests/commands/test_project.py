"""The project's page: its code is what is run here, so page and code cannot part."""

import os
import re
import subprocess
import sys
from types import ModuleType

import pytest

from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.proofs.decoders import Decoder
from course_utils.proofs.exact_walk import exact_check
from course_utils.proofs.examination import each_place
from course_utils.proofs.restricted_support import RowReader
from course_utils.proofs.synthetic import shifted_pair
from course_utils.proofs.table_checks import ON_TABLES, distance_of

PAGE = NOTEBOOKS / "project.md"
TEXT = PAGE.read_text("utf-8")
*FILES, SPEED, WORKED, COUNT = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
STARTING_POINTS = ("LookupFirst", "OwnTrigram", "Sure")
NAMES = {re.search(r"^class (\w+)", code, re.MULTILINE)[1]: code for code in (*FILES, WORKED)}
LOSSLESS = (*STARTING_POINTS, "CopyWhileItWorks")


@pytest.fixture
def drafter(tmp_path):
    """A drafter of the page by its name, as a student's mine.py would have it."""
    (tmp_path / "own.py").write_text("def add(a, b):\n    return a + b\n", "utf-8")

    def of(name):
        mine = ModuleType("mine")
        exec(NAMES[name], vars(mine))
        if hasattr(mine, "MY_CODE"):
            mine.MY_CODE = tmp_path  # the course's own takes seconds to count
        return getattr(mine, name)

    return of


@pytest.mark.parametrize("name", LOSSLESS)
@pytest.mark.parametrize("promise", ON_TABLES, ids=lambda promise: promise.__name__)
def test_what_the_page_offers_keeps_every_promise_on_tables(drafter, name, promise):
    check = promise(Decoder(drafter=drafter(name)))
    assert check.passed, check


@pytest.mark.parametrize("name", LOSSLESS)
def test_and_at_each_place_of_a_long_round(drafter, name):
    models = [RowReader(model) for model in shifted_pair(48, 0)]
    exams = each_place(models, [(1, 2, 3, 1, 2)], 4)
    assert exact_check("each place", Decoder(drafter=drafter(name)), exams).passed


def test_the_one_that_fails_does(drafter):
    check = distance_of("exact distribution")(Decoder(drafter=drafter("FlatQ")))
    assert (check.passed, check.decisive) == (False, True)
    assert f"{check.figure:.2f}" in TEXT  # how far off the page says it is


def test_one_stops_early_and_one_copies(drafter, fast):
    """On the pair, so that what a starting point is about happens at all."""
    prompt = fast.encode("def add(a, b):\n    return a + b\n\n\ndef add(a, b):\n")
    rounds = {
        name: list(Decoder(drafter=drafter(name)).run(
            fast.target, fast.draft, prompt, max_new_tokens=40, gamma=4
        ))
        for name in ("Sure", "LookupFirst")
    }  # fmt: skip
    assert len({len(r.drafted) for r in rounds["Sure"][:-3]}) > 1
    assert {r.q is None for r in rounds["LookupFirst"] if r.drafted} == {True, False}


def run(folder, code, few, *arguments):
    """What a script of the page prints, on few texts, beside a mine.py with the worked example."""
    short = re.sub(r"^(TEXTS, TOKENS\b.*?) = 16, 96", rf"\1 = {few}, 8", code, flags=re.MULTILINE)
    assert short != code
    (folder / "mine.py").write_text(WORKED, "utf-8")
    (folder / "script.py").write_text(short, "utf-8")
    ran = subprocess.run(
        [sys.executable, "script.py", *arguments],
        cwd=folder, env=os.environ | {"PYTHONPATH": str(NOTEBOOKS.parent)},
        input="\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_script_predicts_before_it_times(tmp_path):
    printed = run(tmp_path, SPEED, 2, "mine:CopyWhileItWorks", "3")
    said = [printed.index(words) for words in ("predicted", "press Enter", "measured:")]
    assert said == sorted(said)
    costs = r"{}: c = \d\.\d+, o = \d\.\d+ \(plain \d\.\d+\)"
    for kind in ("code", "prose"):  # the marking sheet asks for both
        assert re.search(costs.format(kind), printed), printed
    assert "its own costs, too:" in printed


def test_the_worked_example_counts(tmp_path):
    assert run(tmp_path, COUNT, 1).count("rounds drafted") == 2
