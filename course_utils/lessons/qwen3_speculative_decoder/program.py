"""A program at work on a pair of models."""

from collections.abc import Iterator, Sequence

import numpy as np

from course_utils.decoding.sampling import Sampling
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
