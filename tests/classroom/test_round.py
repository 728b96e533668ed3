"""A round as JSON has the numbers of the round, for any run of chains or trees."""

import numpy as np
import pytest

from course_utils.classroom.rounds import decided_by_ratios, rows_left, run_json, stepper
from course_utils.classroom.scene import as_json
from course_utils.decoding.contracts import Round, Seconds, Verdict
from course_utils.decoding.loop import generate
from course_utils.decoding.rules import (
    BLOCK,
    GREEDY_MATCH,
    MULTI_PATH_MATCH,
    RECURSIVE_REJECTION,
    TOKEN_WISE,
    ensemble,
    one_hot_residual,
    residual,
)
from course_utils.decoding.sampling import GREEDY, Sampling, sample
from course_utils.decoding.trees import ancestors, depths, ranks
from course_utils.drafters.candidates import likeliest, without_replacement
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.tree import Tree
from course_utils.models.toys.tables import TableModel
from tests.every_tree import FAMILY
from tests.stage.node import called

WORDS = ["a", "b ", "\n", "<b>", "\u202e", "\x00"]
DATA = "parts/round/data.mjs"


def decode(tokens):
    return "".join(WORDS[x] for x in tokens)


def run(seed=0, tree=None, **settings):
    """A run of two models that disagree, of chains or, with a way to draw candidates, of trees."""
    target, draft = (TableModel.random(6, 1, seed=1000 * i + seed) for i in (1, 2))
    drafter = Tree(draft, FAMILY, draw=tree) if tree else Sampled(draft)
    rule = RECURSIVE_REJECTION if tree else TOKEN_WISE
    how = {
        "rule": rule,
        "gamma": 9 if tree else 3,
        "max_new_tokens": 24,
        "seed": seed,
        "rows": True,
    }
    return list(generate(target, [0], drafter, **(how | settings)))


def completed(rounds):
    data = as_json(stepper(rounds, decode).data)
    return called(DATA, "complete", [[data]])[0]


@pytest.mark.parametrize("sampling", [Sampling(), Sampling(0.6, top_k=3), GREEDY], ids=str)
@pytest.mark.parametrize("tree", [None, likeliest, without_replacement])
def test_each_guess_has_its_numbers_and_what_its_siblings_left_decides(tree, sampling):
    later_children = 0
    for r in [r for seed in range(8) for r in run(seed, tree, sampling=sampling)]:
        guesses = run_json([r], decode)["rounds"][0]["guesses"]
        parents = range(-1, len(r.drafted) - 1) if r.parents is None else r.parents
        assert [one["parent"] for one in guesses] == list(parents)
        assert decided_by_ratios(r)
        for one, left in zip(r.verdict.judged, rows_left(r), strict=False):
            i, x = one.node, r.drafted[one.node]
            rejected = [k for k in range(i) if parents[k] == parents[i]]
            expected = r.p[parents[i] + 1]
            for k in rejected:
                y = r.drafted[k]
                expected = (
                    one_hot_residual(expected, y) if r.q is None else residual(expected, r.q[k])
                )
            np.testing.assert_allclose(left, expected)
            q = 1.0 if r.q is None else r.q[i, x]
            assert (one.left, one.q) == (expected[x], q)
            assert one.ratio == pytest.approx(expected[x] / q)
            assert one.accepted == (r.uniforms[i] < one.ratio)
            later_children += one.accepted and bool(rejected)
            numbers = [guesses[i][name] for name in ("p", "q", "u", "ratio")]
            p = r.p[parents[i] + 1, x]
            assert numbers == pytest.approx([p, q, r.uniforms[i], one.ratio], rel=1e-5)
        assert sample(rows_left(r)[-1], r.uniforms[-1]) == r.verdict.token
    assert bool(later_children) == bool(tree)  # else the test would not cover them


@pytest.mark.parametrize(
    ("verdict", "emitted", "fates"),
    [
        (Verdict(1, 5), (1, 5), "accepted rejected lost"),
        (Verdict(3, 5), (1, 2, 3, 5), "accepted accepted accepted"),
        (Verdict(3, 5), (1,), "accepted lost lost"),  # a stop token ends the text
    ],
)
def test_the_fate_of_each_guess_follows_from_the_verdict(verdict, emitted, fates):
    p = np.ones((4, 9))
    r = Round(0, 1, (1, 2, 3), p, None, (0.5,) * 4, verdict, emitted, 1, 2, Seconds(0, 1, 0))
    (one,) = run_json([r], str)["rounds"]
    assert [guess["fate"] for guess in one["guesses"]] == fates.split()


def test_the_last_token_is_drawn_from_the_residual_or_the_row_after_the_draft():
    rounds = run(max_new_tokens=60)
    assert {r.kinds[-1] for r in rounds} >= {"correction", "bonus"}
    data = stepper(rounds, lambda tokens: str(tokens[0])).data
    for r, one in zip(rounds, data["rounds"], strict=True):
        corrected = r.kinds[-1] == "correction"
        row = residual(r.p[r.accepted], r.q[r.accepted]) if corrected else r.p[-1]
        for text, value in one["drawn"]["top"]:
            assert value == pytest.approx(row[int(text)], rel=1e-5)
        assert one["drawn"]["top"][one["drawn"]["marked"]][0] == str(r.emitted[-1])


def test_a_rule_without_ratios_has_no_bars_and_a_tree_needs_them():
    for rule in (BLOCK, GREEDY_MATCH, ensemble(0.5)):
        data = completed(run(rule=rule))
        assert not data["uniforms"]
        assert all(one["ratio"] is None for r in data["rounds"] for one in r["guesses"])
    with pytest.raises(ValueError, match="RECURSIVE_REJECTION"):
        stepper(run(tree=likeliest, rule=MULTI_PATH_MATCH), decode)
    with pytest.raises(ValueError, match="no round"):
        stepper([], decode)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_round_is_decided_by_p_over_q_up_to_rounding_and_not_by_another_ratio(kind):
    """Token 0 has p = q, so that a mixture of both has the same ratio there, and only there."""
    p, q = np.array([[0.3, 0.1, 0.6]] * 2, kind), np.array([[0.3, 0.6, 0.1]], kind)
    for x, rule, decided in ((0, TOKEN_WISE, True), (1, TOKEN_WISE, True), (2, TOKEN_WISE, True),
                             (0, ensemble(0.5), True), (1, ensemble(0.5), False)):  # fmt: skip
        verdict = rule.judge(p, q, (x,), (0.01, 0.5))
        r = Round(0, 1, (x,), p, q, (0.01, 0.5), verdict, (x, 0), 1, 2, Seconds(0, 1, 0))
        assert decided_by_ratios(r) == decided


def test_the_shape_of_a_tree_and_its_accepted_path_follow_in_the_browser():
    stops = {"stop_tokens": (1,)}  # also inside an accepted path
    runs = [run(seed, without_replacement, **stops) for seed in range(40)]
    rounds = [r for rounds in runs for r in rounds if r.drafted]
    assert any(r.verdict.accepted > len(r.emitted) for r in rounds)
    trees = called(DATA, "asTree", [[one] for one in completed(rounds)["rounds"]])
    for r, tree in zip(rounds, trees, strict=True):
        nodes = tree["nodes"]
        assert [node["depth"] for node in nodes] == list(depths(r.parents))
        assert [node["rank"] for node in nodes] == list(ranks(r.parents))
        mask = np.zeros((len(nodes), len(nodes)), bool)
        for i, node in enumerate(nodes):
            mask[i, node["path"]] = True
        assert np.array_equal(mask, ancestors(r.parents))
        assert tree["path"] == list(r.verdict.places)[: len(r.emitted)]
        assert r.cache_after == r.context + len(tree["kept"])
        assert [one["node"] for one in tree["judged"]] == [one.node for one in r.verdict.judged]
        for one, judged in zip(tree["judged"], r.verdict.judged, strict=True):
            assert one["accepted"] == judged.accepted
            assert one["top"][one["marked"]][1] == pytest.approx(judged.left, rel=1e-5)
