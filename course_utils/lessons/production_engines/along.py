"""What the target says along texts that a server wrote, and what could have been accepted."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.decoding.theory import overlap
from course_utils.engines.sessions import Part


def rows_along(model: LanguageModel, part: Part) -> np.ndarray:
    """(tokens of all answers, vocabulary): the model's distribution at each of them, T = 1."""
    rows = [
        probabilities(model.start(q.prompt[:-1]).extend([q.prompt[-1], *a.tokens[:-1]]), Sampling())
        for q, a in zip(part.questions, part.answers, strict=True)
    ]
    return np.concatenate([as_numpy(r) for r in rows])


def tokens_of(part: Part) -> np.ndarray:
    """The tokens of all answers, one after the other."""
    return np.array([token for answer in part.answers for token in answer.tokens])


@dataclass(frozen=True)
class Possible:
    """How often a first guess can be accepted, on average over the places of some texts."""

    sampled: float  # Σ min(p, q): a draft that draws
    greedy: float  # p(argmax q): a draft that takes its likeliest token


def possible(p: np.ndarray, q: np.ndarray) -> Possible:
    """Of the target's and the draft's rows at the same places."""
    likeliest = p[np.arange(len(q)), q.argmax(-1)]
    return Possible(float(overlap(p, q).mean()), float(likeliest.mean()))


def deviations_of(
    parts: Iterable[tuple[str, Part]],
    target: LanguageModel,
    test: Callable[[np.ndarray, np.ndarray], float],
) -> dict[str, float]:
    """{name: standard deviations} by a test of (rows, tokens)."""
    return {name: float(test(rows_along(target, part), tokens_of(part))) for name, part in parts}
