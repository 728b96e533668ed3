"""The calculator scene's own formulas are those of `engines`, over all that its controls offer."""

from dataclasses import replace
from itertools import cycle, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.engines.accelerators import ACCELERATORS
from course_utils.lessons.production_engines.calculator_view import (
    CONTEXTS,
    KS,
    LARGEST_BATCH,
    LIMITS,
    TARGETS,
    Setting,
    calculator_data,
    calculator_view,
    crossovers,
    drafts_of,
)
from tests.stage.node import called

MODULE, WORDS = "formulas/calculator.mjs", "parts/calculator/words.mjs"
ALPHAS = (0, 0.01, 0.3, 0.55, 0.8, 0.99)
MODELS = tuple((target, draft) for target in TARGETS for draft in drafts_of(target))
DATA = calculator_data(Setting())
BY_NAME = {one["name"]: one for one in (*DATA["machines"], *DATA["models"])} | {None: None}

exact = {"rel": 1e-9, "abs": 0}


def chosen(setting: Setting) -> list:
    """The arguments of the scene's own formula."""
    named = {name: BY_NAME[getattr(setting, name)] for name in ("machine", "target", "draft")}
    numbers = {name: getattr(setting, name) for name in ("alpha", "context", "limit")}
    return [{**named, **numbers}, list(KS), LARGEST_BATCH]


def held_to_python(cases: list[Setting]) -> list[dict]:
    found = called(MODULE, "calculatorView", [chosen(setting) for setting in cases])
    for setting, seen in zip(cases, found, strict=True):
        view = calculator_view(setting)
        assert [len(speeds) for speeds in seen["speeds"]] == [len(s) for s in view.speeds], setting
        for mine, speeds in zip(seen["speeds"], view.speeds, strict=True):
            assert mine == pytest.approx(list(speeds), **exact), setting
        assert seen["served"] == pytest.approx(list(view.served), **exact), setting
        assert (seen["off"], seen["within"]) == (list(view.off), list(view.within)), setting
    return found


def test_it_is_pythons_for_every_model_on_every_machine_and_every_context():
    every = [*product(ACCELERATORS, MODELS), *(("H200", MODELS[-2]) for _ in CONTEXTS)]
    turns = zip(*(cycle(of) for of in (ALPHAS, CONTEXTS, LIMITS)), strict=True)
    cases = [Setting(machine, *pair, *next(turns)) for machine, pair in every]
    cases.append(Setting("L4", "Qwen3-8B", context=CONTEXTS[-1]))
    found = held_to_python(cases)
    assert any(not all(view["speeds"]) for view in found)  # one does not fit
    assert called(WORDS, "crossovers", [[view, list(KS)] for view in found]) == [
        crossovers(calculator_view(setting)) for setting in cases
    ]


def test_it_is_pythons_at_every_limit():
    held_to_python([replace(Setting(), limit=limit) for limit in LIMITS])


@settings(deadline=None, max_examples=3)
@given(st.lists(st.integers(0, 99), min_size=10, max_size=10))
def test_it_is_pythons_at_every_alpha(percents):
    held_to_python([replace(Setting(), alpha=one / 100) for one in percents])


def test_a_price_is_what_an_hour_costs_over_its_tokens():
    cases = [[speed, price] for speed in (0.1, 33.0, 1e5) for price in (0, 0.5, 1.99, 98.3)]
    assert called(MODULE, "costPerMillion", cases) == pytest.approx(
        [price / 3600 / speed * 1e6 for speed, price in cases], **exact
    )
