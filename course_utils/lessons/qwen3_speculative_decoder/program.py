"""A program at work on a pair of models; prompt lookup as a draft model."""

from collections.abc import Iterator, Sequence

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.lookup import PromptLookup
from course_utils.models.toys.tables import SequenceSession
from course_utils.pairs import Pair
from course_utils.proofs.programs import DRAFT, TARGET, Program, Recorder

NO_LIMIT = 1 << 62  # calls


def program_rounds(
    program: Program, pair: Pair, prompt: Sequence[int], gamma: int, sampling: Sampling,
    max_new_tokens: int, stop_tokens: Sequence[int], seed: int,
) -> Iterator[list[int]]:  # fmt: skip
    """Yield the new tokens of each round of a program on `pair`.

    The models hand the program NumPy rows, as in its exams; its uniforms are those of `seed`.
    """
    target = Recorder(pair.target, TARGET, [], NO_LIMIT)
    draft = Recorder(pair.draft, DRAFT, [], NO_LIMIT)
    uniform = np.random.default_rng(seed).random
    return program(
        target, draft, list(prompt), gamma, sampling, max_new_tokens, stop_tokens, uniform
    )


class LookupModel:
    """A draft model that is certain of the token which prompt lookup copies.

    Where it finds nothing to copy it repeats the last token: whoever asks for a row gets one.
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
