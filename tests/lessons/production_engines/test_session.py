"""The recorded session: each fault is seen by a witness."""

import pytest

from course_utils.decoding.sampling import Sampling
from course_utils.engines.sessions import read_session
from course_utils.proofs.likelihood import LikelihoodTest, likelihood_along, rows_along


@pytest.fixture(scope="module")
def session():
    return read_session()


SOME = 4  # texts: the notebook compares all


def some(part):
    return part.model_copy(update={"questions": part.questions[:SOME], "raw": part.raw[:SOME]})


@pytest.mark.slow
def test_what_was_released_is_found_out_and_what_was_mended_draws_from_the_target(session, fast):
    """Each of the four faults by a witness at least."""
    found = {}
    for name, run in session.runs.items():
        part = some(run.parts["sampled"])
        texts = zip(part.questions, part.answers, strict=True)
        found[name] = LikelihoodTest.total(
            likelihood_along(rows_along(fast.target, q.prompt, a.tokens, Sampling()), a.tokens)
            for q, a in texts
        )
        honest = run.repaired or name == "none"
        assert found[name].passed == honest, (name, found[name])
    assert sum(not one.passed for one in found.values()) == 4
