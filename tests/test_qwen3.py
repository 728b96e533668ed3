"""Our forward pass against transformers', and its edges."""

import pytest
import torch
from transformers import Qwen3ForCausalLM

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens, summarise
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.models.memory import qwen3_config
from course_utils.models.prompts import held_out_prompts
from course_utils.models.qwen3 import Qwen3
from tests.conftest import random_qwen3


@torch.inference_mode()
def logits_by_transformers(model, tokens):
    return model(torch.tensor([tokens])).logits[0]


def test_logits_equal_on_the_trained_pair(pair, trained_target):
    for prompt in [*held_out_prompts("code")[:3], "人工智能的未来发展趋势是"]:
        tokens = pair.encode(prompt)
        ours = pair.target.start([]).extend(tokens)
        torch.testing.assert_close(
            ours, logits_by_transformers(trained_target, tokens), atol=1e-4, rtol=0
        )


def test_logits_equal_when_the_head_is_not_tied():
    model = random_qwen3()
    tokens = list(range(40))
    ours = Qwen3.from_transformers(model).start([]).extend(tokens)
    torch.testing.assert_close(ours, logits_by_transformers(model, tokens), atol=1e-4, rtol=0)


def test_logits_equal_at_the_real_shape():
    """Random weights in the exact shape of Qwen3-0.6B."""
    torch.manual_seed(0)
    model = Qwen3ForCausalLM(qwen3_config("Qwen/Qwen3-0.6B")).eval()
    assert sum(p.numel() for p in model.parameters()) == 596_049_920
    tokens = [101, 7, 151_935, 42, 42, 9000, 3]
    theirs = logits_by_transformers(model, tokens)
    ours = Qwen3.from_transformers(model, context=64)
    session = ours.start([])
    prefix = session.extend(tokens[:4])
    session.rollback(3)
    rest = session.extend(tokens[3:])
    torch.testing.assert_close(torch.cat([prefix[:3], rest]), theirs, atol=1e-4, rtol=0)


def test_the_draft_saves_more_than_half_of_the_target_calls(pair):
    tokens = calls = 0
    for prompt in held_out_prompts("code")[:6] + held_out_prompts("prose")[:6]:
        rounds = generate(
            pair.target,
            pair.encode(prompt),
            Sampled(pair.draft, GREEDY),
            gamma=6,
            sampling=GREEDY,
            max_new_tokens=96,
            stop_tokens=pair.stop_tokens,
        )
        metrics = summarise(rounds)
        tokens += metrics.tokens
        calls += metrics.target_forwards
    assert calls < tokens / 2


def test_a_text_longer_than_the_context_is_refused(pair):
    with pytest.raises(ValueError, match="do not fit the context"):
        pair.target.start(list(range(pair.target.context + 1)))


def test_a_prompt_of_one_token(pair):
    rounds = list(generate(pair.target, [5], Sampled(pair.draft), max_new_tokens=8))
    assert rounds[0].cache_before == 0
    assert len(emitted_tokens(rounds)) == 8
