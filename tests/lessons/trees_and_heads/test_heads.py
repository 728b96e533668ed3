"""What the lesson says of heads: promises, and the record."""

import numpy as np
import pytest

from course_utils.lessons.trees_and_heads import new_angeles, shipped
from course_utils.training.head_recipes import RECIPES


def test_new_angeles_costs_the_distance_of_the_product_and_no_text():
    rows = new_angeles.rows()
    for row in rows:
        assert row["1 - TV(joint, proposed)"] == pytest.approx(row["α at word 2, enumerated"])
        assert float(row["text, TV"]) < 1e-12
    assert [row["proposes no city"] > 0 for row in rows] == [False, True, True]
    joint = new_angeles.JOINT
    product = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    distance = np.abs(joint - product).sum() / 2
    assert rows[-1]["α at word 2, enumerated"] == pytest.approx(1 - distance)


def test_the_record_says_what_the_lesson_reads_in_it():
    """At the same count of tokens a head that learned from its own outputs brings more; given
    states say the same at each position."""
    report = shipped.recorded()
    one, many = shipped.unrolling_rows(report)
    assert (one["unrolled"], many["unrolled"]) == (1, RECIPES["eagle"].steps)
    assert one["learned from"] == many["learned from"]
    assert one["seeds"] == many["seeds"] == 2
    assert many["α1, own"] > one["α1, own"]  # true states given, too
    assert one["last α, own"] < 0.85 * one["last α, given"]
    assert many["last α, own"] > 0.95 * many["last α, given"]
    off = "τ, ± at most"
    assert many["τ"] - one["τ"] > 3 * (many[off] + one[off])
    given = [head["given"] for head in report["heads"] if head["given"]]
    assert all(max(each) - min(each) < 0.01 for each in given)
