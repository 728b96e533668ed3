"""Tables of others, and the line that explains them."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from course_utils.engines.accelerators import ACCELERATORS
from course_utils.engines.published import (
    EAGLE_1,
    EAGLE_3,
    TABLES,
    CostLine,
    Table,
    fit,
)

REFERENCES = Path(__file__).parents[2] / "REFERENCES.md"


def test_every_source_is_listed():
    anchors = re.findall(r'<a id="(.+?)"></a>', REFERENCES.read_text("utf-8"))
    listed = {f"REFERENCES.md#{anchor}" for anchor in anchors}
    assert {known.source for known in (*TABLES, *ACCELERATORS.values())} <= listed


@pytest.mark.parametrize(
    ("table", "a", "c", "worst", "best"),
    [(EAGLE_1, 1.087, 0.105, 0.009, 3), (EAGLE_3, 1.181, 0.144, 0.021, 4)],
    ids=["EAGLE-1", "EAGLE-3"],
)
def test_a_straight_line_explains_six_times_and_the_best_length(table, a, c, worst, best):
    found = fit(table)
    assert (found.line.a, found.line.c) == (pytest.approx(a, abs=6e-4), pytest.approx(c, abs=5e-4))
    assert max(map(abs, found.errors)) < worst
    assert found.best == table.best == best


@pytest.mark.parametrize("lengths", [(2,), (2, 2), (2, 9)])
def test_a_line_needs_two_lengths_of_the_table(lengths):
    with pytest.raises(ValueError, match="EAGLE-1: choose two or more of"):
        fit(EAGLE_1, lengths)


def test_a_line_that_made_a_table_is_found_again():
    line, tokens = CostLine(1.2, 0.07), (1.8, 2.3, 2.6, 2.8)
    lengths = (1, 2, 4, 6)
    times = [5 / line.speedup(k, n) for k, n in zip(lengths, tokens, strict=True)]
    found = fit(Table("made", "", "", 5.0, lengths, tokens, tuple(times)))
    assert (found.line.a, found.line.c) == pytest.approx((1.2, 0.07), rel=1e-12)
    assert max(map(abs, found.errors)) < 1e-12


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"lengths": (2, 3)}, "give as many of each"),
        ({"lengths": (2,) * 6}, "at least two draft lengths"),
        ({"plain": 0.0}, "not above 0"),
        ({"times": (4.0, 4.0, 4.0, 4.0, 4.0, -4.0)}, "not above 0"),
        ({"tokens": (0.55, 0.43, 0.35, 0.29, 0.24, 0.21)}, "accepted / drafted"),
        ({"tokens": (3.5, 2.3, 2.4, 2.4, 2.5, 2.5)}, "1 to K"),
    ],
)
def test_a_table_that_cannot_be_is_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        replace(EAGLE_1, **wrong)
