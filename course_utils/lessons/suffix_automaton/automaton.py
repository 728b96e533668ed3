"""A suffix automaton as the elective shows it: four lists, one entry for each state."""

from collections.abc import Sequence

import numpy as np

from course_utils.drafters.suffix_automaton import SuffixAutomaton


class Automaton:
    """The automaton of one text.

    State 0 is the root; a state stands for pieces that end at the same places.

    following: {token: state} of each state.
    link: the state of the longest ending that ends at more places; None at the root.
    length: tokens of the longest piece of each state.
    count: at how many places its pieces end.
    """

    def __init__(self, text: Sequence[int]):
        whole = SuffixAutomaton(deepest=max(1, len(text)))
        whole.read(text)
        self.text = list(text)
        self.following, self.link, self.length = whole.tables()
        self.count = self._counted()

    def _counted(self) -> list[int]:
        """Each beginning of the text ends at one place, and so do all that it links to."""
        count, state = [0] * len(self.link), 0
        for token in self.text:
            state = self.following[state][token]
            count[state] += 1
        for state in sorted(range(1, len(count)), key=lambda s: -self.length[s]):
            count[self.link[state]] += count[state]
        return count


def row_after(automaton: Automaton, state: int, size: int) -> np.ndarray:
    """Distribution (size,) of the token that followed `state`, as often as it did.

    Where nothing followed, at the end of the text, the state that the link leads to decides.
    """
    while not automaton.following[state]:
        state = automaton.link[state]
    row = np.zeros(size)
    for token, after in automaton.following[state].items():
        row[token] = automaton.count[after]
    return row / row.sum()
