"""What the lesson says of heads, on small ones: promises, silent bugs, guesses without a draft."""

import numpy as np
import pytest
import torch

from course_utils.decoding import GREEDY, Sampling, emitted_tokens, generate, summarise
from course_utils.decoding.contracts import Draft
from course_utils.decoding.metrics import promise_kept
from course_utils.decoding.rules import typical
from course_utils.decoding.theory import total_variation
from course_utils.lessons.trees_and_heads import (
    new_angeles,
    reckoning,
    shipped,
    silent,
    typical_cost,
)
from course_utils.lessons.trees_and_heads.jacobi import Jacobi, Pool
from course_utils.models.head_models import Unrolled
from course_utils.models.heads import Ends, Shape, UnrolledHead
from course_utils.models.qwen3 import Qwen3
from course_utils.models.shared_layers import Shared
from course_utils.models.tables import TableModel
from course_utils.proofs.decoders import Decoder, exam
from course_utils.training.head_report import SEEDS
from course_utils.training.head_stage import RECIPES
from tests.conftest import random_qwen3

LAYERS, PROMPT = 3, [5, 3, 8, 8, 1, 0, 7]


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


def test_typical_acceptance_emits_what_the_formula_says():
    p, q = np.random.default_rng(0).dirichlet(np.ones(6), (2, 40))
    for epsilon in (0.09, 0.3):
        accepts = typical_cost.accepted_by(p, epsilon, epsilon**0.5)
        rule = typical(epsilon, epsilon**0.5)
        for i, x in np.ndindex(accepts.shape):
            rows = np.stack([p[i], p[i]])
            accepted = rule.verify(rows, q[i : i + 1], [x], [0.5, 0.5]).accepted
            assert (accepted == 1) == accepts[i, x]
        found = typical_cost.emitted(p, q, accepts)
        assert found.sum(-1) == pytest.approx(np.ones(40))
    rows = typical_cost.rows(p, q)
    assert rows[0]["worst place"] == 0
    assert rows[-1]["worst place"] == total_variation(found, p).max()


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


@pytest.mark.parametrize("drafter", [Jacobi, Pool])
def test_guesses_without_a_draft_keep_the_greedy_text(drafter):
    loop = np.full((4, 4), 0.1)
    loop[[0, 1, 2, 3], [1, 2, 3, 0]] = 0.7
    target = TableModel(loop)
    how = {"sampling": GREEDY, "max_new_tokens": 30, "gamma": 4}
    plain = emitted_tokens(generate(target, [0], **how))
    rounds = list(generate(target, [0], drafter(), **how))
    assert emitted_tokens(rounds) == plain
    if drafter is Pool:  # it has seen each answer after one turn of the loop
        assert summarise(rounds).tokens_per_round > 2


def test_the_pool_keeps_what_was_answered_to_each_guess():
    class Wrong(Pool):
        def propose(self, tokens, gamma, noise):
            return Draft((2, 0, 3)[:gamma], None)

    drafter, target = Wrong(), TableModel(np.roll(np.eye(4), 1, axis=1))  # 0, 1, 2, 3, 0, ...
    list(generate(target, [0], drafter, gamma=3, sampling=GREEDY, max_new_tokens=4))
    assert Pool.propose(drafter, [2], 3, None).tokens == (3, 0, 1)


@pytest.fixture(scope="module")
def served():
    model = random_qwen3(LAYERS)
    model.model.norm.weight.data.uniform_(0.2, 3.0)
    shared = Shared(Qwen3.from_transformers(model), taps=(1, 2, LAYERS))
    torch.manual_seed(3)
    shape = Shape(64, 96, 4, 2, 32, 10_000.0, (1, 2, LAYERS), 40)
    head = UnrolledHead(shape, Ends.of(shared).float())
    for weight in head.parameters():
        weight.data.normal_(0, 0.3)
    return shared, head.requires_grad_(False)


def test_no_text_gives_a_silent_bug_away_and_the_rows_give_all(served):
    shared, head = served
    rows = silent.examined(shared, head, shared.model, PROMPT, 3, 12)
    assert {row["greedy text"] for row in rows} == {"the target's"}
    assert rows[0]["served"] == silent.AS_IT_SHOULD
    assert silent.convicted(rows) == [row["served"] for row in rows[1:]]


def test_every_way_has_its_budget(served):
    shared, head = served
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


def test_the_record_says_what_the_lesson_reads_in_it():
    """At the same count of tokens a head that learned from its own outputs brings more; given
    states say the same at each position; and what training promised is served within 5 %."""
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
    for row in shipped.recorded_service(report):
        assert row["τ, training"] == pytest.approx(row["tokens per round"], rel=0.05)
        assert row["τ, logged rows"] == pytest.approx(row["tokens per round"], rel=0.05)
        assert float(row["two standard errors"].rstrip("%")) < 3
