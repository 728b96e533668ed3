"""The numbers and claims of lesson 01's quiz, computed with the course's code."""

import pytest

from course_utils.decoding.theory import expected_tokens, overlap
from course_utils.lessons.character_simulator.calls import expected_calls
from course_utils.lessons.character_simulator.quiz import (
    HOPELESS_DRAFT,
    HOW_ACCURATE,
    LONGER_DRAFTS,
)
from course_utils.models.toys.characters import SENTENCE, CharacterModel


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def test_how_accurate():
    target, draft = CharacterModel(), CharacterModel(accuracy=0.7)
    assert overlap(target.distribution([0]), draft.distribution([0])) == pytest.approx(0.8)
    assert right(HOW_ACCURATE) == "80 %"


def test_hopeless_draft():
    alone = len(SENTENCE)
    assert expected_calls(alone, 0.0, 3, lambda n, drafted, place: n + 1) == alone
    # the wrong choice "it never ends" is true of a loop without corrections
    assert expected_calls(alone, 0.0, 3, lambda n, drafted, place: n) == float("inf")
    assert right(HOPELESS_DRAFT) == "The right sentence, as many calls as without a draft"


def test_longer_drafts():
    assert expected_tokens(0.8, 3) == pytest.approx(3, abs=0.1)
    assert expected_tokens(0.8, 10) == pytest.approx(4.5, abs=0.1)
    assert expected_tokens(0.8, 10_000) == pytest.approx(5)  # the limit, never passed
    assert right(LONGER_DRAFTS) == "About four and a half"
    wrong = 1 + 10 * 0.8, 1 + 10 * 0.8**10  # every guess counted; whole drafts or nothing
    assert wrong == pytest.approx((9, 2), abs=0.1)
