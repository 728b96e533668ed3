"""The page of formulas: each is evaluated, and so is the function that it names."""

import re
from importlib import import_module

import numpy as np
import pytest
import torch
from nbformat.v4 import new_markdown_cell, new_notebook

from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.decoding.metrics import Metrics
from course_utils.decoding.rules import RULES, TREE_RULES, block, greedy_match, token_wise
from course_utils.models.memory import qwen3_config
from course_utils.models.n_grams import NGram
from workshop.notebooks.links import links_lead_somewhere

PAGE = NOTEBOOKS / "cheatsheet.md"
TEXT = PAGE.read_text("utf-8")
_ROW = re.compile(
    r"^\| (?P<what>[^|]+) \| (?P<formula>[^|]+) \| (?:(?P<given>[^|:]+): )?(?P<value>[^|:]+) "
    r"\| \[`(?P<name>[\w.]+)`\]\(\.\./(?P<file>[\w/]+)\.py\) \|$",
    re.MULTILINE,
)
ROWS = {row["what"]: row for row in _ROW.finditer(TEXT)}
MATHS = {
    "sum": np.sum,
    "max": np.maximum,
    "min": np.minimum,
    "abs": np.abs,
    "products": np.cumprod,
}


TEX = {  # in this order
    r"\\sum_i{\\prod_{j \\le i} r_j}": "sum(products(r))",
    r"\\d?frac|\\left|\\right": "",
    r"}{": "}/{",
    r"\\lvert(.*?)\\rvert": r"abs(\1)",
    r"\\text{(\w+)}": r"\1",
    r"\b([pq])\(x\)": r"\1[x]",
    r"\\,|\\cdot": "*",
    r"\^": "**",
    r"\\": "",
    r"{": "(",
    r"}": ")",
}


def python(tex):
    """Of a formula as TeX has it; a thin space multiplies."""
    for printed, meant in TEX.items():
        tex = re.sub(printed, meant, tex)
    return tex


def numbers(text):
    """{"x": 2.0, "p": array} of "x = 2, p = (0.5, 0.5)"."""
    pairs = re.findall(r"(\w+) = (\([^)]*\)|[\d.]+)", text)
    return {name: np.array(eval(value)) for name, value in pairs}


GREEK = {"α": "alpha", "γ": "gamma"}
ALWAYS = numbers(re.search(r"\*\*(p = .*?)\*\*", TEXT)[1])


def share(accepts):
    """Of u in [0, 1), evenly, for how much `accepts(u)` holds; exact for multiples of 1/1000."""
    return float(np.mean([accepts((k + 0.5) / 1000) for k in range(1000)]))


def by_greedy_match(p, q, **_):
    rows = np.array([p, p])
    accepted = [
        share(lambda u, x=x: greedy_match(rows, q[None], [x], [u, 0]).accepted) for x in range(3)
    ]
    return q @ accepted


def drafted_after(r, p, q, x):
    """Two positions, of which the first leaves block's r as given."""
    first_p, first_q = np.array([r / 2, 1 - r / 2, 0]), np.array([0.5, 0.5, 0])
    return np.array([first_p, p, p]), np.array([first_q, q]), [0, int(x)]


def by_block_r(r, p, q, x, **_):
    """Of the whole draft h is r."""
    p, q, drafted = drafted_after(r, p, q, x)
    return share(lambda u: block(p, q, drafted, [0.9999, u, 0]).accepted == 2)


def by_block_h(r, p, q, **_):
    """How often the first token passes, when the whole draft does not."""
    p, q, drafted = drafted_after(r, p, q, 2)
    return share(lambda u: block(p, q, drafted, [u, 0.9999, 0]).accepted == 1)


def metrics(**given):
    """The run that the examples count: three rounds of four drafted tokens."""
    run = {"A": 6, "E": 8, "D": 12, "R": 3} | given
    corrections = int(run["E"] - run["A"])
    counts = {name: 0 for name in Metrics.__dataclass_fields__}
    counts |= {"tokens": run["A"] + run["R"], "rounds": run["R"], "drafted": run["D"]}
    counts |= {"accepted": run["A"], "examined": run["E"], "corrections": corrections}
    return Metrics(**counts | {"bonuses": run["R"] - corrections})


def by_counting(d, **_):
    """ "a b a b a b a c": after a, four times seen, b came three times."""
    return NGram([[0, 1, 0, 1, 0, 1, 0, 2]], 2, 3, float(d)).distribution([0])[1]


def by_config(function, layers, groups, dimension, number, **_):
    config = qwen3_config("Qwen/Qwen3-0.6B")
    assert (config.num_hidden_layers, config.num_key_value_heads) == (layers, groups)
    assert (config.head_dim, torch.bfloat16.itemsize) == (dimension, number)
    return function(config, torch.bfloat16, 1).cache


# How a row's function is asked where its arguments are not those of the formula.
ASKED = {
    "token_wise": lambda f, p, q, x, u, **_: (
        token_wise(np.array([p, p]), q[None], [int(x)], [float(u), 0]).accepted
    ),
    "greedy_match": lambda f, **given: by_greedy_match(**given),
    "block": lambda f, **given: (by_block_r if "x" in given else by_block_h)(**given),
    "expected_tokens_by_position": lambda f, r, **_: f(r),
    "mixed_text_tokens": lambda f, s, a, γ, **_: f(a, s, int(γ)),
    "speedup_with_costs": lambda f, tokens, γ, c, v, o, **_: f(tokens, γ, c, lambda k: v, o),
    "optimal_gamma": lambda f, α, c, **_: f(α, c)[0],
    "operations_increase": lambda f, α, γ, c, **_: f(α, int(γ), c),
    "memory_needed": by_config,
    "NGram.distribution": lambda f, **given: by_counting(**given),
}


def asked(row, given):
    """What the row's function says."""
    module = import_module(row["file"].replace("/", "."))
    thing = module
    for part in row["name"].split("."):
        thing = getattr(thing, part)
    if row["name"] in ASKED:
        return ASKED[row["name"]](thing, **given)
    if isinstance(thing, property):
        return thing.fget(metrics(**given))
    wanted = thing.__code__.co_varnames[: thing.__code__.co_argcount]
    known = {GREEK.get(name, name): value for name, value in given.items()}
    return thing(**{n: int(known[n]) if n == "gamma" else known[n] for n in wanted})


def stated(row):
    """(the value, by how much it may be off), from its digits."""
    value = np.array(eval(re.match(r"\([^)]*\)|[\d.]+", row["value"])[0]), dtype=float)
    digits = max(len(d) for d in re.findall(r"\.(\d+)", row["value"]) or [""])
    return value, 0.5 * 10.0**-digits + 1e-9


@pytest.mark.parametrize("what", ROWS)
def test_formula_example_and_function_say_the_same(what):
    row = ROWS[what]
    given = ALWAYS | numbers(row["given"] or "")
    value, least = stated(row)
    if row["formula"].startswith("$"):
        names = {GREEK.get(k, k): int(v) if k == "x" else v for k, v in given.items()}
        assert eval(python(row["formula"].strip("$")), MATHS | names) == pytest.approx(
            value, abs=least
        )
    assert asked(row, given) == pytest.approx(
        value, abs=max(least, 0.0005 * ("block" in row["name"]))
    )


def test_every_row_of_a_table_is_read():
    rows = [
        line for line in TEXT.splitlines() if line.startswith("| ") and "computed by" not in line
    ]
    assert len(rows) == len(ROWS) > 20


def test_the_example_of_the_n_gram_is_one_that_was_counted():
    given = numbers(next(r for r in ROWS.values() if r["name"].startswith("NGram"))["given"])
    counted = NGram([[0, 1, 0, 1, 0, 1, 0, 2]], 2, 3, float(given["d"]))
    after = counted.counts[(0,)]
    assert (after[1], after.total(), len(after)) == (given["count"], given["total"], given["kinds"])
    assert counted.distribution([])[1] == pytest.approx(given["shorter"])


def test_what_is_called_lossless_is():
    rules = RULES + TREE_RULES
    for kind, lossless in (("Lossless", True), ("Lossy", False)):
        said = re.search(rf"\*\*{kind}:\*\* ([^*]+?)\.(?:\s|$)(?=\*\*|At)", TEXT)[1].split(", ")
        assert sorted(said) == sorted(rule.name for rule in rules if rule.lossless is lossless)


def test_every_link_leads_somewhere():
    as_lesson = new_notebook(cells=[new_markdown_cell(TEXT)])
    assert [problem.what for problem in links_lead_somewhere(as_lesson, PAGE)] == []
