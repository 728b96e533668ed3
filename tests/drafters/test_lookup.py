"""Which earlier place prompt lookup copies from, and what that brings."""

import pytest

from course_utils.decoding import GREEDY, emitted_tokens, generate
from course_utils.drafters.lookup import PromptLookup
from course_utils.models.loading.prompts import held_out_prompts


class Earliest(PromptLookup):
    """As Saxena, transformers and vLLM have it."""

    def find(self, tokens):
        for length in range(min(self.longest, len(tokens) - 1), self.shortest - 1, -1):
            for start in range(len(tokens) - length):
                if list(tokens[start : start + length]) == list(tokens[-length:]):
                    return start, length
        return None


def tokens_per_call(drafter, prompt, new, gamma):
    """Of a greedy text that is known: a call accepts guesses up to the first wrong one."""
    text, end, calls = [*prompt, *new], len(prompt), 0
    while end < len(text):
        limit = min(gamma, len(text) - end - 1)
        draft = drafter.propose(text[:end], limit, None).tokens if limit else ()
        right = [guess == token for guess, token in zip(draft, text[end:], strict=False)]
        end += [*right, False].index(False) + 1
        calls += 1
    return len(new) / calls


@pytest.mark.parametrize("kind", ["code", "prose"])
def test_the_latest_match_brings_more_on_held_out_texts_than_the_earliest(fast, kind):
    brought = []
    for prompt in map(fast.encode, held_out_prompts(kind)[:4]):
        run = generate(fast.target, prompt, sampling=GREEDY, max_new_tokens=40)
        text = prompt, emitted_tokens(list(run)), 7
        brought.append([tokens_per_call(drafter(), *text) for drafter in (PromptLookup, Earliest)])
    latest, earliest = map(sum, zip(*brought, strict=True))
    assert latest > 1.02 * earliest


@pytest.mark.parametrize("drafter", [PromptLookup, Earliest])
def test_a_text_that_repeats_itself_is_copied_round_and_round(drafter):
    assert tokens_per_call(drafter(), [0] * 20, [0] * 64, 7) == 8
    assert tokens_per_call(drafter(), [1, 2, 3] * 4, [1, 2, 3] * 16, 7) == 8
