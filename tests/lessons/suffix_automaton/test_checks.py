"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

import numpy as np

from course_utils.decoding.contracts import Draft
from course_utils.decoding.sampling import sample
from course_utils.lessons.suffix_automaton.automaton import row_after
from course_utils.lessons.suffix_automaton.checks import (
    BITS,
    WHOLE,
    check_what_followed,
    followed,
)
from course_utils.proofs.decoders import Decoder


class Written:
    """As a student writes it."""

    def __init__(self, automaton, size):
        self.automaton, self.size = automaton, size

    def propose(self, tokens, gamma, noise):
        return self.drawn(list(tokens), noise.uniforms("draft", gamma))

    def row(self, text):
        state, matched = 0, 0
        for token in text:
            state, matched = followed(self.automaton, state, matched, token)
        return row_after(self.automaton, state, self.size)

    def drawn(self, text, uniforms):
        rows, guesses = [], []
        for uniform in uniforms:
            rows.append(self.row(text + guesses))
            guesses.append(sample(rows[-1], uniform))
        return Draft(guesses, np.array(rows))


class Withholding(Written):
    """Looks at what it drew, and ends the draft before an unlikely guess."""

    least = 0.35

    def drawn(self, text, uniforms):
        draft = super().drawn(text, uniforms)
        likely = [row[x] >= self.least for row, x in zip(draft.q, draft.tokens, strict=True)]
        kept = likely.index(False) if False in likely else len(likely)
        return Draft(draft.tokens[:kept], draft.q[:kept])


class WithholdingBits(Withholding):
    """Only where two tokens are all there are, so that no single draft tells."""

    def __init__(self, automaton, size):
        super().__init__(automaton, size)
        self.least = 0.45 if size == 2 else 0


def student(**parts):
    """`Written` with these methods of its own."""
    return type("Student", (Written,), parts)


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
        def __init__(self, automaton, size):
            super().__init__(automaton, size)
            self.numbers = generator()

        def drawn(self, text, uniforms):
            rows, guesses = [], []
            for _ in uniforms:
                rows.append(self.row(text + guesses))
                guesses.append(int(self.numbers.choice(len(rows[-1]), p=rows[-1])))
            return Draft(guesses, np.array(rows))

    return Student


RIGHT_ANSWERS = [(check_what_followed, Written)]
WRONG_ANSWERS = [
    *(
        (check_what_followed, choosing(generator), "a generator of your own")
        for generator in (np.random.default_rng, lambda: np.random.default_rng(1))
    ),
    (check_what_followed, drawing(lambda xs, q: xs), "Return a Draft"),
    (check_what_followed, drawing(lambda xs, q: Draft(3, None)), "tuple of token ids"),
    (check_what_followed, drawing(lambda xs, q: Draft((*xs,) * 9, None)), "at most 3"),
    (
        check_what_followed,
        drawing(lambda xs, q: Draft(xs, np.eye(q.shape[1])[xs])),
        "a row with a single 1",
    ),
    (check_what_followed, drawing(lambda xs, q: None), "not None"),
    (check_what_followed, drawing(lambda xs, q: Draft(xs, [*q])), "np.stack(rows)"),
    (check_what_followed, drawing(lambda xs, q: Draft(xs, q[0])), "one row for each guess"),
    (check_what_followed, drawing(lambda xs, q: Draft(xs, 2 * q)), "no distribution"),
    (check_what_followed, student(propose=lambda self, t, *_: t.append(0)), "is your own"),
    (check_what_followed, asking("verify"), "asked for 'verify' uniforms"),
    (check_what_followed, asking("draft", more=1), "asked for 4 uniforms"),
    (check_what_followed, Withholding, "withheld because of what it turned out to be"),
    (check_what_followed, WithholdingBits, "draw a guess and not hand it over"),
]
CHECKS = [lambda function: check_what_followed(type("Student", (Written,), {"propose": function}))]


def test_the_loop_with_it_is_exact_and_withholding_is_not():
    assert WHOLE.distance(Decoder(drafter=lambda *_: Written(BITS, 2))) < 1e-12
    assert WHOLE.distance(Decoder(drafter=lambda *_: WithholdingBits(BITS, 2))) > 1e-3
