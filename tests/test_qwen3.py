"""Our forward pass against transformers': logits, caches, greedy texts."""

import pytest
import torch
from transformers import Qwen3ForCausalLM

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens, summarise
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.models.memory import qwen3_config
from course_utils.models.prompts import held_out_prompts
from course_utils.models.qwen3 import Qwen3
from tests.conftest import random_qwen3


def greedy_by_transformers(model, prompt, new_tokens):
    output = model.generate(
        torch.tensor([prompt]), max_new_tokens=new_tokens, do_sample=False, use_cache=True
    )
    return output[0, len(prompt) :].tolist()


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


def test_rollback_leaves_logits_unchanged(pair):
    tokens = pair.encode(held_out_prompts("code")[0])
    session = pair.target.start(tokens[:-1])
    before = session.extend(tokens[-1:])
    session.extend([5, 6, 7, 8])
    session.rollback(len(tokens) - 1)
    torch.testing.assert_close(session.extend(tokens[-1:]), before, atol=0, rtol=0)


def test_rolling_back_moves_an_integer(pair):
    session = pair.target.start([1, 2, 3, 4])
    cache, content = session.cache, session.cache.clone()
    session.rollback(1)
    assert session.cache is cache
    assert torch.equal(cache[..., :4, :], content[..., :4, :])
    assert session.length == 1


def test_caches_equal_a_fresh_prefill_after_every_round(pair):
    tokens = pair.encode(held_out_prompts("code")[1])
    drafter = Sampled(pair.draft, GREEDY)
    session_holder = []
    target = pair.target

    class Watched:
        vocabulary_size, context = target.vocabulary_size, target.context

        def start(self, prompt):
            session_holder.append(target.start(prompt))
            return session_holder[-1]

    for r in generate(Watched(), tokens, drafter, gamma=4, sampling=GREEDY, max_new_tokens=24):
        tokens += r.emitted
        session = session_holder[0]
        assert session.length == len(tokens) - 1
        fresh = target.start(tokens[:-1])
        torch.testing.assert_close(
            session.cache[..., : session.length, :],
            fresh.cache[..., : fresh.length, :],
            atol=1e-4,
            rtol=1e-4,
        )


@pytest.mark.parametrize("gamma", range(1, 9))
def test_greedy_text_is_that_of_transformers(pair, trained_target, gamma):
    prompt = pair.encode("import os\n\ndef ")
    expected = greedy_by_transformers(trained_target, prompt, 64)
    for drafter in (None, Sampled(pair.draft, GREEDY), PromptLookup()):
        rounds = generate(
            pair.target,
            prompt,
            drafter,
            gamma=gamma,
            sampling=GREEDY,
            max_new_tokens=64,
            stop_tokens=pair.stop_tokens,
        )
        assert emitted_tokens(rounds) == expected


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


def test_a_model_that_drafts_for_itself_is_always_right_when_greedy(pair):
    prompt = pair.encode(held_out_prompts("prose")[0])
    rounds = list(
        generate(pair.target, prompt, Sampled(pair.target, GREEDY), sampling=GREEDY, gamma=4)
    )
    assert all(r.accepted == len(r.drafted) for r in rounds)


def test_a_text_longer_than_the_context_is_refused(pair):
    with pytest.raises(ValueError, match="do not fit the context"):
        pair.target.start(list(range(pair.target.context + 1)))


def test_a_prompt_of_one_token(pair):
    rounds = list(generate(pair.target, [5], Sampled(pair.draft), max_new_tokens=8))
    assert rounds[0].cache_before == 0
    assert len(emitted_tokens(rounds)) == 8
