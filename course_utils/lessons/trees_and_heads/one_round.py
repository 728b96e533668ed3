"""Is a rule on trees lossless?  One whole round, every path of it, and its exact distance.

What the round leaves open is said by the target, so that all texts have one length: only
the round's own decisions can be wrong.  Over a whole text each round begins anew, so a rule
that is lossless in every round is lossless.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from course_utils.decoding.contracts import Rule
from course_utils.drafters.candidates import (
    Draw,
    likeliest,
    with_replacement,
    without_replacement,
)
from course_utils.drafters.tree import Tree
from course_utils.proofs.decoders import Decoder, Exam, exam, tokens_per_round
from course_utils.proofs.enumeration import distribution_distance, merge_paths

DRAWS: dict[str, Draw] = {
    "with replacement": with_replacement,
    "without replacement": without_replacement,
    "the likeliest": likeliest,
}


def judged(
    rule: Rule, draw: Draw, shape: Sequence[int], vocabulary_size: int = 3
) -> tuple[float, float]:
    """Total variation from the target after one round, and the round's tokens in expectation."""
    paper = exam(vocabulary_size, agreement=0.2, gamma=len(shape))
    decoder = Decoder(rule, lambda model: Tree(model, shape, draw=draw))
    rounds = paper.first_rounds(decoder)
    length = max(len(r.emitted) for _, r in rounds)
    said = (
        (weight * share, text)
        for weight, r in rounds
        for share, text in _continued(paper, r.emitted, length)
    )
    truth = merge_paths(_continued(paper, (), length))
    return distribution_distance(merge_paths(said), truth), tokens_per_round(rounds)


def _continued(
    paper: Exam, text: Sequence[int], length: int
) -> Iterator[tuple[float, tuple[int, ...]]]:
    """(probability, text) of each way in which the target goes on to `length` tokens."""
    if len(text) == length:
        yield 1.0, tuple(text)
        return
    row = paper.target.distribution([*paper.prompt, *text])
    for token in np.flatnonzero(row).tolist():
        for share, whole in _continued(paper, (*text, token), length):
            yield float(row[token]) * share, whole
