"""The exact distribution of the text after one round, whose draft is as large as it may be."""

from math import fsum

import numpy as np

from course_utils.proofs.enumeration import distribution_distance
from course_utils.proofs.filters import filtered


def first_round_distance(decoder, paper):
    """TV between what the target says of the next tokens, and the decoder in its first round.

    What the round leaves open is continued by the target alone, so that all texts have
    one length: the round's own decisions are all that can be wrong.
    """
    first = paper.first_rounds(decoder)
    length = max(len(r.emitted) for _, r in first)
    assert abs(fsum(weight for weight, _ in first) - 1) < 1e-9
    found = {}
    for weight, r in first:
        for text, share in continued(paper, r.emitted, length):
            found[text] = found.get(text, 0.0) + weight * share
    return distribution_distance(found, dict(continued(paper, (), length)))


def continued(paper, text, length):
    """(text, probability) of each way in which the target goes on to `length` tokens."""
    grown = [(tuple(text), 1.0)]
    for _ in range(length - len(text)):
        grown = [
            ((*words, token), share * row[token])
            for words, share in grown
            for row in [following(paper, words)]
            for token in np.flatnonzero(row).tolist()
        ]
    return grown


def following(paper, words):
    row = paper.target.start([]).extend([*paper.prompt, *words])[-1]
    return filtered(row, paper.sampling)
