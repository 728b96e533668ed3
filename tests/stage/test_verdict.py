"""The arena's sentences in the browser are Python's."""

import pytest

from course_utils.lessons.exact_proof.arena_view import (
    arena_view,
    distance_told,
    log_told,
    percent,
)
from course_utils.lessons.exact_proof.exam import CONTESTANTS, GAMMAS, examine
from course_utils.lessons.exact_proof.findings import AGREEMENTS
from tests.stage.node import called

MODULE = "formulas/verdict.mjs"


@pytest.fixture(scope="module")
def views():
    return [arena_view(examine(n, g, a)) for n in CONTESTANTS for g in GAMMAS for a in AGREEMENTS]


def test_the_distance_is_told_in_the_same_words(views):
    cases = [[o.drift, o.lossless, o.agreement] for o in (view.outcome for view in views)]
    assert called(MODULE, "distance", cases) == [distance_told(view) for view in views]
    states = [[o.drift, o.lossless] for o in (view.outcome for view in views)]
    assert called(MODULE, "status", states) == [view.status for view in views]


def test_the_log_is_told_in_the_same_words(views):
    cases = [
        [o.acceptance, o.tokens, o.right_acceptance, o.right_tokens, o.drift, o.lossless]
        for o in (view.outcome for view in views)
    ]
    told = [log_told(view) for view in views]
    assert called(MODULE, "log", cases) == told
    stored = [[*(round(value, 9) for value in case[:4]), *case[4:]] for case in cases]
    assert called(MODULE, "log", stored) == told


def test_a_share_has_the_same_two_digits():
    # 0.37 of a unit keeps every share away from the middle between two roundings
    shares = [(k + 0.37) * 10.0**-n / 100 for n in range(8) for k in range(1, 100)]
    shares += [0.0, 1.0, 0.1, 0.25, 0.5, 0.75, 1e-12, 0.0996, 0.00999]
    assert called(MODULE, "percent", [[share] for share in shares]) == [*map(percent, shares)]
