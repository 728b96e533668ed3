"""Drafters with one thing wrong; each has been shipped by somebody."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from course_utils.decoding.contracts import Draft, LanguageModel, RoundNoise
from course_utils.decoding.outcomes import fastest_length
from course_utils.decoding.proposal import CommittedText, sampling_of
from course_utils.decoding.rows import namespace
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.drafters.candidates import Candidates, likeliest
from course_utils.drafters.sampled import Sampled


class _Misreporting(Sampled):
    """Draws at a share of the temperature, reports q at the whole of it."""

    share: float

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        reported = sampling_of(tokens)
        self.sampling = replace(reported, temperature=self.share * reported.temperature)
        draft = super().propose(tokens, gamma, noise)
        return replace(draft, q=rows_of(self.model, tokens, draft.tokens, reported))


class Colder(_Misreporting):
    """Draws at 0.7 of the temperature, reports q at the full one."""

    share = 0.7


class Likeliest(_Misreporting):
    """Guesses the likeliest token, reports the distribution it did not draw from."""

    share = 0.0


class Rounded(Sampled):
    """Reports q in half precision."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        xp = namespace(draft.q)
        return replace(draft, q=xp.astype(xp.astype(draft.q, xp.float16), draft.q.dtype))


class Dropping(Sampled):
    """Looks at what it drew and withholds it, and what follows, if other tokens were
    more than twice as likely."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        unlikely = [
            2 * row[x] < row[row.argmax(-1)] for row, x in zip(draft.q, draft.tokens, strict=True)
        ]
        kept = unlikely.index(True) if True in unlikely else len(unlikely)
        return Draft(draft.tokens[:kept], draft.q[:kept])


class PresentBudget(Sampled):
    """Drafts to the end, then submits as many guesses as its own confidences say pay best.

    A pass over two rows has one price here, a longer one another: with such a step,
    whether a guess is submitted depends on confidences after it, and so on the guess.
    """

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        if not draft.tokens:
            return draft
        shares = np.cumprod([float(row[row.argmax(-1)]) for row in draft.q])
        kept = fastest_length(shares.tolist(), self.cost)
        return Draft(draft.tokens[:kept], draft.q[:kept])

    @staticmethod
    def cost(gamma: int) -> float:
        """Of a round with so many guesses."""
        return 1.0 if gamma < 2 else 1.5


class AskingTheNextUniform(Sampled):
    """Stops before a guess if the uniform that would draw it is large: an unlikely guess."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        large = [uniform > 0.7 for uniform in noise.uniforms("draft", gamma)]
        drawn = large.index(True) if True in large else gamma
        return super().propose(tokens, drawn, noise) if drawn else Draft((), None)


class Lagging(Sampled):
    """Takes the cache to hold its last guess, which it has never processed.

    What it drafts is still drawn from the q it reports, so the text is right.
    """

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        seen = list(tokens)
        if self._last and tuple(tokens[: len(self._last)]) == self._last:
            del seen[len(self._last) - 1]
        draft = super().propose(CommittedText(seen, sampling_of(tokens)), gamma, noise)
        self._last = (*tokens, *draft.tokens)
        return draft

    _last: tuple[int, ...] = ()


class SoftSet(Candidates):
    """Offers the likeliest tokens, reports q as if they had been drawn from it."""

    def __init__(self, model: LanguageModel):
        super().__init__(model, likeliest)

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        row = rows_of(self.model, tokens, draft.tokens[:1], sampling_of(tokens))
        xp = namespace(row)
        kept = [x for x in draft.tokens if float(row[0, x]) > 0]
        return Draft(tuple(kept), xp.concat([row] * len(kept)), (-1,) * len(kept))


def rows_of(
    model: LanguageModel, tokens: Sequence[int], drafted: Sequence[int], sampling: Sampling
) -> np.ndarray:
    """The draft's distribution at each drafted token, from a fresh session."""
    logits = model.start([]).extend([*tokens, *drafted[:-1]])
    return probabilities(logits[-len(drafted) :], sampling)
