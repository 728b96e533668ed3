"""The rule arena: stored findings equal those of new exams, and no heading reveals a verdict."""

import json
from itertools import product
from math import isclose

import pytest

from course_utils.decoding.rules import RULES
from course_utils.lessons.exact_proof.arena import (
    AGREEMENTS,
    CONTESTANTS,
    FINEST,
    GAMMAS,
    LENGTH,
    PARTS,
    SLOW_BUT_RIGHT,
    UNSEEN,
    arena,
    findings,
    stored_findings,
)
from course_utils.proofs.bugs import BUGS, bug
from course_utils.proofs.decoders import CORRECT, exam, tokens_per_round

SETTINGS = [*product(range(len(GAMMAS)), range(len(AGREEMENTS)))]


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
        "data/exams.json is old: python -m course_utils.lessons.exact_proof.arena"
    )


def test_only_the_lossless_are_lossless_at_every_setting():
    for name, one in stored_findings()["found"].items():
        for drift, _, _, errors in (one["cells"][g][a] for g, a in SETTINGS):
            assert isclose(sum(map(abs, errors)) / 2 / FINEST, drift, abs_tol=14 / FINEST)
        unseen = [(g, a) for g, a in SETTINGS if one["cells"][g][a][0] < 1e-12]
        if CONTESTANTS[name].lossless:
            assert unseen == SETTINGS
        else:  # as the scene's advice says
            assert all(GAMMAS[g] == 1 or AGREEMENTS[a] == 1 for g, a in unseen)


def test_all_rules_and_all_visible_bugs_take_part():
    bugs = {b.name for b in BUGS}
    assert set(CONTESTANTS) == {r.name for r in RULES} | {"candidates"} | bugs - set(UNSEEN)
    small = exam(gamma=2, length=LENGTH)
    right = tokens_per_round(small.first_rounds(CORRECT))
    for name in UNSEEN:
        assert small.distance(bug(name).decoder) < 1e-12
        assert isclose(tokens_per_round(small.first_rounds(bug(name).decoder)), right)
    for name in SLOW_BUT_RIGHT:
        assert tokens_per_round(small.first_rounds(bug(name).decoder)) < right - 0.1


def test_every_decoder_is_in_one_part_and_no_heading_reveals_a_verdict():
    assert sorted(name for *_, part in PARTS for name in part) == sorted(CONTESTANTS)
    for _, _, part in PARTS[:4]:
        assert {CONTESTANTS[name].lossless for name in part} == {True, False}
    scene = arena()
    assert scene.scene == "verdicts"
    assert len(json.dumps(scene.data)) < 70_000
    assert "lossless" not in scene.alt
