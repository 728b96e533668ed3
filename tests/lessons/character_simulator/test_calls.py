"""Target calls: their exact mean, and the rounds of the exercise's loop against the course's."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.decoding.contracts import Draft
from course_utils.decoding.loop import generate
from course_utils.lessons.character_simulator.checks import decode_sentence
from course_utils.lessons.character_simulator.copies import guess_from, misread
from course_utils.lessons.character_simulator.figures import WAYS, expected_calls
from course_utils.models.toys.characters import SENTENCE, CharacterModel

ONLY_WHEN_STUCK = WAYS["a correction only if nothing was accepted"]


def test_the_mean_calls_of_one_and_two_tokens():
    assert expected_calls(1, 0.8, 3, ONLY_WHEN_STUCK) == pytest.approx(1 / 0.8)
    # two tokens, gamma 1: one call if the guess is right, otherwise two
    assert expected_calls(2, 0.8, 1) == pytest.approx(0.8 + 0.2 * 2)


def test_without_any_acceptance_the_loop_is_autoregressive_and_the_article_never_ends():
    assert expected_calls(18, 0.0, 3) == 18
    assert expected_calls(18, 0.0, 3, ONLY_WHEN_STUCK) == float("inf")
    assert expected_calls(18, 1.0, 3) == 5


@given(st.integers(0, 99), st.sampled_from([0.0, 0.4, 0.7, 1.0]), st.integers(1, 6))
@settings(deadline=None, max_examples=40)
def test_the_loop_of_the_exercise_has_the_rounds_of_the_courses(seed, accuracy, gamma):
    copy, target = misread(accuracy, seed), CharacterModel()

    class FromTheCopy:
        def propose(self, tokens, gamma, noise):
            draft = guess_from(copy)(target.alphabet.decode(tokens), gamma)
            return Draft(tuple(target.alphabet.encode(draft)[1:]), None)

    run = generate(target, [0], FromTheCopy(), gamma=gamma, max_new_tokens=len(SENTENCE))
    text, rounds = decode_sentence(SENTENCE, guess_from(copy), gamma)
    assert text == SENTENCE
    assert [draft[:n] + added for draft, n, added in rounds] == [
        target.alphabet.decode(r.emitted) for r in run
    ]
