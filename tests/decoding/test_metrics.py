"""The acceptance metrics: what each expects to be, exactly."""

from math import fsum

import numpy as np
import pytest

from course_utils.decoding.lean import examined_overlaps
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.rules import BLOCK, RECURSIVE_REJECTION
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.candidates import Candidates, with_replacement
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.proofs.decoders import exam
from course_utils.proofs.enumeration import outcomes

EXAM = exam(vocabulary_size=3)


def every_run(make_drafter, length=3, **options):
    """(probability, rounds) of every run."""

    def run(noise):
        return list(
            generate(
                EXAM.target, [0, 1, 0, 1], make_drafter(), gamma=3, max_new_tokens=length,
                noise=lambda _: noise, **options,
            )
        )  # fmt: skip

    return list(outcomes(run))


@pytest.mark.parametrize("stop_tokens", [(), (2,)])
@pytest.mark.parametrize("sampling", [Sampling(), Sampling(0.6, top_k=2), GREEDY], ids=str)
@pytest.mark.parametrize("drafter", ["sampled", "lookup"])
def test_accepted_tokens_and_overlaps_have_one_expectation(drafter, sampling, stop_tokens):
    make = {"sampled": lambda: Sampled(EXAM.draft), "lookup": PromptLookup}[drafter]
    runs = every_run(make, sampling=sampling, stop_tokens=stop_tokens)
    assert fsum(weight for weight, _ in runs) == pytest.approx(1, abs=1e-12)
    totals = {"accepted": [], "overlap": [], "examined": []}
    for weight, rounds in runs:
        m = summarise(rounds)
        overlaps = [share for r in rounds for share in examined_overlaps(r)]
        assert len(overlaps) == m.examined
        if overlaps:
            assert m.overlap == pytest.approx(np.mean(overlaps), abs=1e-15)
        totals["accepted"].append(weight * m.accepted)
        totals["overlap"].append(weight * fsum(overlaps))
        totals["examined"].append(weight * m.examined)
    accepted, overlap, examined = (fsum(parts) for parts in totals.values())
    assert examined > 0.5
    assert accepted == pytest.approx(overlap, abs=1e-12)


def test_block_verification_is_not_estimated_by_the_overlap():
    """The control: another rule accepts more of the same distributions."""
    runs = every_run(lambda: Sampled(EXAM.draft), rule=BLOCK)
    accepted = fsum(weight * summarise(rounds).accepted for weight, rounds in runs)
    overlap = fsum(
        weight * share for weight, rounds in runs for r in rounds for share in examined_overlaps(r)
    )
    assert abs(accepted - overlap) > 1e-3


def test_the_estimator_is_left_out_where_it_means_nothing():
    drafter = Candidates(EXAM.draft, with_replacement)
    rounds = list(generate(EXAM.target, [0], drafter, rule=RECURSIVE_REJECTION, max_new_tokens=20))
    assert summarise(rounds).examined > 0
    assert summarise(rounds).overlap is None
    assert summarise(generate(EXAM.target, [0], max_new_tokens=3)).overlap is None
