"""Every tree that there is, and what the tests of trees have in common."""

from functools import cache

import numpy as np
from hypothesis import strategies as st

from course_utils.decoding import generate
from course_utils.decoding.rules import RECURSIVE_REJECTION
from course_utils.drafters.candidates import Candidates
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.enumeration import outcomes

#        text
#       0    1
#     2 3 4  5
#     6      7 8
FAMILY = (-1, -1, 0, 0, 0, 1, 2, 5, 5)
FALLING = (0.6, 0.2, 0.1)
RATES = [FALLING, (0.4, 0.4), (0.9,), (0.1, 0.8), (0.3, 0.0, 0.6), (0.05, 0.1, 0.2, 0.6)]


@cache
def every_tree(nodes):
    """All ordered trees of so many nodes, the text not counted: Catalan's number of them."""
    if not nodes:
        return [()]
    return [
        (*tree, parent)
        for tree in every_tree(nodes - 1)
        for parent in range(tree[-1] if tree else -1, nodes - 1)
    ]


shapes = st.integers(1, 8).flatmap(lambda nodes: st.sampled_from(every_tree(nodes)))


def accepted_by_rank(p, q, k, draw):
    """P(the child of rank r is accepted), for one row p and k candidates from q: every path of
    the loop's first round, with its probability."""
    target, draft = (TableModel(np.tile(row, (len(row), 1))) for row in (p, q))

    def first_round(noise):
        run = generate(
            target, [0], Candidates(draft, draw), gamma=k, max_new_tokens=k + 1,
            rule=RECURSIVE_REJECTION, noise=lambda _: noise,
        )  # fmt: skip
        return next(run).verdict.path

    accepted = np.zeros(k)
    for weight, path in outcomes(first_round):
        if path:
            accepted[path[0]] += weight
    return accepted
