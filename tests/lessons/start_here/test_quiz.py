"""The right choices of lesson 00's quiz are what the course's code does."""

import numpy as np

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens, summarise
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.start_here.quiz import FIRST_GUESS_WRONG, SAME_TEXT, WARMER
from course_utils.models.toys.characters import CharacterModel

PROMPT = 'class Stack:\n    """A stack of items."""\n\n    def __init__(self):\n'


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def rounds(pair, drafter, sampling):
    tokens = pair.encode(PROMPT)
    settings = {"gamma": 5, "sampling": sampling, "max_new_tokens": 48}
    return list(generate(pair.target, tokens, drafter, **settings))


def test_same_text(fast):
    assert right(SAME_TEXT) == "The same, token for token"
    drafted = rounds(fast, Sampled(fast.draft), GREEDY)
    assert summarise(drafted).corrections  # guesses were wrong
    assert emitted_tokens(drafted) == emitted_tokens(rounds(fast, None, GREEDY))


def test_first_guess_wrong():
    assert right(FIRST_GUESS_WRONG) == "One"
    target = CharacterModel()
    drafted = target.alphabet.encode("八工智能是")[1:]
    p = np.stack([target.distribution([0, *drafted[:i]]) for i in range(6)])
    verdict = TOKEN_WISE.verify(p, None, drafted, [0.5] * 6)
    assert (verdict.accepted, target.alphabet.characters[verdict.token]) == (0, "人")


def test_warmer(fast):
    assert right(WARMER) == "Fewer, but more than one"

    def tokens_per_call(temperature):
        sampling = Sampling(temperature=temperature)
        return summarise(rounds(fast, Sampled(fast.draft), sampling)).tokens_per_round

    assert 1.5 < tokens_per_call(1.0) < tokens_per_call(0.0) - 0.3
