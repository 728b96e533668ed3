"""Drafters with one thing wrong; each has been shipped by somebody."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from course_utils.decoding.contracts import Draft, LanguageModel, RoundNoise
from course_utils.decoding.outcomes import fastest_length
from course_utils.decoding.proposal import CommittedText, sampling_of
from course_utils.decoding.rows import as_numpy, namespace
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.drafters.candidates import Candidates, likeliest
from course_utils.drafters.sampled import Sampled


def rows_of(
    model: LanguageModel, tokens: Sequence[int], drafted: Sequence[int], sampling: Sampling
) -> np.ndarray:
    """Return (drafted, vocabulary): the model's distribution at each drafted token."""
    logits = model.start([]).extend([*tokens, *drafted[:-1]])
    return as_numpy(probabilities(logits[-len(drafted) :], sampling))


class Colder(Sampled):
    """Draws at 0.7 of the temperature, reports q at the full one."""

    share = 0.7

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        reported = sampling_of(tokens)
        self.sampling = replace(reported, temperature=self.share * reported.temperature)
        draft = super().propose(tokens, gamma, noise)
        return replace(draft, q=rows_of(self.model, tokens, draft.tokens, reported))


class Likeliest(Colder):
    """Guesses the likeliest token, reports the distribution it did not draw from."""

    share = 0.0


class Rounded(Sampled):
    """Reports q in half precision."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        if draft.q is None:
            return draft
        xp = namespace(draft.q)
        return replace(draft, q=xp.astype(xp.astype(draft.q, xp.float16), draft.q.dtype))


class Dropping(Sampled):
    """Withholds a guess, and what follows it, if another token was more than twice as likely."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        if draft.q is None:
            return draft
        likely = [2 * row[x] >= row.max() for row, x in zip(draft.q, draft.tokens, strict=True)]
        kept = [*likely, False].index(False)
        return Draft(draft.tokens[:kept], draft.q[:kept])


class PresentBudget(Sampled):
    """Drafts to the end, then submits as many guesses as its own confidences say pay best.

    A pass over two rows has one price here, a longer one another: with such a step, whether a
    guess is submitted depends on confidences after it, and so on the guess.
    """

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        if draft.q is None:
            return draft
        shares = np.cumprod(np.array([float(row.max()) for row in draft.q]))
        kept = fastest_length(shares.tolist(), lambda gamma: 1.0 if gamma < 2 else 1.5)
        return Draft(draft.tokens[:kept], draft.q[:kept])


class AskingTheNextUniform(Sampled):
    """Stops before a guess if the uniform that would draw it is large: an unlikely guess."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        large = [uniform > 0.7 for uniform in noise.uniforms("draft", gamma)]
        drawn = [*large, True].index(True)
        return super().propose(tokens, drawn, noise) if drawn else Draft((), None)


class Lagging(Sampled):
    """Takes the cache to hold its last guess, which it has never processed.

    What it drafts is still drawn from the q it reports, so the text is right.
    """

    _last: tuple[int, ...] = ()

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        text = list(tokens)
        if self._last and tuple(tokens[: len(self._last)]) == self._last:
            del text[len(self._last) - 1]
        draft = super().propose(CommittedText(text, sampling_of(tokens)), gamma, noise)
        self._last = (*tokens, *draft.tokens)
        return draft


class SoftSet(Candidates):
    """Offers the likeliest tokens, reports q as if they had been drawn from it."""

    def __init__(self, model: LanguageModel):
        super().__init__(model, likeliest)

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        row = rows_of(self.model, tokens, draft.tokens[:1], sampling_of(tokens))
        possible = [x for x in draft.tokens if row[0, x] > 0]
        return Draft(tuple(possible), np.repeat(row, len(possible), 0), (-1,) * len(possible))
