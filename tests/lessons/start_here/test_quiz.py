"""The answers of lesson 00's quiz agree with the course's code."""

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled

PROMPT = 'class Stack:\n    """A stack of items."""\n\n    def __init__(self):\n'


def test_sampling_gives_fewer_tokens_per_round_but_more_than_one(fast):
    settings = {"gamma": 5, "max_new_tokens": 48}
    greedy, warm = (
        generate(
            fast.target, fast.encode(PROMPT), Sampled(fast.draft),
            sampling=Sampling(temperature=temperature), **settings,
        )
        for temperature in (0.0, 1.0)
    )  # fmt: skip
    assert 1.5 < summarise(warm).tokens_per_round < summarise(greedy).tokens_per_round - 0.3
