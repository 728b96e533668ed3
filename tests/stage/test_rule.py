"""The rule, its darts and its proof in the browser: what Python's rule gives, to 1e-12."""

from itertools import product

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from course_utils.decoding.rules import residual, token_wise
from course_utils.decoding.sampling import sample
from course_utils.decoding.theory import overlap, total_variation
from course_utils.lessons.acceptance_rule.playground import P, Q, distribution
from tests.stage.node import called

RULE, TWO = "formulas/rule.mjs", "formulas/two_distributions.mjs"
BELOW_ONE = float(np.nextafter(1, 0))
EDGES = (0.0, 5e-324, 0.25, 0.5, 0.625, BELOW_ONE)
EXTREME = [
    (P, Q),
    (Q, P),
    (P, P),
    ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    ((0.0, 1.0), (1.0, 0.0)),
    ((0.25, 0.25, 0.5), (0.5, 0.5, 0.0)),
    ((1.0, 0.0), (1.0, 0.0)),
    ((1e-300, 1.0), (1.0, 1e-300)),
    ((0.1, 0.2, 0.7), (0.7, 0.2, 0.1)),
]
WEIGHTS = st.one_of(st.just(0.0), st.floats(0.001, 1), st.integers(0, 10).map(float))
UNIFORMS = st.one_of(st.sampled_from(EDGES), st.floats(0, 1, exclude_max=True))


@st.composite
def two_rows(draw):
    size = draw(st.integers(2, 6))
    rows = st.lists(WEIGHTS, min_size=size, max_size=size).filter(any)
    return distribution(draw(rows)), distribution(draw(rows))


# no shrinking: every example is a call of node
FEW = settings(deadline=None, phases=(Phase.generate,))
PAIRS = st.lists(two_rows(), min_size=20, max_size=40)  # one call of node for all of them


def near(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@given(PAIRS)
@settings(FEW, max_examples=8)
def test_what_two_distributions_share_and_do_not(pairs):
    pairs = [*pairs, *EXTREME]
    cases = [[list(p), list(q)] for p, q in pairs]
    rows = [(np.array(p), np.array(q)) for p, q in pairs]
    for name, twin in (
        ("shared", np.minimum),
        ("overlap", overlap),
        ("residual", residual),
        ("totalVariation", total_variation),
    ):
        for found, (p, q) in zip(called(RULE, name, cases), rows, strict=True):
            near(found, twin(p, q))


@given(PAIRS)
@settings(FEW, max_examples=8)
def test_the_lines_of_the_proof(pairs):
    """P(output = x) = q ratio + (1 - alpha) residual = min(p, q) + (p - min(p, q)) = p."""
    pairs = [*pairs, *EXTREME]
    found = called(RULE, "terms", [[list(p), list(q)] for p, q in pairs])
    for lines, rows in zip(found, pairs, strict=True):
        p, q = np.array(rows)
        shared, ratio = np.minimum(p, q), np.ones_like(p)
        np.divide(shared, q, where=q > 0, out=ratio)
        expected = {"ratio": ratio, "first": shared, "shared": shared, "output": p}
        expected |= {"second": (1 - overlap(p, q)) * residual(p, q), "left": p - shared}
        for name, row in expected.items():
            near([line[name] for line in lines], row)


def python_round(p, q, draft, verify, correct):
    """One round by the course's own decoder: a drafted word, then the rule."""
    rows, drafts = np.array([p, p]), np.array([q])
    x = sample(drafts[0], draft)
    verdict = token_wise(rows, drafts, [x], [verify, correct])
    # the word after an accepted one is a bonus, and not this round's
    token = x if verdict.accepted else verdict.token
    return {"x": x, "height": verify * q[x], "accepted": bool(verdict.accepted), "token": token}


@given(st.lists(st.tuples(two_rows(), UNIFORMS, UNIFORMS, UNIFORMS), min_size=50, max_size=99))
@settings(FEW, max_examples=10)
def test_a_dart_falls_as_the_rule_decides(darts):
    cases = [[list(p), list(q), *uniforms] for (p, q), *uniforms in darts]
    assert called(RULE, "oneRound", cases) == [python_round(*case) for case in cases]


def test_a_dart_on_every_edge():
    """Uniforms of 0, next to 1, and exactly on p/q and on the borders of the slices."""
    cases = []
    for p, q in EXTREME:
        ratios = [a / b for a, b in zip(p, q, strict=True) if 0 < a / max(b, 1e-9) < 1 and b]
        borders = [float(u) for u in np.cumsum(q)[:-1] if u < 1]
        for draft, verify, correct in product([*EDGES, *borders], [*EDGES, *ratios], EDGES):
            cases.append([list(p), list(q), draft, verify, correct])
    assert len(cases) > 2000
    assert called(RULE, "oneRound", cases) == [python_round(*case) for case in cases]


@given(st.lists(st.tuples(two_rows(), UNIFORMS), min_size=50, max_size=80))
@settings(FEW, max_examples=5)
def test_a_uniform_draws_the_same_word(cases):
    found = called(RULE, "sample", [[list(p), u] for (p, _), u in cases])
    assert found == [sample(np.array(p), u) for (p, _), u in cases]


def chance(p, count):
    """Expected TV between p and the frequencies of `count` samples drawn from it.

    Half the sum of the mean deviations of binomials, which De Moivre (1730) knew:
    E|X - np| = 2 k (1 - p) P(X = k), with k = floor(np) + 1.
    """
    p = np.array(p)
    k = np.minimum(np.floor(count * p) + 1, count)
    return (k * (1 - p) * binom.pmf(k, count, p)).sum() / max(count, 1)


@pytest.mark.parametrize("count", [0, 1, 2, 15, 16, 17, 100, 1000, 12_345, 100_000, 1_000_000])
def test_chance(count):
    rows = [P, Q, (1.0, 0.0), (0.5, 0.5), (1e-6, 1 - 1e-6), (1e-300, 1.0), (1 / 3, 2 / 3)]
    found = called(RULE, "chance", [[list(p), count] for p in rows])
    assert found == pytest.approx([chance(p, count) for p in rows], rel=1e-9, abs=1e-12)


@given(PAIRS, st.integers(0, 5), st.floats(-0.5, 1.5))
@settings(FEW, max_examples=8)
def test_a_dragged_bar(pairs, place, value):
    """The others keep their proportions and share the rest; where they are nothing, evenly."""
    cases = [[list(p), place % len(p), value] for p, _ in pairs]
    cases += [[[0.0, 1.0, 0.0], i, value] for i in range(3)]
    to = min(max(value, 0.0), 1.0)
    for found, (row, at, _) in zip(called(TWO, "moved", cases), cases, strict=True):
        others = np.delete(row, at)
        shares = others / others.sum() if others.any() else np.full(len(others), 1 / len(others))
        near(found, np.insert((1 - to) * shares, at, to))


def presets(p, q):
    """What each makes of (p, q), which began as (P, Q)."""
    half = len(p) // 2
    first = np.repeat([1.0, 0.0], [half, len(p) - half])
    certain = np.eye(len(q))[np.argmax(q)]
    return {
        "lesson": (P, Q),
        "identical": (p, p),
        "disjoint": (first / half, (1 - first) / (len(p) - half)),
        "certain draft": (p, certain),
        "swap": (q, p),
    }


PRESETS = tuple(presets(P, Q))


@given(PAIRS)
@settings(FEW, max_examples=5)
def test_presets(pairs):
    cases = [[name, [list(P), list(Q)], [list(p), list(q)]] for p, q in pairs for name in PRESETS]
    wanted = [rows for pair in pairs for rows in presets(*pair).values()]
    for found, rows in zip(called(TWO, "preset", cases), wanted, strict=True):
        for row, twin in zip(found, rows, strict=True):
            near(row, twin)


def test_the_seeded_uniforms_are_mulberry32():
    """Against the published algorithm, in whole numbers of 32 bits."""

    def mulberry(seed):
        state = seed
        while True:
            state = (state + 0x6D2B79F5) & 0xFFFFFFFF
            t = ((state ^ (state >> 15)) * (state | 1)) & 0xFFFFFFFF
            t ^= (t + (((t ^ (t >> 7)) * (t | 61)) & 0xFFFFFFFF)) & 0xFFFFFFFF
            yield ((t ^ (t >> 14)) & 0xFFFFFFFF) / 2**32

    for seed in (0, 1, 2186, 2**32 - 1):
        expected = [u for u, _ in zip(mulberry(seed), range(300), strict=False)]
        assert called("formulas/mulberry.mjs", "first", [[seed, 300]]) == [expected]
