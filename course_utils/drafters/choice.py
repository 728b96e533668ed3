"""Choose the drafter for each round: the first one with a guess."""

from collections.abc import Sequence

from course_utils.decoding.contracts import NO_DRAFT, Draft, Drafter, Round, RoundNoise
from course_utils.decoding.proposal import notify


class FirstToGuess:
    """Use the first of its drafters that guesses anything; list the most reliable one first.

    It is lossless if each of them is: whether a correct drafter guesses at all depends only on
    the text, so the choice does, too.  Letting two drafters draw and submitting the better-looking
    guess would be lossy: the submitted guess would not have the distribution q.

    The drafter of a round learns from it; if no one had a guess, all do.
    """

    def __init__(self, *drafters: Drafter):
        self.drafters = self._learning = drafters

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        for drafter in self.drafters:
            draft = drafter.propose(tokens, gamma, noise)
            if draft.tokens:
                self._learning = (drafter,)
                return draft
        self._learning = self.drafters
        return NO_DRAFT

    def learn(self, done: Round) -> None:
        for drafter in self._learning:
            notify(drafter, done)
