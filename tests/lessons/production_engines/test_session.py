"""The recorded session: the witnesses detect each fault."""

import pytest

from course_utils.decoding.sampling import Sampling
from course_utils.engines.sessions import read_session
from course_utils.proofs.likelihood import MartingaleTest, likelihood_along, rows_along

SOME = 4  # texts: the notebook compares all


@pytest.mark.slow
def test_the_released_servers_fail_and_the_mended_ones_pass(fast):
    """At least one witness detects each of the four faults."""
    passed = {}
    for name, run in read_session().runs.items():
        part = run.parts["sampled"]
        texts = list(zip(part.questions, part.answers, strict=True))[:SOME]
        passed[name] = MartingaleTest.total(
            likelihood_along(rows_along(fast.target, q.prompt, a.tokens, Sampling()), a.tokens)
            for q, a in texts
        ).passed
        assert passed[name] == (run.repaired or name == "none"), name
    assert list(passed.values()).count(False) == 4
