"""A language model that guesses by sampling from itself."""

from collections.abc import Callable, Sequence

from course_utils.decoding.contracts import (
    NO_DRAFT,
    Draft,
    LanguageModel,
    RoundNoise,
    Rows,
    Session,
)
from course_utils.decoding.rows import namespace
from course_utils.decoding.sampling import Sampling, probabilities, sample
from course_utils.drafters.held import Held

# (rows of q so far, guesses drawn so far) -> draw no more.  Asked before each pass of the
# draft model, and again before the draw, when there is one row more than there are guesses.
Stop = Callable[[Sequence[Rows], Sequence[int]], bool]


def never(rows: Sequence[Rows], guesses: Sequence[int]) -> bool:
    """Draft as many as fit."""
    return False


class Sampled:
    """Drafts with any LanguageModel; q is the very row each guess was drawn from.

    The settings should be the target's: others are lossless too, but agree less.
    At temperature 0 the guesses are certain, so q is one-hot.

    Args:
        stop: when to draft no more; it cannot take back a guess that was drawn.
    """

    def __init__(self, model: LanguageModel, sampling: Sampling = Sampling(), stop: Stop = never):
        self.model = model
        self.sampling = sampling
        self.stop = stop
        self._session: Session | None = None
        self._held = Held()  # what the session holds

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        gamma = min(gamma, self.model.context - len(tokens) + 1)
        if gamma < 1:
            return NO_DRAFT
        if self._session is None:
            self._session = self.model.start([])
        # subtle: after a rejection the session holds tokens that were never
        # committed, and after full acceptance it lags by one token.  What the
        # text and the session share settles both.
        kept = min(self._held.agrees_with(tokens), len(tokens) - 1)
        if self._session.length > kept:
            self._session.rollback(kept)
        rows, guesses, missing = [], [], tokens[kept:]
        for uniform in noise.uniforms("draft", gamma):
            if self.stop(rows, guesses):
                break
            rows.append(probabilities(self._session.extend(missing)[-1:], self.sampling)[0])
            if self.stop(rows, guesses):
                break
            guesses.append(sample(rows[-1], uniform))
            missing = guesses[-1:]
        if rows:
            self._held.now(tokens, guesses[: self._session.length - len(tokens)])
        if not guesses:
            return NO_DRAFT
        return Draft(tuple(guesses), namespace(rows[0]).stack(rows[: len(guesses)]))
