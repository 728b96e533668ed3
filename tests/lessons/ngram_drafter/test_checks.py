"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from course_utils.decoding.contracts import Draft
from course_utils.decoding.sampling import sample
from course_utils.drafters.lookup import PromptLookup
from course_utils.lessons.ngram_drafter.checks import (
    WHOLE,
    check_best_drafter,
    check_counted_probability,
    check_find_match,
    check_interpolated,
    check_lookup_first,
)
from course_utils.lessons.ngram_drafter.lookup_first import row_after
from course_utils.models.n_grams import NGram
from course_utils.proofs.decoders import Decoder


def by_counter(sentences, context, word):
    pairs = Counter(pair for s in sentences for pair in pairwise(s))
    total = sum(n for (before, _), n in pairs.items() if before == context)
    return pairs[context, word] / total if total else 0


def shared_lookup(tokens, length):
    match = PromptLookup(length, length).find(tokens)
    return match[0] if match else None


class Written:
    """Without any part of the course but the rows: as a student writes it."""

    def __init__(self, model, sampling):
        self.model, self.sampling = model, sampling

    def propose(self, tokens, gamma, noise):
        text = list(tokens)
        for length in (3, 2, 1):
            start = shared_lookup(text, length)
            if start is not None:
                return self.copied(text[start + length : start + length + gamma])
        return self.drawn(text, noise.uniforms("draft", gamma))

    def copied(self, guesses):
        return Draft(tuple(guesses), None)

    def drawn(self, text, uniforms):
        rows, guesses = [], []
        for uniform in uniforms:
            rows.append(row_after(self.model, text + guesses, self.sampling))
            guesses.append(sample(rows[-1], uniform))
        return Draft(guesses, np.array(rows))


class Withholding(Written):
    """Looks at what it drew, and ends the draft before an unlikely guess."""

    least = 0.1  # less than what any guess has in the single drafts of the check

    def drawn(self, text, uniforms):
        draft = super().drawn(text, uniforms)
        likely = [row[x] >= self.least for row, x in zip(draft.q, draft.tokens, strict=True)]
        kept = likely.index(False) if False in likely else len(likely)
        return Draft(draft.tokens[:kept], draft.q[:kept])


class EndingEarly(Withholding):
    least = 0.3


class Choosy(Written):
    """Draws first, and copies only where the drawn guess is the copied one."""

    def propose(self, tokens, gamma, noise):
        copied = super().propose(tokens, gamma, noise)
        drawn = self.drawn(list(tokens), noise.uniforms("draft", gamma))
        return drawn if drawn.tokens[0] == copied.tokens[0] else copied


def student(**parts):
    """`Written` with these methods of its own."""
    return type("Student", (Written,), parts)


def copying(made):
    """made(guesses, a row of q for each) in place of a Draft of the copy."""

    def copied(self, guesses):
        return made(guesses, np.eye(self.model.vocabulary_size)[guesses])

    return student(copied=copied)


def drawing(made):
    """made(guesses, q) in place of a Draft of what was drawn."""

    def drawn(self, text, uniforms):
        draft = Written.drawn(self, text, uniforms)
        return made(draft.tokens, draft.q)

    return student(drawn=drawn)


def asking(purpose, more=0):
    """Draws with other uniforms than those that are meant for it."""

    def propose(self, tokens, gamma, noise):
        return self.drawn(list(tokens), noise.uniforms(purpose, gamma + more))

    return student(propose=propose)


def choosing(generator):
    """Guesses drawn from the right rows, by a generator of the student's own."""

    class Student(Written):
        def __init__(self, model, sampling):
            super().__init__(model, sampling)
            self.numbers = generator()

        def drawn(self, text, uniforms):
            rows, guesses = [], []
            for _ in uniforms:
                rows.append(row_after(self.model, text + guesses, self.sampling))
                guesses.append(int(self.numbers.choice(len(rows[-1]), p=rows[-1])))
            return Draft(guesses, np.array(rows))

    return Student


def by(measure, choose=max):
    return lambda logs: choose(logs, key=lambda name: measure(logs[name]))


RIGHT_ANSWERS = [
    (check_lookup_first, Written),
    (check_lookup_first, copying(lambda guesses, rows: Draft(tuple(guesses), rows))),
    (check_best_drafter, by(lambda m: m.target_forwards / m.tokens, min)),
    (check_counted_probability, by_counter),
    (check_find_match, shared_lookup),
]
WRONG_ANSWERS = [
    (check_counted_probability, lambda s, c, w: by_counter(s, c, w) or 1e-3, "is 0, not 0.001"),
    (check_counted_probability, lambda s, c, w: 0.3, "P(eating | liked)"),
    (check_best_drafter, lambda logs: max(m.tokens_per_round for m in logs.values()), "name"),
    (check_best_drafter, by(lambda m: m.accepted_per_drafted), "seldom drafts"),
    (check_best_drafter, lambda logs: "somebody", "16 tokens, 4 forwards"),
    (check_find_match, lambda t, n: 0, "0 is the earliest place; take the latest, 2."),
    *(
        (check_lookup_first, choosing(generator), "a generator of your own")
        for generator in (np.random.default_rng, lambda: np.random.default_rng(1))
    ),
    (check_lookup_first, copying(lambda xs, q: Draft(tuple(xs), q / 2 + 1 / 12)), "A copy is not"),
    (check_lookup_first, copying(lambda xs, q: xs), "Return a Draft"),
    (check_lookup_first, copying(lambda xs, q: Draft(3, None)), "tuple of token ids"),
    (check_lookup_first, copying(lambda xs, q: Draft((*xs,) * 9, None)), "at most 2"),
    (
        check_lookup_first,
        drawing(lambda xs, q: Draft(xs, np.eye(q.shape[1])[xs])),
        "a row with a single 1",
    ),
    (check_lookup_first, drawing(lambda xs, q: None), "nothing comes back"),
    (check_lookup_first, drawing(lambda xs, q: Draft(xs, [*q])), "np.stack(rows)"),
    (check_lookup_first, drawing(lambda xs, q: Draft(xs, q[0])), "one row for each guess"),
    (check_lookup_first, drawing(lambda xs, q: Draft(xs, 2 * q)), "no distribution"),
    (check_lookup_first, drawing(lambda xs, q: Draft(xs[:1], q[:1])), "Draw gamma guesses"),
    (check_lookup_first, student(propose=lambda self, t, *_: t.append(0)), "which is your own"),
    (check_lookup_first, asking("verify"), "asked for 'verify' uniforms"),
    (check_lookup_first, asking("draft", more=1), "asked for 3 uniforms"),
    (check_lookup_first, Withholding, "draw a guess and not hand it over"),
    (check_lookup_first, EndingEarly, "withheld because of what it turned out to be"),
    (check_lookup_first, Choosy, "tokens: "),
]
CHECKS = [lambda function: check_lookup_first(type("Student", (Written,), {"propose": function}))]


def test_both_ways_of_guessing_are_walked_and_found_exact():
    ways = set()

    class Noting(Written):
        def propose(self, tokens, gamma, noise):
            draft = super().propose(tokens, gamma, noise)
            ways.add((draft.q is None, len(draft.tokens)))
            return draft

    assert WHOLE.distance(Decoder(drafter=Noting)) < 1e-12
    assert ways == {(True, 1), (True, 2), (False, 2)}
    assert WHOLE.distance(Decoder(drafter=Withholding)) > 1e-3


def test_the_formula_of_the_exercise_is_that_of_the_model():
    model = NGram([[0, 1, 2], [0, 1, 2], [0, 1, 3]], n=2, vocabulary_size=5, discount=0.5)
    followers, shorter = model.counts[(1,)], model.distribution([])
    for token, probability in enumerate(model.distribution([0, 1])):
        expected = check_interpolated.right(
            followers[token], 3, len(followers), 0.5, shorter[token]
        )
        assert probability == pytest.approx(expected)
