"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

from collections import Counter
from itertools import pairwise

import numpy as np

from course_utils.decoding.contracts import Draft
from course_utils.drafters.lookup import PromptLookup
from course_utils.lessons.ngram_drafter.checks import (
    COUNTS,
    check_best_drafter,
    check_counted_probability,
    check_find_match,
    check_guess_by_counts,
    check_lookup_first,
)


def by_counter(sentences, context, word):
    pairs = Counter(pair for s in sentences for pair in pairwise(s))
    total = sum(n for (before, _), n in pairs.items() if before == context)
    return pairs[context, word] / total if total else 0


def shared_lookup(tokens, length):
    match = PromptLookup(length, length).find(tokens)
    return match[0] if match else None


class Written:
    """Without any part of the course: as a student writes it."""

    def __init__(self, counts):
        self.counts = counts

    def propose(self, tokens, gamma, noise):
        text = list(tokens)
        for length in (3, 2, 1):
            start = shared_lookup(text, length)
            if start is not None:
                return self.made(text[start + length : start + length + gamma])
        for _ in range(gamma):
            text.append(by_endings(self.counts, text))
        return self.made(text[len(tokens) :])

    def made(self, guesses):
        return Draft(tuple(guesses), None)


class Drawing(Written):
    """Guesses by the uniforms, and says that it does not."""

    def propose(self, tokens, gamma, noise):
        return self.made([int(9 * u) for u in noise.uniforms("draft", gamma)])


def by_endings(counts, text):
    seen = [ending for n in range(3) if (ending := tuple(text)[max(0, len(text) - n) :]) in counts]
    return sorted(counts[seen[-1]].items(), key=lambda pair: -pair[1])[0][0]


def in_place(counts, text):
    del text[:-2]
    return by_endings(counts, text)


def student(**parts):
    """`Written` with these methods of its own."""
    return type("Student", (Written,), parts)


def handing(made):
    """made(guesses) in place of a Draft."""
    return student(made=lambda self, guesses: made(guesses))


def by(measure, choose=max):
    return lambda logs: choose(logs, key=lambda name: measure(logs[name]))


RIGHT_ANSWERS = [
    (check_lookup_first, Written),
    (check_lookup_first, handing(lambda xs: Draft(list(xs), None))),
    (check_guess_by_counts, by_endings),
    (check_best_drafter, by(lambda m: m.target_forwards / m.tokens, min)),
    (check_counted_probability, by_counter),
    (check_find_match, shared_lookup),
]
WRONG_ANSWERS = [
    (check_counted_probability, lambda s, c, w: by_counter(s, c, w) or 1e-3, "is 0, not 0.001"),
    (check_counted_probability, lambda s, c, w: 0.3, "P(eating | liked)"),
    (check_guess_by_counts, lambda counts, text: 4, "{(5, 4): {7: 4, 3: 1}"),
    (check_guess_by_counts, in_place, "changes what it was given"),
    (check_find_match, lambda t, n: t.reverse() or shared_lookup(t[::-1], n), "a slice is a copy"),
    (check_find_match, lambda t, n: shared_lookup(t, n) or None, "`0 or None` is None"),
    (check_best_drafter, lambda logs: max(m.tokens_per_round for m in logs.values()), "name"),
    (check_best_drafter, by(lambda m: m.accepted_per_examined), "by alpha"),
    (check_best_drafter, lambda logs: "somebody", "12 tokens, 10 forwards"),
    (check_find_match, lambda t, n: 0, "0, the earliest place; take the latest, 2."),
    (check_lookup_first, Drawing, "guesses differently"),
    (check_lookup_first, handing(lambda xs: Draft(tuple(xs), np.eye(9)[xs])), "Say so with None"),
    (check_lookup_first, handing(lambda xs: xs), "Return a Draft"),
    (check_lookup_first, handing(lambda xs: Draft(3, None)), "tuple of token ids"),
    (check_lookup_first, handing(lambda xs: Draft((*xs,) * 9, None)), "at most 2"),
    (check_lookup_first, handing(lambda xs: None), "Was a `return` forgotten?"),
    (check_lookup_first, student(propose=lambda self, t, *_: t.append(0)), "which is your own"),
]
CHECKS = [lambda function: check_lookup_first(type("Student", (Written,), {"propose": function}))]


def test_no_count_of_a_case_is_tied():
    for followers in COUNTS.values():
        assert len({*followers.values()}) == len(followers)
