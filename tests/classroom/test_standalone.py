"""Odd notebooks: what of them stands alone, with the same answers, and what is refused."""

import linecache
from itertools import count

import pytest

from course_utils.classroom.mine import NotKept, definitions, in_order

numbers = count()


def ran(source):
    name = f"<odd cell {next(numbers)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    notebook = {"__name__": "__main__"}
    exec(compile(source, name, "exec"), notebook)
    return notebook["f"]


@pytest.mark.parametrize(
    "source",
    [
        "from functools import cache\n@cache\ndef f(n):\n    return n * f(n - 1) if n else 1\n",
        "def h(n): return n\ndef h(n): return 10 * n\ndef f(n): return h(n)\n",
        "calls = 0\ndef f(n):\n    global calls\n    calls += 1\n    return n\n",
        "most = float('inf')\ndef f(n): return min(n, most)\n",
        "import numpy as np\nleast = np.float64(1)\ndef f(n): return max(n, least)\n",
        "系数 = 2\ndef 平方(数): return 系数 * 数 * 数\ndef f(n): return 平方(n)  # 平方\n",
        "from math import *\ndef f(n): return floor(sqrt(n))\n",
    ],
)
def test_what_stands_alone_answers_the_same(source):
    f, alone = ran(source), {}
    exec("\n\n".join(in_order(definitions(f))), alone)
    assert alone["f"](3) == f(3)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def f(n): return n\nold = f\ndef f(n): return old(n)\n", "an earlier f"),
        ("import numpy as np\nrow = np.ones(2)\ndef f(n): return row\n", "inside the function"),
        ("class A:\n    k = 2\ndef f(n): return A.k\n", "a method of its own"),
        ("double = lambda n: 2 * n\ndef f(n): return double(n)\n", "as a `def`"),
    ],
)
def test_what_cannot_stand_alone_is_said(source, words):
    with pytest.raises(NotKept, match=words):
        definitions(ran(source))
