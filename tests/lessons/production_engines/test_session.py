"""The recorded session: its greedy texts are ours, its surprise as the lesson says."""

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.engines.sessions import read_session
from course_utils.proofs.likelihood import LikelihoodTest, likelihood_along, rows_along


@pytest.fixture(scope="module")
def session():
    return read_session()


SOME = 4  # texts: the notebook compares all


def some(part):
    return part.model_copy(update={"questions": part.questions[:SOME], "raw": part.raw[:SOME]})


def test_all_greedy_texts_are_ours(session, fast):
    ours = []
    for q in some(session.runs["none"].parts["greedy"]).questions:
        asked = {"max_new_tokens": q.max_tokens, "sampling": GREEDY}
        ours.append(emitted_tokens(generate(fast.target, q.prompt, **asked)))
    for name in ("none", "ngram", "draft_model", "draft_model_greedy", "suffix"):
        part = some(session.runs[name].parts["greedy"])
        assert part.questions == some(session.runs["none"].parts["greedy"]).questions, name
        assert [answer.tokens for answer in part.answers] == ours, name


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
