"""The recorded session: each fault is seen by a witness."""

import pytest

from course_utils.decoding.sampling import Sampling
from course_utils.engines.sessions import read_session
from course_utils.proofs.likelihood import LikelihoodTest, likelihood_along, rows_along

SOME = 4  # texts: the notebook compares all


@pytest.mark.slow
def test_what_was_released_is_found_out_and_what_was_mended_draws_from_the_target(fast):
    """Each of the four faults by a witness at least."""
    passed = {}
    for name, run in read_session().runs.items():
        part = run.parts["sampled"]
        texts = list(zip(part.questions, part.answers, strict=True))[:SOME]
        passed[name] = LikelihoodTest.total(
            likelihood_along(rows_along(fast.target, q.prompt, a.tokens, Sampling()), a.tokens)
            for q, a in texts
        ).passed
        assert passed[name] == (run.repaired or name == "none"), name
    assert list(passed.values()).count(False) == 4
