"""A student's own functions: kept in a file that stands alone, never lost, used when they pass."""

import linecache
import os
import sys
from collections import Counter
from itertools import count
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from course_utils.classroom import mine as mine_module
from course_utils.classroom import progress
from course_utils.classroom.exercise import Exercise
from course_utils.classroom.mine import FILE, keep, mine

check_double = Exercise("double", cases=[(1,), (2,)], solution=lambda x: 2 * x)
cells = count()


class Notebook:
    """Cells that are run one after another, in the namespace of a kernel."""

    def __init__(self):
        self.names = {"__name__": "__main__"}

    def run(self, source):
        file = f"<cell {next(cells)}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        exec(compile(source, file, "exec"), self.names)
        return SimpleNamespace(**self.names)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / progress.FILE).write_text("{}")
    monkeypatch.setattr(progress, "HERE", tmp_path)
    yield tmp_path
    sys.modules.pop(mine_module.Path(FILE).stem, None)


def test_a_function_is_kept_with_all_that_it_reads(folder, capsys):
    ns = Notebook().run(
        "import numpy as np\nimport numpy.linalg as la\nfrom math import fsum as total\n"
        "TWO = 2\nWORDS = ['a']\n"
        "def unused(): ...\n"
        "def times(x):\n    return TWO * x  # a comment stays\n"
        "alias = times\n"
        "class Adder:\n    def add(self, x):\n        return total([x, 0])\n"
        "def double(x, start=len(WORDS)):\n"
        "    again = [alias(y) for y in np.atleast_1d(x)]\n"
        "    return Adder().add(again[0]) + 0 * la.norm([0])\n"
    )
    keep(ns.double, check_double)
    assert "Kept: double, in " in capsys.readouterr().out
    text = (folder / FILE).read_text()
    assert "a comment stays" in text
    assert "unused" not in text
    alone = {}
    exec(text, alone)
    assert alone["double"](4) == 8
    assert mine("double", check_double, None, "04")(4) == 8


def test_every_version_is_left(folder, capsys):
    notebook = Notebook()
    for source in ("return 2 * x", "return x + x", "return x + x", "return x * 2"):
        keep(notebook.run(f"def double(x):\n    {source}\n").double, check_double)
    said = capsys.readouterr().out
    assert "has this double already" in said
    assert "(version 3," in said
    kept = [(folder / name).read_text() for name in ("my_decoder.1.py", "my_decoder.2.py", FILE)]
    for text, source in zip(kept, ("2 * x", "x + x", "x * 2"), strict=True):
        assert source in text


def test_what_the_student_wrote_into_the_file_stays(folder):
    (folder / FILE).write_text(
        '"""Mine."""\nimport math\n\n# my own remark\ndef other(x):\n    return helper(x)\n\n\n'
        "def helper(x):\n    return math.floor(x)\n\n\nprint\n"
    )
    keep(Notebook().run("def double(x):\n    return 2 * x\n").double, check_double)
    text = (folder / FILE).read_text()
    assert "# my own remark\ndef other(x):" in text
    alone = {}
    exec(text, alone)
    assert alone["other"](1.5) == 1


def test_a_kept_function_may_be_used_by_the_next(folder):
    keep(Notebook().run("def double(x):\n    return 2 * x\n").double, check_double)
    check_four = Exercise("four", cases=[(1,)], solution=lambda x: 4 * x)
    later = Notebook()
    later.names["twice"] = mine("double", check_double, None, "04")
    keep(later.run("def four(x, by=twice):\n    return by(twice(x))\n").four, check_four)
    assert mine("four", check_four, None, "05")(3) == 12


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def double(x):\n    return x\n", "has to pass its check first"),
        ("def double(x):\n    ...\n", "has to pass its check first"),
        ("box = object()\ndef double(x):\n    return 2 * x if box else 0\n", "reads `box`, a"),
        ("def make():\n    y = 2\n    def double(x):\n        return y * x\n    return double\n"
         "double = make()\n", "inside another function"),
        ("double = lambda x: 2 * x\n", "is not known"),
    ],
)  # fmt: skip
def test_what_cannot_be_kept_is_said(folder, capsys, source, words):
    keep(Notebook().run(source).double, check_double)
    assert words in capsys.readouterr().out
    assert not (folder / FILE).exists()


def test_what_passes_only_beside_its_notebook_is_not_kept(folder, capsys):
    ns = Notebook().run("def double(x):\n    return 2 * x if 'ns' in globals() else 0\nns = 1\n")
    keep(ns.double, check_double)
    assert "not from a file alone" in capsys.readouterr().out
    assert not (folder / FILE).exists()


def test_nothing_is_written_among_the_originals(folder, capsys):
    (folder / progress.FILE).unlink()
    keep(Notebook().run("def double(x):\n    return 2 * x\n").double, check_double)
    assert "Nothing is kept here" in capsys.readouterr().out
    assert not (folder / FILE).exists()


def course(x):
    return 2 * x


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "Yours will, once lesson 04 has kept it"),
        ("def other(x): ...\n", "has none"),
        ("def double(x):\n    return 3 * x\n", "no longer passes"),
        ("def double(x:\n", "SyntaxError"),
        ("raise SystemExit\n", "SystemExit"),
        ("1 / 0\n", "ZeroDivisionError"),
    ],
)
def test_the_courses_function_stands_in_with_a_sentence(folder, capsys, text, words):
    if text is not None:
        (folder / FILE).write_text(text)
    assert mine("double", check_double, course, "04") is course
    said = capsys.readouterr().out
    assert said.startswith("The course's double runs here")
    assert words in said


def test_a_file_that_is_no_python_is_not_written_over(folder, capsys):
    (folder / FILE).write_text("def broken(:\n")
    keep(Notebook().run("def double(x):\n    return 2 * x\n").double, check_double)
    assert "Nothing was kept" in capsys.readouterr().out
    assert (folder / FILE).read_text() == "def broken(:\n"


REMARKS = """# the head
# of my file

import math  # for floor

# above an import
import cmath

x = 1
x = 2
# the end
"""


def test_remarks_of_the_student_stay_wherever_they_stand(folder):
    (folder / FILE).write_text('"""Mine, in words."""\n' + REMARKS)
    keep(Notebook().run("def double(x):\n    return 2 * x\n").double, check_double)
    kept = (folder / FILE).read_text()
    (folder / FILE).write_text(kept.replace("version 2", "version 2 of mine") + "\n# last\n")
    keep(Notebook().run("def double(x):\n    return x + x\n").double, check_double)
    for line in [
        "Mine, in words",
        "version 2 of mine",
        "# last",
        *filter(None, REMARKS.split("\n")),
    ]:
        assert line in (folder / FILE).read_text(), line


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
@given(
    steps=st.lists(st.sampled_from(["keep", "keep", "delete", "edit", "stop", "copy"]), max_size=12)
)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_version_is_ever_lost_but_by_the_students_own_hand(folder, links, steps):
    """Texts of all files together: `keep` adds to them, and takes none away."""
    for old in folder.glob(f"{mine_module.Path(FILE).stem}*.py"):
        old.unlink()
    replace, link = os.replace, os.link
    for number, step in enumerate(steps):
        files = sorted(folder.glob("my_decoder*.py"))
        before = Counter(file.read_text() for file in files)
        if step == "delete" and files:
            files[number % len(files)].unlink()
        elif step == "edit" and (folder / FILE).exists():
            (folder / FILE).write_text((folder / FILE).read_text() + f"# remark {number}\n")
        elif step == "copy" and (folder / FILE).exists():
            (folder / f"my_decoder.{3 * number}.py").write_text(f"# a copy {number}\n")
        elif step in ("keep", "stop"):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(os, "link", link if links else _refuses)
                patch.setattr(os, "replace", _is_stopped if step == "stop" else replace)
                try:
                    source = f"def double(x):\n    return 2 * x + {number} - {number}\n"
                    keep(Notebook().run(source).double, check_double)
                except KeyboardInterrupt:
                    assert step == "stop"
            after = Counter(file.read_text() for file in folder.glob("my_decoder*.py"))
            assert not before - after
    assert not list(folder.glob("*.part"))


def _refuses(*_):
    raise OSError("this file system has no links")


def _is_stopped(*_):
    raise KeyboardInterrupt
