"""Effects agree with an enumeration of the loop, and costs along texts agree with them."""

import numpy as np
import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.rules import TYPICAL
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.what_lossy_rules_cost import effects
from course_utils.lessons.what_lossy_rules_cost.checks import P, Q, typical_price
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import Decoder, Exam
from course_utils.theory.speedup import total_variation

ZERO = np.array([0.0, 0.5, 0.28, 0.17, 0.05])


@pytest.mark.parametrize("name", effects.RULES)
@pytest.mark.parametrize(("p", "q"), [(P, Q), (ZERO, Q), (P, P), (Q, ZERO)])
def test_an_effect_agrees_with_enumeration(name, p, q):
    rule, effect = effects.RULES[name]
    accepted, emitted = np.zeros(len(p)), np.zeros(len(p))
    for weight, r in Exam(TableModel(p), TableModel(q), gamma=1).first_rounds(Decoder(rule)):
        emitted[r.emitted[0]] += weight
        accepted[r.emitted[0]] += weight * r.accepted
    np.testing.assert_allclose(effect(p[None], q[None])[0][0], accepted, atol=1e-12)
    np.testing.assert_allclose(effect(p[None], q[None])[1][0], emitted, atol=1e-12)


def test_no_rule_accepts_more_than_alpha_plus_its_distance_and_the_ensemble_reaches_it():
    alpha = np.minimum(P, Q).sum()
    for name, (_, effect) in effects.RULES.items():
        accepted, emitted = effect(P[None], Q[None])
        wasted = alpha + total_variation(emitted[0], P) - accepted.sum()
        assert wasted > -1e-12
        if name.startswith("w = "):
            assert wasted == pytest.approx(0, abs=1e-12)


def test_the_cost_along_texts_agrees_with_its_positions():
    """All rows are equal, so tokens and distance are known."""
    options = {"gamma": 2, "rule": TYPICAL, "max_new_tokens": 60, "rows": True}
    rounds = list(generate(TableModel(P), [0], Sampled(TableModel(Q)), **options))
    rate, tv = typical_price(P, Q, 0.09, 0.3)
    tokens, distance = effects.cost(rounds, effects.typical, 2)
    assert tokens == pytest.approx(1 + rate + rate**2)
    whole = [r for r in rounds if len(r.drafted) == 2]
    examined = sum(min(r.accepted + 1, 2) for r in whole)
    assert distance == pytest.approx(tv * examined / sum(r.accepted + 1 for r in whole))
