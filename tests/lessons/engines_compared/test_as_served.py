"""An engine's habits, on small models by hand and by relation; the drafts it would make."""

import numpy as np
import pytest

from course_utils.decoding.contracts import NO_DRAFT
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.engines.client import Question
from course_utils.lessons.engines_compared import remembering
from course_utils.lessons.engines_compared.as_served import (
    EarliestLookup,
    as_served,
    our_rounds,
    steps,
)
from course_utils.lessons.engines_compared.remembering import Remembering, best_draft

QUESTION = Question((0, 1, 2), 17, 0.0)


def test_the_text_is_the_same_and_only_rounds_begin_later(tables):
    target, draft = tables
    ours = our_rounds(target, QUESTION, Sampled(draft, GREEDY))
    theirs = as_served(target, QUESTION, Sampled(draft, GREEDY))
    text = emitted_tokens(ours)
    assert theirs[0].context == ours[0].context + 1 == 4
    assert [text[0], *emitted_tokens(theirs)][:17] == text
    assert len(text) == 17 <= 1 + len(emitted_tokens(theirs))


def test_a_draft_is_as_long_at_the_end_as_elsewhere(tables):
    target, _ = tables
    own = Sampled(target, GREEDY)  # accepts all of it
    assert steps(as_served(target, Question((0, 1), 10, 0.0), own)) == [(4, 4), (4, 4)]
    assert steps(our_rounds(target, Question((0, 1), 9, 0.0), own)) == [(4, 4), (3, 3)]
    assert steps(as_served(target, Question((0, 1), 9, 0.0), own)) == [(4, 4), (4, 4)]
    assert as_served(target, Question((0, 1), 1, 0.0), own) == []
    assert steps(our_rounds(target, QUESTION, None)) == []


def drafted(drafter, tokens, gamma=4):
    return drafter.propose(tokens, gamma, None).tokens


def test_the_earliest_of_the_longest_matches_is_copied():
    look = EarliestLookup()
    assert drafted(look, [7, 8, 1, 7, 8, 2, 7, 8]) == (1, 7, 8, 2)
    assert drafted(look, [8, 5, 7, 8, 1, 7, 8]) == (1, 7, 8)  # two tokens before one
    assert drafted(look, [1, 2, 3]) == NO_DRAFT.tokens
    assert drafted(look, [3, 3]) == (3,)
    with pytest.raises(ValueError, match="longest=1, shortest=2"):
        EarliestLookup(1, 2)


def counted(texts, ending):
    """How often the ending is found, and what follows it, by a search of all places."""
    n, found, following = len(ending), 0, []
    for text in texts:
        for i in range(len(text) - n + 1):
            if list(text[i : i + n]) == ending:
                found += 1
                following += text[i + n : i + n + 1]
    return found, following


def naive(texts, ending, gamma, depth):
    """The best draft of all endings, straight from the definition: an ending and what continues
    it are at most as long as the tree is deep."""
    best = ([], 0.0)
    for n in range(1, len(ending)):
        context, guess, probability, expected = list(ending[-n:]), [], 1.0, 0.0
        if not counted(texts, context)[0]:
            break
        while len(guess) < min(gamma, n, depth - n):
            found, following = counted(texts, context)
            if not following:
                break
            most = max(map(following.count, following))
            reached = {}
            for i, token in enumerate(following):
                if following[: i + 1].count(token) == most:
                    reached.setdefault(token, i)
            probability *= most / found
            if probability < remembering.LEAST:
                break
            token = min(reached, key=reached.get)
            guess, expected = [*guess, token], expected + probability
            context.append(token)
        if expected >= best[1]:
            best = (guess, expected)
    return best


@pytest.mark.parametrize("depth", [24, 4])
def test_the_draft_is_the_best_of_all_endings(rng, monkeypatch, depth):
    monkeypatch.setattr(remembering, "DEPTH", depth)
    for _ in range(60):
        texts = [rng.integers(0, 3, rng.integers(1, 14)).tolist() for _ in range(3)]
        for gamma in (1, 4):
            guess, expected = best_draft(texts, texts[-1], gamma)
            wanted = naive(texts, texts[-1], gamma, depth)
            assert guess == wanted[0]
            assert np.isclose(expected, wanted[1])


def test_what_others_were_told_is_drafted_and_their_prompts_are_not():
    text = [9, 9, 1, 2, 3]
    fresh, warm = Remembering(2), Remembering(2, [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]])
    assert drafted(fresh, text) == ()
    assert drafted(warm, text) == (4, 5)
    # found twice, the prompt's ending promises 5 in one of two; the other text 9 for sure
    assert drafted(Remembering(5, [[1, 2, 9]]), [1, 2, 5, 1, 2], 1) == (9,)
