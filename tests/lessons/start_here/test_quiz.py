"""The right choices of lesson 00's quiz are what the course's code does."""

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens, summarise
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.sampled import Sampled

PROMPT = 'class Stack:\n    """A stack of items."""\n\n    def __init__(self):\n'


def rounds(pair, drafter, sampling):
    settings = {"gamma": 5, "sampling": sampling, "max_new_tokens": 48}
    return list(generate(pair.target, pair.encode(PROMPT), drafter, **settings))


def test_same_text_token_for_token(fast):
    drafted = rounds(fast, Sampled(fast.draft), GREEDY)
    assert summarise(drafted).corrections  # guesses were wrong
    assert emitted_tokens(drafted) == emitted_tokens(rounds(fast, None, GREEDY))


def test_warmer_brings_fewer_tokens_but_more_than_one(fast):
    greedy, warm = (
        summarise(rounds(fast, Sampled(fast.draft), Sampling(temperature=t))).tokens_per_round
        for t in (0.0, 1.0)
    )
    assert 1.5 < warm < greedy - 0.3
