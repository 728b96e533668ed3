"""Greedy identity: every drafter and every lossless rule says what transformers says."""

import numpy as np
import pytest
import torch

from course_utils.decoding.contracts import Draft
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.rules import BLOCK, GREEDY_MATCH, RECURSIVE_REJECTION, TOKEN_WISE
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.candidates import (
    Candidates,
    likeliest,
    with_replacement,
    without_replacement,
)
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.models.loading.prompts import held_out_prompts
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.toys.tables import TableModel
from tests.conftest import random_qwen3

GAMMAS = range(1, 9)
CHAIN_RULES = (TOKEN_WISE, BLOCK, GREEDY_MATCH)
NEW_TOKENS = 32
PROMPTS = [("code", 0), ("prose", 1)]
TWINS = 96  # vocabulary in which tokens 2i and 2i + 1 always have equal logits


class TheOther(Sampled):
    """Guesses the twin of what its model says: as good a token, but not the first."""

    def propose(self, tokens, gamma, noise):
        return Draft(tuple(x ^ 1 for x in super().propose(tokens, gamma, noise).tokens), None)


def greedy_by_transformers(model, prompt, new_tokens):
    output = model.generate(
        torch.tensor([prompt]), max_new_tokens=new_tokens, do_sample=False, use_cache=True
    )
    return output[0, len(prompt) :].tolist()


@pytest.mark.parametrize(("kind", "index"), PROMPTS)
def test_every_drafter_gives_the_text_of_transformers(pair, trained_target, kind, index):
    prompt = pair.encode(held_out_prompts(kind)[index])
    expected = greedy_by_transformers(trained_target, prompt, NEW_TOKENS)
    options = dict(sampling=GREEDY, max_new_tokens=NEW_TOKENS, stop_tokens=pair.stop_tokens)
    assert emitted_tokens(generate(pair.target, prompt, **options)) == expected
    kinds = set()
    for gamma in GAMMAS[index % 2 :: 2]:
        for i, drafter in enumerate((Sampled(pair.draft), PromptLookup())):
            rule = CHAIN_RULES[(gamma + i) % 3]
            rounds = list(generate(pair.target, prompt, drafter, gamma=gamma, rule=rule, **options))
            assert emitted_tokens(rounds) == expected, (drafter, gamma, rule.name)
            kinds.update(kind for r in rounds for kind in r.kinds)
    # every way to a token was tried; some code goes on as the draft guesses, to the last token
    assert kinds >= {"accepted", "bonus"} | ({"correction"} if kind == "prose" else set())


@pytest.fixture(scope="module")
def twins():
    """Two random Qwen3s in which every token has an exact twin, as transformers runs them."""
    models = random_qwen3(2, TWINS, seed=0), random_qwen3(1, TWINS, seed=1)
    with torch.no_grad():
        for model in models:
            model.lm_head.weight[1::2] = model.lm_head.weight[::2]
    return models


@torch.inference_mode()
def test_ties_are_broken_as_transformers_breaks_them(twins):
    theirs = twins[0]
    target, draft = (Qwen3.from_transformers(model) for model in twins)
    for prompt in ([5, 8, 13, 21],):
        expected = greedy_by_transformers(theirs, prompt, NEW_TOKENS)
        text = [*prompt, *expected]
        for logits in (theirs(torch.tensor([text])).logits[0], target.start([]).extend(text)):
            best = logits.topk(2).values
            assert int((best[:, 0] == best[:, 1]).sum()) == len(text)  # a tie everywhere
        assert len(set(expected)) > 5  # and not one token over and over
        for gamma in (1, 2, 3, 8):
            drafters = (Sampled(draft), Sampled(target), Sampled(draft, Sampling()))
            for drafter in (None, *drafters, TheOther(target), PromptLookup()):
                rounds = list(
                    generate(
                        target, prompt, drafter, gamma=gamma, rule=CHAIN_RULES[gamma % 3],
                        sampling=GREEDY, max_new_tokens=NEW_TOKENS,
                    )
                )  # fmt: skip
                assert emitted_tokens(rounds) == expected, (drafter, gamma)
                if isinstance(drafter, TheOther):
                    assert not any(r.accepted for r in rounds)


def tied_table(seed):
    """Four tokens in a random order of likelihood; the two likeliest are exactly equal."""
    rows = np.random.default_rng(seed).permuted(
        np.broadcast_to([0.375, 0.375, 0.1875, 0.0625], (4, 4, 4)), axis=-1
    )
    return TableModel(rows)


@pytest.mark.parametrize("gamma", GAMMAS)
def test_ties_in_a_table_go_to_the_first_of_the_equals(gamma):
    target, draft = tied_table(0), tied_table(1)
    text = [1, 2]
    while len(text) < 32:
        row = target.distribution(text).tolist()
        assert row.count(max(row)) == 2
        text.append(row.index(max(row)))
    chains = (None, PromptLookup(), *map(Sampled, (target, draft)), Sampled(draft, Sampling()))
    runs = [(drafter, rule) for drafter in chains for rule in CHAIN_RULES]
    for draw in (with_replacement, without_replacement, likeliest):
        runs.append((Candidates(draft, draw), RECURSIVE_REJECTION))
    for drafter, rule in runs:
        rounds = generate(
            target, text[:2], drafter, gamma=gamma, rule=rule, sampling=GREEDY, max_new_tokens=30
        )
        assert emitted_tokens(rounds) == text[2:], (drafter, rule.name)
