"""The elective's automaton, its exercises against a search, and losslessness."""

import random

import pytest

from course_utils.decoding import Draft
from course_utils.lessons.suffix_automaton.checks import (
    BITS,
    WHOLE,
    Automaton,
    WhatFollowed,
    check_what_followed,
    next_match,
    row_after,
)
from course_utils.proofs.decoders import Decoder


def places(text, piece):
    return [i for i in range(len(text)) if text[i : i + len(piece)] == piece]


@pytest.mark.parametrize("seed", range(10))
def test_next_match_agrees_with_a_search(seed):
    rng = random.Random(seed)
    there, here = (rng.choices(range(3), k=30) for _ in range(2))
    automaton, state, matched = Automaton(there), 0, 0
    for i, token in enumerate(here, start=1):
        state, matched = next_match(automaton, state, matched, token)
        assert matched == next(n for n in range(i, -1, -1) if places(there, here[i - n : i]))
        assert not matched or automaton.count[state] == len(places(there, here[i - matched : i]))


def test_the_row_has_the_frequencies_of_what_followed():
    automaton = Automaton([7, 8, 9, 7, 8, 6, 7, 8, 9, 5])
    state = automaton.following[automaton.following[0][7]][8]
    assert row_after(automaton, state, 10) == pytest.approx([0] * 6 + [1 / 3, 0, 0, 2 / 3])
    whole = automaton.length.index(10)  # nothing follows it, nor its suffix 5: the root decides
    assert row_after(automaton, whole, 10)[7] == 0.3


class Withholding(WhatFollowed):
    """A drafter that cuts the draft before an unlikely guess it has drawn."""

    def propose(self, tokens, gamma, noise):
        draft = super().propose(tokens, gamma, noise)
        likely = [row[x] >= 0.45 for row, x in zip(draft.q, draft.tokens, strict=True)]
        n = likely.index(False) if False in likely else len(likely)
        return Draft(draft.tokens[:n], draft.q[:n])


def test_sampling_is_exact_and_withholding_is_not():
    assert WHOLE.distance(Decoder(drafter=lambda *_: WhatFollowed(BITS, 2))) < 1e-12
    assert WHOLE.distance(Decoder(drafter=lambda *_: Withholding(BITS, 2))) > 1e-3


WRONG_ANSWERS = [(check_what_followed, Withholding, "tokens: For tokens = ")]
