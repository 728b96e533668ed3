"""Answers that the exercises of this room do not hold themselves; and the expected calls."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.classroom.palette import KINDS, MEANINGS
from course_utils.decoding.loop import common_prefix
from course_utils.edits import slip
from course_utils.lessons.character_simulator.calls import (
    calls_distribution,
    correction_and_bonus,
    expected_calls,
    only_when_stuck,
)
from course_utils.lessons.character_simulator.checks import (
    check_accepted_length,
    check_decode_sentence,
    check_tokens_per_round,
    decode_sentence,
)
from course_utils.lessons.character_simulator.copies import (
    all_wrong,
    compared,
    course_loop,
    drawn_rounds,
    guess_from,
    misread,
)
from course_utils.models.toys.characters import SENTENCE


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


def slipped(*edits):
    return slip(decode_sentence, *edits)


RIGHT_ANSWERS = [
    (check_decode_sentence, looping),
    (check_tokens_per_round, lambda alpha, gamma: sum(alpha**i for i in range(gamma + 1))),
]
WRONG_ANSWERS = [
    (check_accepted_length, lambda d, t: d[: common_prefix(d, t)], "the accepted characters"),
    (check_accepted_length, lambda d, t: t.startswith(d), "whether all were right"),
    (check_accepted_length, lambda d, t: 2, "not 2"),
    (check_tokens_per_round, lambda a, g: 2.952 if a == 0.8 else None, "in a return"),
    (check_decode_sentence, lambda s, guess, gamma: s, "Return (text, rounds)"),
    (check_decode_sentence, lambda s, guess, gamma: (s, [(s, 1)]), "Return (text, rounds)"),
    (check_decode_sentence, slipped(("rounds.app", "if draft: rounds.app")), "For drafts of 2, 0"),
    (check_decode_sentence, slipped(("draft[:n] + added", "draft[:n]")), "add it, the correction"),
    (
        check_decode_sentence,
        slipped(("text, rounds\n", 'text + "。", rounds\n')),
        "text: For drafts",
    ),
]


def test_the_articles_start_takes_one_call_in_alpha():
    for alpha in (0.1, 0.5, 0.8):
        assert expected_calls(1, alpha, 3, only_when_stuck) == pytest.approx(1 / alpha)


@pytest.mark.parametrize("gain", [only_when_stuck, correction_and_bonus])
def test_the_distribution_of_the_calls_has_the_expected_mean(gain):
    distribution = calls_distribution(18, 0.8, 3, gain, most=80)
    assert distribution.sum() == pytest.approx(1, abs=1e-9)
    assert distribution @ range(81) == pytest.approx(expected_calls(18, 0.8, 3, gain), abs=1e-6)


def test_without_any_acceptance_the_loop_is_autoregressive_and_the_article_never_ends():
    assert expected_calls(18, 0.0, 3, correction_and_bonus) == 18
    assert expected_calls(18, 0.0, 3, only_when_stuck) == float("inf")
    assert expected_calls(18, 1.0, 3, correction_and_bonus) == 5


@given(st.integers(0, 99), st.sampled_from([0.0, 0.4, 0.7, 1.0]), st.integers(1, 6))
@settings(deadline=None, max_examples=40)
def test_the_loop_of_the_exercise_makes_the_calls_of_the_courses(seed, accuracy, gamma):
    guess = guess_from(misread(accuracy, seed))
    text, rounds = looping(SENTENCE, guess, gamma)
    mine, theirs = (emitted_by(r) for r in (rounds, course_loop(SENTENCE, guess, gamma)[1]))
    assert text == SENTENCE
    assert mine == theirs


def emitted_by(rounds):
    return [draft[:n] + added for draft, n, added in rounds]


def test_a_copy_that_is_all_wrong_saves_no_call():
    copy = all_wrong()
    assert not any(map(str.__eq__, copy, SENTENCE))
    assert len(course_loop(SENTENCE, guess_from(copy), 3)[1]) == len(SENTENCE)
    assert misread(1.0, 0) == SENTENCE


def test_rounds_are_drawn_with_the_fate_of_each_character():
    html = drawn_rounds([("人干智", 1, "工"), ("智能", 2, "是"), ("", 0, "未")]).html
    assert [html.count(f'title="{MEANINGS[kind]}"') for kind in KINDS] == [4, 2, 2, 1, 2, 2]
    assert html.index("人工") < html.index("人工智能是") < html.index("人工智能是未")


def test_loops_are_compared_on_the_same_copies_and_a_wrong_text_is_refused():
    drafts = {"perfect": SENTENCE, "all wrong": all_wrong()}
    said = compared(decode_sentence, drafts, 3).html
    assert [said.count(f">{calls}<") for calls in (5, 18)] == [2, 3]  # 18 characters are right
    with pytest.raises(ValueError, match="not the sentence"):
        compared(lambda sentence, guess, gamma: (sentence[1:], []), drafts, 3)
