"""A suffix automaton as four lists, one entry per state."""

from collections.abc import Sequence

import numpy as np

from course_utils.drafters.suffix_automaton import SuffixAutomaton


class Automaton:
    """The automaton of one text.

    State 0 is the root; a state represents the substrings that end at the same places.

    following: {token: state} of each state.
    link: the state of the longest suffix that ends at more places; None at the root.
    length: tokens in the longest substring of each state.
    count: number of places where its substrings end.
    """

    def __init__(self, text: Sequence[int]):
        whole = SuffixAutomaton(deepest=max(1, len(text)))
        whole.read(text)
        self.text = list(text)
        self.following, self.link, self.length, self.count = whole.tables()


def row_after(automaton: Automaton, state: int, size: int) -> np.ndarray:
    """Return the relative frequencies (size,) of the tokens that followed `state`.

    If nothing followed, at the end of the text, use the state that its link leads to.
    """
    while not automaton.following[state]:
        state = automaton.link[state]
    row = np.zeros(size)
    for token, after in automaton.following[state].items():
        row[token] = automaton.count[after]
    return row / row.sum()
