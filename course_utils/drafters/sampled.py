"""A language model that guesses by sampling from itself."""

from collections.abc import Sequence

from course_utils.decoding.contracts import NO_DRAFT, Draft, LanguageModel, RoundNoise, Session
from course_utils.decoding.proposal import check_model, sampling_of
from course_utils.decoding.sampling import Sampling, Stop, draft_from, never
from course_utils.decoding.sessions import CachedPrefix


class Sampled:
    """Draft with any LanguageModel; q is the row that each guess was drawn from.

    At temperature 0 q is one-hot.  A model with `max_guesses`, such as a head that makes all its
    guesses at once, drafts no further than that.

    Args:
        sampling: None uses the settings of the run; others are lossless too, but accepted less.
        stop: the stop rule; it cannot withdraw a guess already drawn.
    """

    def __init__(self, model: LanguageModel, sampling: Sampling | None = None, stop: Stop = never):
        check_model(model, "draft")
        self.model = model
        self.sampling = sampling
        self.stop = stop
        self._max_guesses = getattr(model, "max_guesses", model.context)
        self._session: Session | None = None
        self._cached = CachedPrefix()  # the tokens of the session

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        gamma = min(gamma, self.model.context - len(tokens) + 1, self._max_guesses)
        if gamma < 1:
            return NO_DRAFT
        if self._session is None:  # the prompt is read without computing a row per token
            self._session = self.model.start(tokens[:-1])
            self._cached.update(tokens[:-1])
        missing = self._cached.missing(self._session, tokens)
        uniforms, sampling = noise.uniforms("draft", gamma), sampling_of(tokens, self.sampling)
        draft = draft_from(self._session, missing, uniforms, sampling, self.stop)
        self._cached.record(self._session, tokens, draft.tokens)
        return draft
