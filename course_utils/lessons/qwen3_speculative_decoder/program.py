"""A program that runs on a pair of models; prompt lookup as a draft model."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.lookup import PromptLookup
from course_utils.models.toys.tables import SequenceSession
from course_utils.proofs.programs import DRAFT, TARGET, StrictModel
from course_utils.writing.writing import Pair


def program_rounds(
    program: Callable, pair: Pair, prompt: Sequence[int], gamma: int, sampling: Sampling,
    max_new_tokens: int, stop_tokens: Sequence[int], seed: int,
) -> Iterator[list[int]]:  # fmt: skip
    """Yield the new tokens of each round of a program on `pair`.

    The models return NumPy rows, as in the program's exams; `seed` determines its uniforms.
    """
    target = StrictModel(pair.target, TARGET, [])
    draft = StrictModel(pair.draft, DRAFT, [])
    uniform = np.random.default_rng(seed).random
    return program(
        target, draft, list(prompt), gamma, sampling, max_new_tokens, stop_tokens, uniform
    )


class LookupModel:
    """A draft model with probability 1 on the token that prompt lookup copies.

    If there is nothing to copy it repeats the last token, so that there is always a row.
    """

    def __init__(self, target: LanguageModel):
        self.vocabulary_size, self.context = target.vocabulary_size, target.context

    def start(self, prompt: Sequence[int]) -> SequenceSession:
        return SequenceSession(self._row, prompt)

    def _row(self, tokens: Sequence[int]) -> np.ndarray:
        match = PromptLookup().find(tokens)  # (start, length)
        row = np.zeros(self.vocabulary_size)
        row[tokens[sum(match)] if match else tokens[-1]] = 1
        return row
