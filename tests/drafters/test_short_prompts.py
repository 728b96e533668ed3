"""Every drafter goes on from a prompt of one, two or three tokens."""

from functools import cache

import pytest

from course_utils.decoding import GREEDY, Sampling, emitted_tokens, generate
from course_utils.decoding.rules import TREE_RULES
from course_utils.drafters.named import DRAFTERS, HEADS
from course_utils.drafters.tree import Expanded, Tree
from course_utils.writing import decoding_target, guessing_model

NEW, LENGTHS = 5, (1, 2, 3)


@cache
def model_for(name, pair):
    return guessing_model(DRAFTERS[name], pair)


def text(pair, length, drafter=None, model=None, sampling=GREEDY, **how):
    prompt = pair.encode("def area(width")[:length]
    run = generate(decoding_target(pair, model), prompt, drafter, gamma=3, sampling=sampling,
                   max_new_tokens=NEW, **how)  # fmt: skip
    return emitted_tokens(run)


@pytest.mark.parametrize("name", DRAFTERS)
def test_short_prompts_are_gone_on_from(fast, name):
    named, model = DRAFTERS[name], model_for(name, fast)
    expected = {length: text(fast, length) for length in LENGTHS}
    for rule in dict.fromkeys([named.rule, TREE_RULES[0]]):
        for length in LENGTHS:
            found = text(fast, length, named.make(model), model, rule=rule)
            assert found == expected[length]
        sampled = text(fast, 1, named.make(model), model, Sampling(), rule=rule)
        assert len(sampled) == NEW


@pytest.mark.parametrize("name", HEADS)
def test_a_head_grows_trees_behind_short_prompts(fast, name):
    model, rule = model_for(name, fast), TREE_RULES[0]
    for drafter in (Expanded(model, 2, 2, 4), Tree(model, (-1, -1, 0))):
        for length in LENGTHS:
            assert text(fast, length, drafter, model, rule=rule) == text(fast, length)


@pytest.mark.parametrize("name", HEADS)
def test_a_head_prefers_a_target_that_has_read_its_text_to_one_that_has_read_nothing(fast, name):
    model = model_for(name, fast)
    target, found = decoding_target(fast, model), []
    for idle in (False, True):
        drafter = DRAFTERS[name].make(model)
        rounds = generate(target, [300], drafter, gamma=3, sampling=GREEDY, max_new_tokens=NEW)
        first = next(rounds)
        empty = target.start([]) if idle else None  # newer than the one at work
        found.append([first.drafted, *(r.drafted for r in rounds)])
        del empty
    assert found[0] == found[1]
