"""What the browser computes is what Python computes, to 1e-12."""

from dataclasses import asdict, replace
from itertools import cycle, product

import numpy as np
import pytest

from course_utils.decoding.rules import residual, token_wise
from course_utils.decoding.sampling import sample
from course_utils.engines import calculator
from course_utils.lessons.acceptance_rule.playground import P, Q
from course_utils.lessons.production_engines.calculator_view import KS, LIMITS, machine, sizes
from course_utils.lessons.speedup_theory.explorer import Preset
from course_utils.theory import roofline
from course_utils.theory.accelerators import ACCELERATORS, MODELS
from course_utils.theory.sizes import ON_AN_H200
from course_utils.theory.speedup import expected_tokens, optimal_gamma, overlap, total_variation
from tests.stage.node import called

LONGEST = 16  # the largest gamma that the speedup scene draws
PAIRS = [
    (P, Q), (Q, P), (P, P), ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)), ((0.25, 0.25, 0.5), (0.5, 0.5, 0)),
    ((1.0, 0.0), (1.0, 0.0)), ((1e-300, 1.0), (1.0, 1e-300)),
    *np.random.default_rng(0).dirichlet(np.ones(5), (30, 2)).tolist(),
]  # fmt: skip
ROWS = [(np.array(p), np.array(q)) for p, q in PAIRS]
SIZE, BANDWIDTH = ON_AN_H200.target.size, ON_AN_H200.bandwidth
COSTS = [[SIZE, BANDWIDTH, 4e9, k, 989e12] for k in (1, 5, 206, 1000)]


FORMULAS = {  # name: (module, its twin, the arguments of each)
    "shared": ("rule", np.minimum, ROWS),
    "overlap": ("rule", overlap, ROWS),
    "residual": ("rule", residual, ROWS),
    "totalVariation": ("rule", total_variation, ROWS),
    "passTime": ("costs", roofline.pass_time, COSTS),
    "expectedTokens": (
        "speedup", expected_tokens,
        [*product((0.0, 1e-300, 0.3, 1 - 1e-12, 1.0), (0, 1, 4, LONGEST))],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_equals_its_python_twin(name):
    module, twin, cases = FORMULAS[name]
    arguments = [[np.asarray(one).tolist() for one in case] for case in cases]
    for value, case in zip(called(f"formulas/{module}.mjs", name, arguments), cases, strict=True):
        np.testing.assert_allclose(value, twin(*case), rtol=1e-12, atol=1e-12)


def test_the_lines_of_the_proof():
    """How each token is output: q ratio + (1 - alpha) residual = min(p, q) + the rest = p."""
    proofs = called("formulas/rule.mjs", "terms", [[list(p), list(q)] for p, q in PAIRS])
    for lines, (p, q) in zip(proofs, ROWS, strict=True):
        both, ratio = np.minimum(p, q), np.ones_like(p)
        np.divide(both, q, where=q > 0, out=ratio)
        second = (1 - overlap(p, q)) * residual(p, q)
        rows = {"ratio": ratio, "first": both, "shared": both, "left": p - both, "output": p}
        for name, row in (rows | {"second": second}).items():
            np.testing.assert_allclose([one[name] for one in lines], row, rtol=1e-12, atol=1e-12)


def python_round(p, q, draft, verify, correct):
    """One round by the course's own decoder: a drafted word, then the rule."""
    x = sample(np.array(q), draft)
    verdict = token_wise(np.array([p, p]), np.array([q]), [x], [verify, correct])
    # the word after an accepted one is a bonus, and not this round's
    token = x if verdict.accepted else verdict.token
    return {"x": x, "height": verify * q[x], "accepted": bool(verdict.accepted), "token": token}


def test_a_dart_follows_the_rule_on_every_edge():
    """Uniforms of 0, next to 1, and exactly on p/q and on the borders of the slices."""
    edges, cases = (0.0, 5e-324, 0.25, 0.5, float(np.nextafter(1, 0))), []
    for p, q in PAIRS[:12]:
        ratios = [a / b for a, b in zip(p, q, strict=True) if b and 0 < a / b < 1]
        borders = [float(u) for u in np.cumsum(q)[:-1] if u < 1]
        for uniforms in product([*edges, *borders], [*edges, *ratios], edges):
            cases.append([list(p), list(q), *uniforms])
    assert called("formulas/rule.mjs", "oneRound", cases) == [python_round(*one) for one in cases]


# --- the sliders of a speedup, and of a server

ALPHAS = [0, 0.01, *(i / 10 for i in range(1, 10)), 0.99, 1]
SETTINGS = [
    Preset(*one)
    for one in product(ALPHAS, (0, 0.01, 0.2, 0.5, 1), (0, 0.005, 0.2), (0, 0.19), (0, 0.05))
]
SPEEDUP, GAIN = "formulas/speedup.mjs", 1.001  # less counts as no gain
GRAIN = 2**-30  # speedups that differ by less count as equal


def test_the_curve_is_the_theory_and_the_star_is_its_first_maximum():
    views = called(SPEEDUP, "speedupView", [[asdict(one)] for one in SETTINGS])
    for view, setting in zip(views, SETTINGS, strict=True):
        curve = [1, *(setting.speedup(gamma) for gamma in range(1, LONGEST + 1))]
        assert view["curve"] == pytest.approx(curve, rel=1e-12), setting
        best, nearly, most = view["best"], view["nearly"], max(curve)
        if best == 0:
            assert most < GAIN + GRAIN
            continue
        assert curve[best] == pytest.approx(most, rel=1e-8)
        assert most >= GAIN - GRAIN
        enough = 1 + 0.95 * (most - 1)
        assert curve[nearly] >= enough - 4 * GRAIN > curve[nearly - 1] - 8 * GRAIN
        beyond = setting.speedup(LONGEST + 1) - curve[-1]
        free = setting.c == setting.slope == 0
        assert view["rising"] == (best == LONGEST and (free or beyond > GRAIN / 2)), setting
        if setting.slope == setting.o == setting.plain_o == 0:
            assert most == pytest.approx(optimal_gamma(setting.alpha, setting.c, LONGEST)[1])


def test_on_a_line_of_the_map_the_best_speedup_is_the_lines_level():
    cases = [(one, level) for one in SETTINGS for level in (1.0, GAIN, 2.0, 8.0)]
    costs = called(SPEEDUP, "dearest", [[asdict(one), level] for one, level in cases])
    for (setting, level), c in zip(cases, costs, strict=True):
        at_line = replace(setting, c=max(c, 0))
        most = max(at_line.speedup(gamma) for gamma in range(1, LONGEST + 1))
        assert most <= level + 1e-9 if c < 0 else most == pytest.approx(level)


def servers() -> list[tuple]:
    """(machine, target, draft or None, alpha, context, limit in ms)."""
    target, draft = MODELS["Qwen3-4B"], MODELS["Qwen3-0.6B"]
    kinds = zip(ACCELERATORS.values(), cycle((0, 0.3, 0.8, 0.99)), cycle((draft, None)))
    every = [(machine, target, small, alpha, 512, 4) for machine, alpha, small in kinds]
    every += [(ACCELERATORS["H200"], target, draft, 0.8, 512, limit) for limit in LIMITS]
    return [*every, (ACCELERATORS["L4"], MODELS["Qwen3-8B"], draft, 0.8, 32768, 4)]  # does not fit


def test_the_calculator_on_every_accelerator_and_at_every_limit():
    names = ("machine", "target", "draft", "alpha", "context", "limit")
    arguments = [
        [dict(zip(names, (machine(m), sizes(t), d and sizes(d), *rest), strict=True)), KS, 512]
        for m, t, d, *rest in servers()
    ]
    views = called("formulas/calculator.mjs", "calculatorView", arguments)
    for view, server in zip(views, servers(), strict=True):
        where, target, draft, alpha, context, limit = server
        for i, k in enumerate(KS):
            try:
                costs = calculator.roofline(where, target, draft if k else None, context=context)
            except ValueError:
                assert (view["speeds"][i], view["within"][i]) == ([], 0)
                continue
            tokens, rows = expected_tokens(alpha, k), range(1, costs.most_rows + 1)
            speeds = [calculator.tokens_per_second(costs, n, k, tokens) for n in rows]
            within = [n for n in rows if n / speeds[n - 1] <= limit / 1000]
            assert view["speeds"][i] == pytest.approx(speeds, rel=1e-12)
            assert view["within"][i] == max(within, default=0)
            served = max((speeds[n - 1] for n in within), default=0)
            assert view["served"][i] == pytest.approx(served, rel=1e-12)
            off = calculator.first_losing_batch(costs, alpha, k) if k else None
            assert view["off"][i] == off
