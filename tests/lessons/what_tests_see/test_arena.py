"""The rule arena: stored findings equal those of new exams."""

import json
from itertools import product
from math import isclose

import pytest

from course_utils.lessons.what_tests_see.arena import (
    AGREEMENTS,
    CONTESTANTS,
    FINEST,
    GAMMAS,
    findings,
    stored_findings,
)
from course_utils.proofs.bugs import ENUMERATION

LOSSLESS = {name: each.killer != ENUMERATION for name, each in CONTESTANTS.items()}


def close(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(close(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, int | float) and not isinstance(a, bool):
        # the rounding of a sum differs between processors, and so may a last digit
        return abs(a - b) <= (1 if isinstance(a, int) else 2e-9)
    return a == b


@pytest.mark.slow
def test_the_stored_findings_are_those_of_fresh_exams():
    assert [*stored_findings()["found"]] == [*CONTESTANTS]
    assert close(stored_findings(), json.loads(json.dumps(findings()))), (
        "data/exams.json is old: python -m course_utils.lessons.what_tests_see.arena"
    )


def test_only_the_lossless_are_lossless_at_every_setting():
    settings = [*product(range(len(GAMMAS)), range(len(AGREEMENTS)))]
    for name, one in stored_findings()["found"].items():
        for drift, _, _, errors in (one["cells"][g][a] for g, a in settings):
            assert isclose(sum(map(abs, errors)) / 2 / FINEST, drift, abs_tol=14 / FINEST)
        unseen = [(g, a) for g, a in settings if one["cells"][g][a][0] < 1e-12]
        if LOSSLESS[name]:
            assert unseen == settings
        else:  # as the scene's advice says
            assert all(GAMMAS[g] == 1 or AGREEMENTS[a] == 1 for g, a in unseen)
