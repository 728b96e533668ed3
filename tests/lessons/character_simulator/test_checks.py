"""The checks of lesson 01 pass what is right and name what is likely wrong."""

import pytest

from course_utils.classroom.feedback import PASSED, WRONG
from course_utils.lessons.character_simulator.calls import calls_law, expected_calls
from course_utils.lessons.character_simulator.checks import (
    check_accepted_length,
    check_calls_saved,
    check_calls_to_start,
    check_decode_sentence,
    check_tokens_a_round,
)

INF = float("inf")


def prefix(draft, truth):
    return next((i for i, x in enumerate(draft) if x != truth[i]), len(draft))


def emitted(rounds):
    return sum(len(r.emitted) for r in rounds)


def looped(gain):
    """A decoder whose rounds keep gain(accepted, drafted) characters."""

    def decode(sentence, guess, gamma):
        text, calls = "", 0
        while len(text) < len(sentence):
            rest = sentence[len(text) :]
            draft = guess(text, gamma)
            text += rest[: gain(prefix(draft, rest), len(draft))]
            calls += 1
        return text, calls

    return decode


def kept_whole(sentence, guess, gamma):
    text, calls = "", 0
    while len(text) < len(sentence):
        text, calls = text + guess(text, gamma), calls + 1
    return text, calls


def indexed(sentence, guess, gamma):
    text, calls = "", 0
    while len(text) < len(sentence):
        rest, draft = sentence[len(text) :], guess(text, gamma)
        n = prefix(draft, rest)
        text, calls = text + draft[:n] + rest[n], calls + 1
    return text, calls


RIGHT = [
    (check_decode_sentence, looped(lambda accepted, drafted: accepted + 1)),
    (check_calls_to_start, lambda alpha: 1 / alpha if alpha else float("inf")),
    (check_accepted_length, prefix),
    (check_calls_saved, lambda rounds: emitted(rounds) - len(rounds)),
    (check_calls_saved, lambda rounds: sum(r.accepted for r in rounds)),
    (check_tokens_a_round, lambda alpha, gamma: sum(alpha**i for i in range(gamma + 1))),
]
WRONG_ANSWERS = [
    (check_accepted_length, lambda d, t: sum(x == y for x, y in zip(d, t)), "every character"),  # noqa: B905
    (check_accepted_length, lambda d, t: prefix(d, t) + 1, "one too many"),
    (check_accepted_length, lambda d, t: len(d) if t.startswith(d) else 0, "or nothing"),
    (check_accepted_length, lambda d, t: d[: prefix(d, t)], "the accepted characters"),
    (check_accepted_length, lambda d, t: t.startswith(d), "whether all were right"),
    (check_accepted_length, lambda d, t: len(d) - prefix(d, t), "were rejected"),
    (check_accepted_length, lambda d, t: 2, "not 2"),
    (check_calls_saved, len, "calls made"),
    (check_calls_saved, emitted, "tokens emitted"),
    (check_calls_saved, lambda rounds: sum(len(r.drafted) for r in rounds), "every drafted"),
    (check_calls_saved, lambda rounds: len(rounds) - emitted(rounds), "turned round"),
    (check_calls_saved, lambda rounds: emitted(rounds) / len(rounds), "not a ratio"),
    (check_calls_saved, lambda rounds: 1, "accepted 3, 0, 1 tokens"),
    (check_tokens_a_round, lambda a, g: sum(a**i for i in range(1, g + 1)), "target adds"),
    (check_tokens_a_round, lambda a, g: 1 + a * g, "only if the first"),
    (check_tokens_a_round, lambda a, g: 1 + g * a**g, "as a whole"),
    (check_tokens_a_round, lambda a, g: sum(a**i for i in range(g)), "One power is missing"),
    (check_tokens_a_round, lambda a, g: (1 - a ** (g + 1)) / (1 - a), "divides by zero"),
    (check_tokens_a_round, lambda a, g: 3.0, "not 3"),
    (check_tokens_a_round, lambda a, g: float("nan"), "not nan"),
    (check_tokens_a_round, lambda a, g: 2.952 if a == 0.8 else None, "in a return"),
    (check_decode_sentence, looped(lambda accepted, drafted: accepted), "stands still"),
    (check_decode_sentence, indexed, "An IndexError"),
    (check_decode_sentence, kept_whole, "Keep what it says"),
    (check_decode_sentence, looped(lambda n, drafted: n + (n < drafted)), "the bonus"),
    (check_decode_sentence, looped(lambda n, drafted: n or 1), "right in part"),
    (check_decode_sentence, lambda s, guess, gamma: (s, len(s)), "count the rounds"),
    (check_decode_sentence, lambda s, guess, gamma: s, "two things"),
    (check_decode_sentence, lambda s, guess, gamma: (s, 3), "drafts of 3 whose first 3"),
    (check_calls_to_start, lambda alpha: 1, "the loop of this lesson"),
    (check_calls_to_start, lambda alpha: 1 - alpha, "brings nothing, not"),
    (check_calls_to_start, lambda alpha: alpha, "succeeds, not"),
    (check_calls_to_start, lambda alpha: 1 / (1 - alpha), "exchanged"),
    (check_calls_to_start, lambda alpha: (1 - alpha) / alpha if alpha else INF, "is a call as"),
    (check_calls_to_start, lambda alpha: 1 / alpha, "divides by zero"),
    (check_calls_to_start, lambda alpha: 3, "not 3"),
]
CHECKS = [
    check_accepted_length,
    check_calls_saved,
    check_decode_sentence,
    check_calls_to_start,
    check_tokens_a_round,
]


@pytest.mark.parametrize(("check", "answer"), RIGHT)
def test_right_answers_pass(check, answer):
    assert check(answer).status == PASSED


@pytest.mark.parametrize(("check", "answer", "hint"), WRONG_ANSWERS)
def test_each_typical_mistake_is_named(check, answer, hint):
    feedback = check(answer)
    assert feedback.status == WRONG
    assert hint in feedback.message


def test_the_exercise_on_the_start_agrees_with_the_exact_count():
    assert check_calls_to_start(lambda a: expected_calls(1, a, 3, article)).status == PASSED


def article(accepted, drafted, position):
    return accepted or int(position > 0)


def loop(accepted, drafted, position):
    return accepted + 1


@pytest.mark.parametrize("gain", [article, loop])
def test_the_law_of_the_calls_has_the_expected_mean(gain):
    law = calls_law(18, 0.8, 3, gain, most=80)
    assert law.sum() == pytest.approx(1, abs=1e-9)
    assert law @ range(81) == pytest.approx(expected_calls(18, 0.8, 3, gain), abs=1e-6)


def test_without_any_acceptance_the_loop_is_autoregressive_and_the_article_never_ends():
    assert expected_calls(18, 0.0, 3, loop) == 18
    assert expected_calls(18, 0.0, 3, article) == float("inf")
    assert expected_calls(18, 1.0, 3, loop) == 5
