"""Drafters with one fault each; all of these have been released by somebody."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from course_utils.decoding.contracts import Draft, LanguageModel, RoundNoise
from course_utils.decoding.proposal import CommittedText, sampling_of
from course_utils.decoding.rows import namespace
from course_utils.drafters.candidates import Candidates, likeliest
from course_utils.drafters.sampled import Sampled
from course_utils.proofs.likelihood import rows_along


class Colder(Sampled):
    """Draw at 0.7 of the temperature, but report q at the full one."""

    share = 0.7

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        reported = sampling_of(tokens)
        self.sampling = replace(reported, temperature=self.share * reported.temperature)
        draft = super().propose(tokens, gamma, noise)
        return replace(draft, q=rows_along(self.model, tokens, draft.tokens, reported))


class Likeliest(Colder):
    """Guess the likeliest token, but report a distribution that it was not drawn from."""

    share = 0.0


class Rounded(Sampled):
    """Report q in half precision."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        if draft.q is None:
            return draft
        xp = namespace(draft.q)
        return replace(draft, q=xp.astype(xp.astype(draft.q, xp.float16), draft.q.dtype))


class Dropping(Sampled):
    """Withhold a guess, and those after it, if another token is more than twice as likely."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        if draft.q is None:
            return draft
        likely = [2 * row[x] >= row.max() for row, x in zip(draft.q, draft.tokens, strict=True)]
        length = [*likely, False].index(False)
        return Draft(draft.tokens[:length], draft.q[:length])


class Lagging(Sampled):
    """Assume that the last guess is in the cache, although it was never processed.

    Guesses are still drawn from the reported q, so the text's distribution is right.
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
    """Take the likeliest tokens, but report q as if they had been drawn."""

    def __init__(self, model: LanguageModel):
        super().__init__(model, likeliest)

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        row = rows_along(self.model, tokens, draft.tokens[:1], sampling_of(tokens))
        possible = [x for x in draft.tokens if row[0, x] > 0]
        return Draft(tuple(possible), np.repeat(row, len(possible), 0), (-1,) * len(possible))
