"""Ask several drafters in turn: the first that has a guess makes it."""

from collections.abc import Sequence

from course_utils.decoding.contracts import NO_DRAFT, Draft, Drafter, Round, RoundNoise


class Cascade:
    """The first of its drafters that guesses anything; so name the surest first.

    Lossless if each of them is: whether a fair drafter guesses at all depends only on the
    text, so which one is asked does, too.  What must not be done is to let two of them draw
    and submit the better looking guess: what is submitted would then not come from its q.

    It learns if one of them does; that one sees every round, whoever made the guess.
    """

    def __init__(self, first: Drafter, *rest: Drafter):
        self.drafters = (first, *rest)
        self._learners = [drafter for drafter in self.drafters if hasattr(drafter, "learn")]
        if self._learners:  # each round is copied for whoever has a `learn`
            self.learn = self._learn

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        for drafter in self.drafters:
            draft = drafter.propose(tokens, gamma, noise)
            if draft.tokens:
                return draft
        return NO_DRAFT

    def _learn(self, done: Round) -> None:
        for drafter in self._learners:
            drafter.learn(done)
