"""What the lesson says of heads, on small ones: promises, losses, budgets, the record."""

import numpy as np
import pytest
import torch

from course_utils.decoding import Sampling
from course_utils.decoding.metrics import promise_kept
from course_utils.lessons.trees_and_heads import checks, live, new_angeles, reckoning, shipped
from course_utils.models.head_models import Unrolled
from course_utils.proofs.decoders import Decoder, exam
from course_utils.training.head_recipes import RECIPES
from tests.small_heads import PROMPT, small_head
from workshop.training.head_report import SEEDS


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
    kept = [(weight, promise_kept([r])) for weight, r in first]
    assert sum(weight * k.weighed for weight, k in kept) == pytest.approx(served, abs=1e-12)
    tau = sum(weight * k.predicted for weight, k in kept)  # near, and not the same
    assert 1e-3 < abs(tau / served - 1) < 0.05


def test_the_promise_is_kept_within_its_error():
    paper = exam(4, agreement=0.7, gamma=3)
    runs = [list(paper.rounds(Decoder(), 40, seed=seed)) for seed in range(20)]
    rounds = [r for run in runs for r in run if len(r.drafted) == 3]
    kept = promise_kept(rounds)
    assert abs(kept.served - kept.predicted) < 2 * kept.error  # four standard errors
    assert kept.rounds == len(rounds)


def test_every_way_has_its_budget():
    shared, head = small_head()
    how = Sampling()
    heads = {"eagle": Unrolled(shared, head)}
    makes = reckoning.ways(
        shared.model, heads, {"draft": 2, "eagle": 2}, (-1, -1, 0), {"eagle": (-1, -1)}, how
    )
    assert [reckoning.gamma_of(name) for name in makes] == [1, 2, 3, 2, 2]
    found = reckoning.compared(shared, makes, [PROMPT], [PROMPT[::-1]], how, 12)
    assert len(found) == 4
    assert all(b.tokens >= 1 and b.verify > 0 and b.measured > 0 for b in found)
    assert [row["draft"] for row in reckoning.rows(found)] == [b.name for b in found]
    for row in reckoning.rows(found):
        speed = row["tokens per round"] / (row["drafting"] + row["verifying"] + row["host"])
        assert row["predicted"].startswith(f"{speed:.2f}x")


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


@pytest.mark.parametrize("unroll", [1, 4])
def test_the_loss_of_a_student_is_that_of_the_heads_definition(unroll):
    tokens = np.random.default_rng(0).integers(0, 4000, 500)
    school = live.School(live.loaded(0), live.loaded(1), tokens, tokens, number=3)
    head, known, anchor = school.new_head(), school.lessons, 20
    found = checks.unrolled_loss(*school.read(head, 1, anchor), anchor, unroll, 0.5)
    rows = head(known.taps[:, [1]], known.tokens[[1]], unroll, torch.tensor([anchor]))
    logits = known.last[1] @ school.ends.lm_head.T
    p = logits.softmax(-1)[:, head.draft_tokens]
    weights, crossed = 0.5 ** torch.arange(unroll), []
    for s, row in enumerate(rows):
        crossed.append(-(p[anchor + 1 + s] * row[0, 0].log_softmax(-1)).sum())
    wanted = (weights * torch.stack(crossed)).sum() / weights.sum()
    torch.testing.assert_close(found, wanted, atol=1e-4, rtol=1e-4)


def test_a_learner_moves_the_head_and_ends_at_rest():
    tokens = np.random.default_rng(0).integers(0, 4000, 500)
    school = live.School(live.loaded(0), live.loaded(1), tokens, tokens, number=3)
    head = school.new_head()
    before = head.fuse.weight.detach().clone()
    learner = live.Learner(head, 2)
    ((window, anchor),), _ = school.anchors(2, 1)
    checks.unrolled_loss(*school.read(head, window, anchor), anchor, 2, 0.8).backward()
    learner.step()
    assert (head.fuse.weight - before).abs().max() > 0
    assert head.fuse.weight.grad is None
    assert 1 < school.looked_at(head, 2).tau < 1 + live.LOOK
