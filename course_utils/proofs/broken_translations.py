"""A draft with another tokenizer, translated with one thing wrong."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from course_utils.decoding.contracts import Draft, LanguageModel, RoundNoise
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models.translated import Translated, Translation
from course_utils.proofs.broken_drafters import rows_of


class FallingBack(Translated):
    """What the target has no token for is proposed as `end`, the fallback of vLLM.

    Its rows say so, so the text is right; but what the target did not end is rejected.
    """

    def __init__(self, model: LanguageModel, translation: Translation, end: int = 0):
        super().__init__(model, translation)
        self.end = end

    def translate(self, rows: np.ndarray) -> np.ndarray:
        rows = as_numpy(rows)
        translated = super().translate(rows)
        foreign = np.delete(rows, self.places[1], axis=-1)
        mass = np.logaddexp.reduce(foreign, axis=-1, initial=-np.inf)
        translated[:, self.end] = np.logaddexp(translated[:, self.end], mass)
        return translated


class _Reporting(Sampled):
    """Draws with one model, reports the q of another."""

    def __init__(self, draws: Translated, reported: Translated, sampling: Sampling):
        super().__init__(draws, sampling)
        self._reported = reported

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        if not draft.tokens:
            return draft
        return replace(draft, q=rows_of(self._reported, tokens, draft.tokens, self.sampling))


class Unreported(_Reporting):
    """Draws with that fallback, and reports the q that has none."""

    def __init__(self, model: Translated, sampling: Sampling = Sampling(), end: int = 0):
        super().__init__(FallingBack(model.model, model.translation, end), model, sampling)


class Unnormalised(_Reporting):
    """Judges what was drawn from the restricted row by the draft's own, unrestricted q.

    What is missing to 1 is put on `end`, so that the rows look like distributions.
    """

    def __init__(self, model: Translated, sampling: Sampling = Sampling(), end: int = 0):
        super().__init__(model, FallingBack(model.model, model.translation, end), sampling)


def off_by_one(translation: Translation) -> Translation:
    """Each shared token stands for its neighbour's: the guesses are of another text."""
    held, same = translation.pairs
    shared = list(translation.shared)
    for token, other in zip(held, (*same[1:], same[0]), strict=True):
        shared[token] = other
    return replace(translation, shared=tuple(shared))
