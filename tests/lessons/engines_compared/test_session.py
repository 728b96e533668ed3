"""The recorded session by the engine's habits: every round is ours; what it remembers."""

import pytest

from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.engines.published import EAGLE_1, EAGLE_3
from course_utils.engines.sessions import read_session
from course_utils.lessons.engines_compared import others, prices
from course_utils.lessons.engines_compared import tables as lesson
from course_utils.lessons.engines_compared.as_served import (
    EarliestLookup,
    as_served,
    our_rounds,
)
from course_utils.lessons.engines_compared.checks import price_of_a_round
from course_utils.lessons.engines_compared.remembering import Remembering


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


def test_what_a_round_costs_is_told_of_every_engine(session):
    """By hand: the same speedups, and the GPU's prices as the reported table has them."""
    mended = prices.of_vllm(session.runs, price_of_a_round)
    plain = session.runs["none"].parts["sampled"].tokens_per_second
    for one, name in zip(mended, prices.VLLM, strict=True):
        speed = session.runs[f"{name}, mended"].parts["sampled"].tokens_per_second
        assert one.speedup == pytest.approx(speed / plain)
    for one, table in zip(
        prices.of_reported((EAGLE_1, EAGLE_3), price_of_a_round), (EAGLE_1, EAGLE_3), strict=True
    ):
        assert one.price == pytest.approx(table.rounds[table.lengths.index(table.best)])
    names = [one.name for one in prices.of_others(others.recorded(), price_of_a_round)]
    assert names[:2] == ["course: drawn from q", "ONNX Runtime GenAI: drawn from q"]
    assert all(one.tokens > 1 for one in mended)
