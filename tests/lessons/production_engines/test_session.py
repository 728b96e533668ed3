"""The recorded session: its greedy texts and rounds are ours, its surprise as the lesson says."""

import pytest

from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.engines.sessions import read_session
from course_utils.lessons.production_engines import tables as lesson
from course_utils.lessons.production_engines.as_served import (
    EarliestLookup,
    as_served,
    our_rounds,
)
from course_utils.lessons.production_engines.remembering import Remembering
from course_utils.proofs.surprise import surprise


@pytest.fixture(scope="module")
def session():
    return read_session()


SOME = 4  # texts: the notebook compares all


def some(part):
    return part.model_copy(update={"questions": part.questions[:SOME], "raw": part.raw[:SOME]})


@pytest.fixture(scope="module")
def ours(session, fast):
    """The greedy texts, as the course decodes them."""
    drafter = Sampled(fast.draft, GREEDY)
    asked = some(session.runs["none"].parts["greedy"]).questions
    return lesson.emitted_texts([our_rounds(fast.target, q, drafter) for q in asked])


def test_all_greedy_texts_are_ours(session, ours):
    for name in ("none", "ngram", "draft_model", "draft_model_greedy", "suffix"):
        part = some(session.runs[name].parts["greedy"])
        assert part.questions == some(session.runs["none"].parts["greedy"]).questions, name
        assert [answer.tokens for answer in part.answers] == ours, name


@pytest.mark.parametrize("name", ["draft_model", "ngram", "suffix"])
def test_every_round_is_ours_by_the_engines_habits(session, ours, fast, name):
    part = some(session.runs[name].parts["greedy"])
    seen, served = [ours[0]], []  # whoever records asks the first prompt once before
    for question, text in zip(part.questions, ours, strict=True):
        drafter = {
            "draft_model": lambda: Sampled(fast.draft, GREEDY),
            "ngram": EarliestLookup,
            "suffix": lambda: Remembering(len(question.prompt), [*seen]),  # noqa: B023
        }[name]()
        served.append(as_served(fast.target, question, drafter))
        seen.append(text)
    assert lesson.equal_rounds(part, served) == len(ours)


def test_what_was_released_is_found_out_and_what_was_mended_draws_from_the_target(session, fast):
    """Each of the four faults by a witness at least."""
    found = {}
    for name, run in session.runs.items():
        part = some(run.parts["sampled"])
        texts = zip(part.questions, part.answers, strict=True)
        found[name] = surprise(fast.target, [(q.prompt, a.tokens) for q, a in texts], Sampling())
        honest = run.repaired or name == "none"
        assert found[name].drawn == honest, (name, found[name])
    assert sum(not one.drawn for one in found.values()) == 4


def test_the_default_costs_tokens_at_temperature_1(session):
    drawn, greedy = (
        session.runs[f"{name}, mended"].parts["sampled"].counters.mean_acceptance_length
        for name in ("draft_model", "draft_model_greedy")
    )
    assert drawn > greedy + 0.5


def test_suffix_remembers_the_load_that_it_carried_before(session):
    loaded = lesson.loads(session.runs)
    lengths = {
        name: [parts[n].counters.mean_acceptance_length for n in sorted(parts)]
        for name, parts in loaded.items()
        if name != "none"
    }
    first, second, _ = lengths["suffix"]
    assert second > first + 1
    for name in ("ngram", "draft_model"):
        assert lengths[name][0] == pytest.approx(lengths[name][1], rel=0.02)
