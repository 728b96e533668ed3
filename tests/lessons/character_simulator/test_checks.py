"""Answers that the exercises of this room do not hold themselves; and the expected calls."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.classroom.palette import KINDS, MEANINGS
from course_utils.decoding.contracts import Draft
from course_utils.decoding.loop import generate
from course_utils.lessons.character_simulator.calls import (
    correction_and_bonus,
    expected_calls,
    only_when_stuck,
)
from course_utils.lessons.character_simulator.checks import check_decode_sentence, decode_sentence
from course_utils.lessons.character_simulator.copies import drawn_rounds, guess_from, misread
from course_utils.models.toys.characters import SENTENCE, CharacterModel


def looping(sentence, guess, gamma):
    """As a beginner may write it, character by character, with lists for tuples."""
    text, rounds = "", []
    while text != sentence:
        draft, n, added = guess(text, gamma), 0, ""
        for character in draft:
            if character != sentence[len(text)]:
                break
            text, n = text + character, n + 1
        if len(text) < len(sentence):
            added = sentence[len(text)]
            text += added
        rounds.append([draft, n, added])
    return text, rounds


RIGHT_ANSWERS = [(check_decode_sentence, looping)]
WRONG_ANSWERS = [
    (check_decode_sentence, lambda s, guess, gamma: s, "Return 2 things, in this order: text,"),
]


def test_the_calls_of_one_token_are_counted_exactly():
    assert expected_calls(1, 0.8, 3, only_when_stuck) == pytest.approx(1 / 0.8)
    # two tokens, gamma 1: both in one call where the guess is right, else one each
    assert expected_calls(2, 0.8, 1, correction_and_bonus) == pytest.approx(0.8 + 0.2 * 2)


def test_without_any_acceptance_the_loop_is_autoregressive_and_the_article_never_ends():
    assert expected_calls(18, 0.0, 3, correction_and_bonus) == 18
    assert expected_calls(18, 0.0, 3, only_when_stuck) == float("inf")
    assert expected_calls(18, 1.0, 3, correction_and_bonus) == 5


@given(st.integers(0, 99), st.sampled_from([0.0, 0.4, 0.7, 1.0]), st.integers(1, 6))
@settings(deadline=None, max_examples=40)
def test_the_loop_of_the_exercise_makes_the_calls_of_the_courses(seed, accuracy, gamma):
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


def test_rounds_are_drawn_with_the_fate_of_each_character():
    html = drawn_rounds([("人干智", 1, "工"), ("智能", 2, "是"), ("", 0, "未")]).html
    assert [html.count(f'title="{MEANINGS[kind]}"') for kind in KINDS] == [4, 2, 2, 1, 2, 2]
    assert html.index("人工") < html.index("人工智能是") < html.index("人工智能是未")
