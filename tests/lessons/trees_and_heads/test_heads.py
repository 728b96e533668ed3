"""What the lesson says of heads: promises, and the record."""

import numpy as np
import pytest

from course_utils.lessons.trees_and_heads import new_angeles, shipped
from course_utils.proofs.decoders import Decoder, exam
from course_utils.training.head_recipes import RECIPES
from workshop.training.head_report import SEEDS
from workshop.training.tau import check_tau


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


def test_the_promise_is_what_is_served_in_expectation():
    paper = exam(3, agreement=0.7, gamma=3)
    first = paper.first_rounds(Decoder())
    served = sum(weight * len(r.emitted) for weight, r in first)
    kept = [(weight, check_tau([r])) for weight, r in first]
    assert sum(weight * k.weighted for weight, k in kept) == pytest.approx(served, abs=1e-12)
    tau = sum(weight * k.predicted for weight, k in kept)  # near, and not the same
    assert 1e-3 < abs(tau / served - 1) < 0.05


def test_the_promise_is_kept_within_its_error():
    paper = exam(4, agreement=0.7, gamma=3)
    runs = [list(paper.rounds(Decoder(), 40, seed=seed)) for seed in range(20)]
    rounds = [r for run in runs for r in run if len(r.drafted) == 3]
    kept = check_tau(rounds)
    assert abs(kept.served - kept.predicted) < 2 * kept.error  # four standard errors
    assert kept.rounds == len(rounds)


def test_the_record_says_what_the_lesson_reads_in_it():
    """At the same count of tokens a head that learned from its own outputs brings more; given
    states say the same at each position."""
    report = shipped.recorded()
    one, many = shipped.unrolling_rows(report)
    assert (one["unrolled"], many["unrolled"]) == (1, RECIPES["eagle"].steps)
    assert one["learned from"] == many["learned from"]
    assert one["seeds"] == many["seeds"] == len(SEEDS)
    assert many["α1, own"] > one["α1, own"]  # true states given, too
    assert one["last α, own"] < 0.85 * one["last α, given"]
    assert many["last α, own"] > 0.95 * many["last α, given"]
    off = "τ, ± at most"
    assert many["τ"] - one["τ"] > 3 * (many[off] + one[off])
    given = [head["given"] for head in report["heads"] if head["given"]]
    assert all(max(each) - min(each) < 0.01 for each in given)
