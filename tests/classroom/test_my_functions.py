"""A student's own functions: saved in a self-contained file, never lost, used if they pass."""

import linecache
import os
import re
from contextlib import suppress
from itertools import count
from types import SimpleNamespace

import pytest

from course_utils.classroom import progress
from course_utils.classroom.exercise import Exercise
from course_utils.classroom.my_functions import FILE, keep, my_function

check_double = Exercise("double", cases=[(1,), (2,)], solution=lambda x: 2 * x)
cells = count()
DOUBLE = "def double(x):\n    return 2 * x\n"


class Notebook:
    """Cells run one after another, in the namespace of a kernel."""

    def __init__(self):
        self.names = {"__name__": "__main__"}

    def run(self, source):
        file = f"<cell {next(cells)}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        exec(compile(source, file, "exec"), self.names)
        return SimpleNamespace(**self.names)


def keep_double(source):
    keep(Notebook().run(source).double, check_double)


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nimport numpy.linalg as la\nfrom math import fsum as total\n"
        "TWO = 2\nWORDS = ['a']\n"
        "def unused(): ...\n"
        "def times(x):\n    return TWO * x  # a comment stays\n"
        "alias = times\n"
        "def double(x, start=len(WORDS)):\n"
        "    again = [alias(y) for y in np.atleast_1d(x)]\n"
        "    return total([again[0], 0]) + 0 * la.norm([0])\n",
        "from functools import cache\n"
        "@cache\ndef double(n):\n    return 2 + double(n - 1) if n else 0\n",
        "系数 = 2\ndef 倍(数): return 系数 * 数\ndef double(n): return 倍(n)\n",
        f"{DOUBLE}old = double\ndef double(n): return old(n)\n",
    ],
)
def test_a_function_is_saved_with_everything_it_reads(home, capsys, source):
    keep_double(source)
    assert "Saved double in " in capsys.readouterr().out
    text = (home / FILE).read_text()
    assert ("a comment stays" in text) == ("a comment stays" in source)
    assert not re.search("unused|__name__", text)
    assert my_function("double", check_double, None, "04")(4) == 8
    assert f"This runs your own double, from {home.name}/{FILE}." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def double(x):\n    return x\n", "must pass its check first"),
        ("box = object()\ndef double(x):\n    return 2 * x if box else 0\n", "name 'box'"),
        ("def make():\n    y = 2\n    def double(x):\n        return y * x\n    return double\n"
         "double = make()\n", "not from the file alone"),
        ("class A:\n    k = 2\ndef double(n): return A.k * n\n", "'A' is not defined"),
        ("def double(x):\n    return 2 * x if 'ns' in globals() else 0\nns = 1\n",
         "not from the file alone"),
    ],
)  # fmt: skip
def test_the_reason_is_printed_if_nothing_can_be_saved(home, capsys, source, words):
    keep_double(source)
    assert words in capsys.readouterr().out
    assert not (home / FILE).exists()


STUDENTS_OWN = '''"""Mine, in words."""
# of my file

import math  # for floor

def other(x):
    return math.floor(x)
'''


def test_the_students_own_text_stays_and_a_saved_function_serves_the_next(home):
    (home / FILE).write_text(STUDENTS_OWN)
    keep_double(DOUBLE)
    (home / FILE).write_text((home / FILE).read_text() + "\n# last\n")
    later = Notebook()
    later.names["twice"] = my_function("double", check_double, None, "04")
    check_four = Exercise("four", cases=[(1,)], solution=lambda x: 4 * x)
    source = "import numpy\ndef four(x, by=twice):\n    return by(twice(numpy.abs(x)))\n"
    keep(later.run(source).four, check_four)
    keep_double("def double(y):\n    return y + y\n")  # in the place of the first
    text = (home / FILE).read_text()
    assert [line for line in [*STUDENTS_OWN.split("\n"), "# last"] if line not in text] == []
    assert (text.count("def double"), "2 * x" in text) == (1, False)
    assert my_function("four", check_four, None, "05")(3) == 12


def test_nothing_is_written_next_to_the_originals_or_over_a_broken_file(home, capsys):
    (home / FILE).write_text("def broken(:\n")
    keep_double(DOUBLE)
    assert "Nothing saved in " in capsys.readouterr().out
    assert (home / FILE).read_text() == "def broken(:\n"
    (home / FILE).unlink()
    (home / progress.FILE).unlink()
    keep_double(DOUBLE)
    assert "Nothing saved here" in capsys.readouterr().out
    assert not (home / FILE).exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "Lesson 04 can save yours"),
        ("def other(x): ...\n", "has none"),
        ("def double(x):\n    return 3 * x\n", "no longer passes"),
        ("raise SystemExit\n", "SystemExit"),
    ],
)
def test_the_courses_function_is_used_and_the_reason_printed(home, capsys, text, words):
    if text is not None:
        (home / FILE).write_text(text)
    course = check_double.solution
    assert my_function("double", check_double, course, "04") is course
    out = capsys.readouterr().out
    assert out.startswith("This runs the course's double")
    assert words in out


def _interrupted(*_):
    raise KeyboardInterrupt


def test_keep_removes_no_text_that_the_student_has(home, monkeypatch):
    """Whatever was edited, copied or interrupted."""
    for number in range(4):
        if number:
            (home / FILE).write_text((home / FILE).read_text() + f"# remark {number}\n")
            (home / f"my_decoder.{3 * number}.py").write_text(f"# a copy {number}\n")
        before = {file.read_text() for file in home.glob("my_decoder*.py")}
        source = f"def double(x):\n    return 2 * x + {number} - {number}\n"
        with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
            patch.setattr(os, "replace", _interrupted)
            keep_double(source)
        keep_double(source)
        assert before <= {file.read_text() for file in home.glob("my_decoder*.py")}
    assert not list(home.glob("*.part"))
