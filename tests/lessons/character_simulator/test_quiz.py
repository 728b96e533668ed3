"""The numbers of lesson 01's quiz, computed with the course's code."""

import pytest

from course_utils.decoding.theory import expected_tokens, overlap
from course_utils.models.toys.characters import CharacterModel


def test_how_accurate_80_percent():
    target, draft = CharacterModel(), CharacterModel(accuracy=0.7)
    assert overlap(target.distribution([0]), draft.distribution([0])) == pytest.approx(0.8)


def test_longer_drafts_about_four_and_a_half():
    assert expected_tokens(0.8, 3) == pytest.approx(3, abs=0.1)
    assert expected_tokens(0.8, 10) == pytest.approx(4.5, abs=0.1)
