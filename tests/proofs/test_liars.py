"""No liar passes: what is written to deceive a certificate is found, and by the check it should be.

The checks are made one by one until the first that speaks, since one is enough.
"""

import numpy as np
import pytest

from course_utils.proofs import certificate
from course_utils.proofs.certificate import run_checks
from course_utils.proofs.decoders import CORRECT
from course_utils.proofs.examination import examine, made_up, on_the_pair
from course_utils.proofs.synthetic import shifted_pair
from tests.liars import DRAFTERS, REACHED, RULES, TARGETS, Asked

pytestmark = pytest.mark.slow

# Two models without weights, in place of a pair: a certificate looks at them as at any
# other, and a pass costs next to nothing.
TARGET, DRAFT = shifted_pair(1200, seed=7)
# Honest over 48 tokens, where a text is the longest: they are first seen over 1200.
HONEST_OVER_FEW = {"misreports under top-p"}
PROMPTS = [np.random.default_rng(7).integers(0, 1200, 70).tolist()]


def speaks(found):
    """Does this finding stand in the way of "no defect found"?"""
    return isinstance(found, str) or not found.passed


def first(decoder):
    every = run_checks(TARGET, DRAFT, decoder, PROMPTS, stop_tokens=(0,))
    return next(filter(speaks, every), None)


def recorded(liar, found):
    """For the table that `make slow` prints."""
    if isinstance(found, str):
        return [liar.name, "inconclusive", found[:70]]
    return [liar.name, "lossy" if found.decisive else "inconclusive", found.name]


@pytest.mark.parametrize("liar", [*DRAFTERS, *RULES, *REACHED], ids=lambda liar: liar.name)
def test_a_liar_is_found(record_property, monkeypatch, liar):
    if not liar.seen_by.startswith(
        ("exact distribution", "random numbers")
    ):  # tables see nothing of it
        monkeypatch.setattr(certificate, "ON_TABLES", ())
    if liar.name in HONEST_OVER_FEW:
        monkeypatch.setattr(certificate, "made_up", lambda *given: made_up(*given)[1:])
    found = first(liar.decoder)
    assert found is not None, f"{liar.name} passes"
    record_property("liar", recorded(liar, found))
    assert liar.seen_by in str(found)


@pytest.mark.parametrize(("name", "change", "seen_by"), TARGETS, ids=[t[0] for t in TARGETS])
def test_a_target_that_depends_on_how_it_is_asked_is_found(record_property, name, change, seen_by):
    """Tables know nothing of it; on the pair every row of a round is asked for again."""
    tasks = on_the_pair(PROMPTS, TARGET.context, (0,), seed=0)
    found, _ = examine(CORRECT, Asked(TARGET, change), DRAFT, tasks, 4, "pair")
    failed = [finding for finding in found if not finding.passed]
    assert failed, f"{name} passes"
    record_property("liar", [name, "lossy", failed[0].name])
    assert failed[0].decisive
    assert seen_by in failed[0].name
