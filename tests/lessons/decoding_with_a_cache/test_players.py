"""Models and drafters that handle their cache differently write the same text."""

import torch

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens, summarise
from course_utils.decoding.noise import Noise
from course_utils.decoding.proposal import CommittedText
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.decoding_with_a_cache.checks import check_caught_up
from course_utils.lessons.decoding_with_a_cache.players import (
    CatchesUp,
    NeverRollsBack,
    WithAttention,
    by_hand,
)
from course_utils.models.names import held_out_prompts
from course_utils.models.qwen3.readable import Qwen3
from tests.conftest import random_qwen3


def test_a_drafter_that_catches_up_drafts_what_sampled_drafts():
    """After a rejection, a full acceptance with its bonus, and on a new text."""
    model = Qwen3.from_transformers(random_qwen3())
    drafters = CatchesUp(model, check_caught_up.solution), Sampled(model)
    text = CommittedText([1, 2, 3])
    for index, change in enumerate([1, 0, 0, 1]):
        draft, other = (x.propose(text, 3, Noise(0).round(index)) for x in drafters)
        assert draft.tokens == other.tokens
        text = CommittedText([*text, *draft.tokens[: 3 - change], 7])
    draft, other = (x.propose(CommittedText([9, 8]), 2, Noise(1).round(0)) for x in drafters)
    assert draft.tokens == other.tokens


def test_a_draft_that_never_rolls_back_costs_acceptance_and_leaves_the_text(pair):
    prompt = pair.encode(held_out_prompts("code")[1])
    well, badly = (
        list(generate(pair.target, prompt, kind(pair.draft), sampling=GREEDY, max_new_tokens=48))
        for kind in (Sampled, NeverRollsBack)
    )
    assert emitted_tokens(well) == emitted_tokens(badly)
    rates = [summarise(run).accepted_per_examined for run in (well, badly)]
    assert rates[1] < rates[0] - 0.05


def test_by_hand_is_the_models_own_attention():
    model = Qwen3.from_transformers(random_qwen3())
    session, own = WithAttention(model, by_hand).start([5, 6, 7]), model.start([5, 6, 7])
    for tokens in ([1, 2, 3], [4]):
        torch.testing.assert_close(session.extend(tokens), own.extend(tokens))
    torch.testing.assert_close(session.cache[..., :7, :], own.cache[..., :7, :])
