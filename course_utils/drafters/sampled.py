"""A language model that guesses by sampling from itself."""

from collections.abc import Sequence

from course_utils.decoding.contracts import NO_DRAFT, Draft, LanguageModel, RoundNoise, Session
from course_utils.decoding.loop import catch_up, common_prefix
from course_utils.decoding.rows import namespace
from course_utils.decoding.sampling import Sampling, probabilities, sample


class Sampled:
    """Drafts with any LanguageModel; q is the very row each guess was drawn from.

    The settings should be the target's: others are lossless too, but agree less.
    At temperature 0 the guesses are certain, so q is one-hot.
    """

    def __init__(self, model: LanguageModel, sampling: Sampling = Sampling()):
        self.model = model
        self.sampling = sampling
        self._session: Session | None = None
        self._processed: list[int] = []  # what the session holds

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        gamma = min(gamma, self.model.context - len(tokens) + 1)
        if gamma < 1:
            return NO_DRAFT
        if self._session is None:
            self._session = self.model.start([])
        text, rows = list(tokens), []
        # subtle: after a rejection the session holds tokens that were never
        # committed, and after full acceptance it lags by one token.  What the
        # text and the session share settles both.
        kept = min(common_prefix(self._processed, text), len(text) - 1)
        for uniform in noise.uniforms("draft", gamma):
            logits = catch_up(self._session, text, kept)
            rows.append(probabilities(logits[-1:], self.sampling))
            kept = len(text)
            text.append(sample(rows[-1][0], uniform))
        self._processed = text[:-1]
        xp = namespace(rows[0])
        return Draft(tuple(text[len(tokens) :]), xp.concat(rows))
