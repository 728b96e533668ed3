"""The loop: its edges, and what it refuses."""

import numpy as np
import pytest

from course_utils.decoding.contracts import Draft
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import acceptance_by_position, emitted_tokens, summarise
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.tree import Tree
from course_utils.models.toys.tables import TableModel
from tests.conftest import random_llama


class Scripted:
    """Guesses what it was told to, whatever the text."""

    def __init__(self, *guesses):
        self.guesses = guesses

    def propose(self, tokens, gamma, noise):
        return Draft(tuple(self.guesses[:gamma]), None)


def counting(vocabulary=8, context=1 << 20):
    """A target that always says the next number: 0 1 2 3 ..."""
    return TableModel(np.roll(np.eye(vocabulary), 1, axis=1), context)


@pytest.mark.parametrize("right", range(5))
def test_a_draft_right_n_times_is_accepted_n_times(right):
    guesses = [1, 2, 3, 4][:right] + [0] * (4 - right)
    first = next(generate(counting(), [0], Scripted(*guesses), gamma=4, sampling=GREEDY))
    assert first.verdict.accepted == right
    assert first.emitted == tuple(range(1, right + 2))
    assert first.kinds == ("accepted",) * right + ("bonus" if right == 4 else "correction",)
    assert (first.cache_before, first.cache_after) == (0, right + 1)


class RightTimes:
    """Of its guesses the first `right` are right, the others wrong."""

    def __init__(self, right):
        self.right = right

    def propose(self, tokens, gamma, noise):
        guesses = [(tokens[-1] + i + (i > self.right)) % 8 for i in range(1, gamma + 1)]
        return Draft(tuple(guesses), None)


@pytest.mark.parametrize("right", range(5))
def test_the_budget_is_met_exactly_wherever_it_ends_in_a_round(right):
    how = dict(gamma=4, sampling=GREEDY)
    for budget in range(1, 13):
        rounds = list(generate(counting(), [0], RightTimes(right), max_new_tokens=budget, **how))
        assert emitted_tokens(rounds) == [i % 8 for i in range(1, budget + 1)]
        assert rounds[-1].stop_reason == "length"
        assert rounds[-1].cache_after == budget
        assert all(r.context + len(r.drafted) <= budget for r in rounds)  # no waste
        assert len(rounds) == -(-budget // (right + 1))


@pytest.mark.parametrize("right", range(5))
def test_a_stop_token_ends_the_text_wherever_it_falls_in_a_round(right):
    for stop in range(1, 8):
        how = dict(gamma=4, sampling=GREEDY, stop_tokens=[stop])
        rounds = list(generate(counting(), [0], RightTimes(right), **how))
        assert emitted_tokens(rounds) == list(range(1, stop + 1))
        assert rounds[-1].stop_reason == "stop_token"
        assert rounds[-1].cache_after == stop
        metrics = summarise(rounds)
        assert metrics.accepted + metrics.bonuses + metrics.corrections == stop


def test_the_context_is_filled_and_not_exceeded():
    rounds = list(generate(counting(context=12), [0, 1], Sampled(counting()), sampling=GREEDY))
    assert len(emitted_tokens(rounds)) == 10
    assert rounds[-1].stop_reason == "context"


def test_a_draft_with_a_shorter_context_stops_drafting_in_time():
    draft = counting(context=6)
    rounds = list(
        generate(counting(), [0], Sampled(draft), gamma=4, sampling=GREEDY, max_new_tokens=20)
    )
    assert emitted_tokens(rounds) == [i % 8 for i in range(1, 21)]
    assert not rounds[-1].drafted


def test_no_match_means_a_plain_step():
    first = next(generate(counting(), [3], PromptLookup(), sampling=GREEDY))
    assert (first.drafted, first.q, first.kinds) == ((), None, ("target",))


def test_acceptance_by_position_counts_only_what_was_reached(tables):
    target, draft = tables
    rounds = list(generate(target, [0], Sampled(draft), gamma=3, max_new_tokens=3000, seed=1))
    *rates, beyond = acceptance_by_position(rounds, 4)
    assert beyond is None
    m = summarise(rounds)
    reached = [
        sum(len(r.drafted) > i and r.verdict.accepted >= i for r in rounds) for i in range(3)
    ]
    assert sum(n * rate for n, rate in zip(reached, rates, strict=True)) == pytest.approx(
        m.accepted
    )
    assert sum(reached) == m.examined


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"prompt": []}, "empty"),
        ({"prompt": "class"}, "the prompt is 'class': give token ids"),
        ({"prompt": None}, "the prompt is None: give token ids"),
        ({"prompt": [1.5]}, r"the prompt is \[1.5\]: give token ids"),
        ({"prompt": [0, 99]}, "token 99"),
        ({"prompt": [-1]}, "token -1"),
        ({"prompt": [0] * 12}, "context holds 12"),
        ({"gamma": 0}, "gamma is 0"),
        ({"gamma": -2}, "gamma is -2"),
        ({"gamma": 2.5}, "gamma is 2.5; give a whole number"),
        ({"gamma": "auto"}, "gamma is 'auto'; give a whole number"),
        ({"max_new_tokens": 0}, "max_new_tokens is 0"),
        ({"max_new_tokens": None}, "max_new_tokens is None; give a whole number"),
    ],
    ids=str,
)
def test_bad_input_is_named_before_any_work(arguments, message):
    with pytest.raises(ValueError, match=message):
        next(generate(counting(context=12), **{"prompt": [0], **arguments}))


def test_no_rounds_cannot_be_summarised():
    with pytest.raises(ValueError, match="no rounds"):
        summarise([])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (lambda pair, hf: (hf, None), "target is a LlamaForCausalLM, and that is no LanguageModel"),
        (lambda pair, hf: (pair, None), "the target is a Pair, and that is no LanguageModel"),
        (lambda pair, hf: (pair.target, Sampled(hf)), "the draft is a LlamaForCausalLM"),
        (lambda pair, hf: (pair.target, Sampled(pair)), "the draft is a Pair"),
        (lambda pair, hf: (pair.target, pair.draft), "drafter is a Qwen3, which proposes nothing"),
        (lambda pair, hf: (pair.target, Tree(hf, (-1,))), "the draft is a LlamaForCausalLM"),
    ],
)
def test_what_is_no_model_or_no_drafter_is_told_so(pair, given, words):
    def run():
        target, drafter = given(pair, random_llama(1, seed=0))
        next(generate(target, [5, 6], drafter))

    with pytest.raises(ValueError, match=words):
        run()
