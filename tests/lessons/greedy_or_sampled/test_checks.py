"""Acceptance of a greedy and a sampled draft, checked against enumeration."""

import numpy as np
import pytest

from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.greedy_or_sampled.checks import check_one_position, one_position
from course_utils.proofs.decoders import Decoder, exam


def test_acceptances_and_corrections_add_up_to_the_target():
    for p, q, greedy in check_one_position.cases:
        accepted, correction = one_position(p, q, greedy)
        row = np.eye(len(q))[np.argmax(q)] if greedy else q
        np.testing.assert_allclose(np.minimum(p, row) + (1 - accepted) * correction, p)


@pytest.mark.parametrize("greedy", [True, False])
def test_the_first_guess_is_accepted_as_often_as_enumeration_says(greedy):
    small = exam()
    drafter = Decoder(drafter=lambda model: Sampled(model, GREEDY) if greedy else Sampled(model))
    paths = small.first_rounds(drafter)
    accepted = sum(weight for weight, r in paths if r.verdict.accepted >= 1)
    p, q = (model.distribution([*small.prompt]) for model in (small.target, small.draft))
    assert accepted == pytest.approx(one_position(p, q, greedy)[0], abs=1e-12)
