"""What the browser computes is what Python computes, to 1e-12."""

from dataclasses import asdict
from itertools import cycle, product

import numpy as np
import pytest

from course_utils.decoding.rules import residual, token_wise
from course_utils.decoding.sampling import sample
from course_utils.lessons.acceptance_rule.playground import P, Q
from course_utils.lessons.production_engines.calculator_view import (
    KS,
    LARGEST_BATCH,
    LIMITS,
    Setting,
    calculator_data,
    calculator_view,
    crossovers,
    machine,
)
from course_utils.lessons.speedup_theory.explorer import LONGEST, Preset, message, speedup_view
from course_utils.theory import roofline
from course_utils.theory.accelerators import ACCELERATORS
from course_utils.theory.sizes import ON_AN_H200
from course_utils.theory.speedup import expected_tokens, overlap, total_variation
from tests.stage.node import called

exact = {"rel": 1e-12, "abs": 1e-12}
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


def test_speedups_their_optimum_and_their_sentence():
    alphas = [0, 0.01, *(i / 10 for i in range(1, 10)), 0.99, 1]
    grid = product(alphas, (0, 0.01, 0.2, 1), (0, 0.005, 0.2), (0, 0.19), (0, 0.05))
    settings = [Preset(*point) for point in grid]
    views = [speedup_view(setting) for setting in settings]
    js_views = called("formulas/speedup.mjs", "speedupView", [[asdict(one)] for one in settings])
    for view, js in zip(views, js_views, strict=True):
        assert js["curve"] == pytest.approx(view.curve, **exact), view.setting
        for name in ("best", "nearly", "rising"):
            assert js[name] == getattr(view, name), (view.setting, name)
    messages = called("formulas/speedup.mjs", "message", [[one] for one in js_views])
    assert messages == [message(view) for view in views]


def test_the_calculator_on_every_accelerator_and_at_every_limit():
    turns = zip(ACCELERATORS, cycle((0, 0.3, 0.8, 0.99)), cycle(("Qwen3-0.6B", None)), strict=False)
    settings = [Setting(name, "Qwen3-4B", draft, alpha) for name, alpha, draft in turns]
    settings += [Setting(limit=limit) for limit in LIMITS]
    settings.append(Setting("L4", "Qwen3-8B", context=32768))  # does not fit
    arguments = [
        [calculator_data(one)["first"] | {"machine": machine(ACCELERATORS[one.machine])},
         list(KS), LARGEST_BATCH]
        for one in settings
    ]  # fmt: skip
    views = [calculator_view(one) for one in settings]
    js_views = called("formulas/calculator.mjs", "calculatorView", arguments)
    for view, js in zip(views, js_views, strict=True):
        for js_speeds, speeds in zip(js["speeds"], view.speeds, strict=True):
            assert js_speeds == pytest.approx(list(speeds), rel=1e-9, abs=0)
        assert js["served"] == pytest.approx(list(view.served), rel=1e-9, abs=0)
        assert (js["off"], js["within"]) == (list(view.off), list(view.within))
    sentences = called(
        "parts/calculator/words.mjs", "crossovers", [[one, list(KS)] for one in js_views]
    )
    assert sentences == [crossovers(view) for view in views]
