"""A drafter that walks along an automaton, as that of the exercise does, and draws nothing."""

from collections.abc import Sequence

from course_utils.decoding.contracts import Draft, RoundNoise
from course_utils.lessons.suffix_automaton.automaton import Automaton, row_after
from course_utils.lessons.suffix_automaton.checks import followed


class MostFrequent:
    """Walks along the text, and guesses the token that followed most often: a certain guess."""

    def __init__(self, automaton: Automaton, size: int):
        self.automaton = automaton
        self.size = size

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        state, matched = 0, 0
        for token in tokens:
            state, matched = followed(self.automaton, state, matched, token)
        guesses = []
        for _ in range(gamma):
            guesses.append(int(row_after(self.automaton, state, self.size).argmax()))
            state, matched = followed(self.automaton, state, matched, guesses[-1])
        return Draft(tuple(guesses), None)
