"""Choose the drafter for each round: the first that has a guess makes it."""

from collections.abc import Sequence

from course_utils.decoding.contracts import NO_DRAFT, Draft, Drafter, RoundNoise


class FirstToGuess:
    """The first of its drafters that guesses anything; so name the surest first.

    Lossless if each of them is: whether a fair drafter guesses at all depends only on the
    text, so which one is asked does, too.  What must not be done is to let two of them draw
    and submit the better looking guess: what is submitted would then not come from its q.
    """

    def __init__(self, *drafters: Drafter):
        self.drafters = drafters

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        for drafter in self.drafters:
            draft = drafter.propose(tokens, gamma, noise)
            if draft.tokens:
                return draft
        return NO_DRAFT
