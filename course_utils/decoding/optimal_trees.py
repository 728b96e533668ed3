"""Which tree of guesses is the best: Sequoia's, before a guess is made, and EAGLE-2's, after.

Sequoia (Chen et al. 2024, REFERENCES.md: chen2024sequoia): of all trees with so many nodes, the one
with the most expected tokens.  If the child of rank r is accepted with probability by_rank[r]
wherever its parent was reached, the best tree is made of best trees: the first child gets m of the
nodes and the siblings behind it the rest, and what remains is to try each m.

EAGLE-2 (Li et al. 2024, REFERENCES.md: li2024eagle2): a node's value is the product of the draft's
confidences along its path, which is near the probability that it is accepted.  While the tree
grows, only the most valuable nodes of the last level get children; when it is grown, the most
valuable nodes of all are submitted.  That is for guesses chosen without chance (q None): to leave
out a guess that was drawn, because of what it was, is lossy.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from course_utils.decoding.trees import Parents

ROUNDING = 1e-12  # trees closer than this are equally good


class Optima:
    """The best trees of up to `nodes` nodes and `levels` levels, all from one table.

    Args:
        by_rank: P(the child of rank r is the accepted one | its parent was reached).  A
            node has at most as many children as there are rates.
        levels: the most tokens on a path; None sets no limit.

    Raises:
        ValueError: a rate that is no probability, or a limit below 1.
    """

    def __init__(self, by_rank: Sequence[float], nodes: int, levels: int | None = None):
        levels = nodes if levels is None else min(levels, nodes)
        if levels < 1:
            raise ValueError(f"nodes {nodes} and levels {levels}: allow at least 1 of each")
        if not all(rate is not None and 0 <= rate <= 1 for rate in by_rank):
            raise ValueError(f"by_rank is {list(by_rank)}: give a probability for each rank")
        self.nodes = nodes
        # accepted[d][n]: the most accepted tokens that exactly n nodes in at most d levels
        # can bring where their common parent was reached; -inf if they do not fit
        self.accepted = [np.array([0.0] + [-np.inf] * nodes)]
        self._first: list[np.ndarray] = [np.zeros((len(by_rank), nodes + 1), dtype=int)]
        for _ in range(levels):
            best, first = _one_level_more(by_rank, self.accepted[-1])
            self.accepted.append(best)
            self._first.append(first)
            if np.array_equal(best, self.accepted[-2]):
                break  # another level changes nothing, so neither do all that follow

    def tree(self, nodes: int, levels: int) -> Parents:
        """The best with exactly `nodes` nodes in at most `levels` levels, breadth-first."""
        parents: list[int] = []
        waiting = [(-1, nodes, levels)]  # grows while it is read: breadth-first
        for parent, left, deep in waiting:
            rank, first = 0, self._first[min(deep, len(self._first) - 1)]
            while left:
                size = int(first[rank, left])
                waiting.append((len(parents), size - 1, deep - 1))
                parents.append(parent)
                left, rank = left - size, rank + 1
        return tuple(parents)

    def trees(self) -> Iterator[Parents]:
        """One for each number of nodes and levels, those left out that a further level
        does not improve."""
        for deep in range(1, len(self.accepted)):
            gained = self.accepted[deep] > self.accepted[deep - 1] + ROUNDING
            for nodes in np.flatnonzero(gained).tolist():
                yield self.tree(nodes, deep)


def sequoia(by_rank: Sequence[float], nodes: int, levels: int | None = None) -> Parents:
    """The tree with the most expected tokens (`trees.expected_tokens`) of all that have at
    most `nodes` nodes and `levels` levels; of equally good ones, one with the fewest nodes.

    >>> sequoia([0.6, 0.3], 4)
    (-1, -1, 0, 2)

    Raises:
        ValueError: as `Optima`.
    """
    optima = Optima(by_rank, nodes, levels)
    accepted = optima.accepted[-1]
    fewest = int(np.argmax(accepted >= accepted.max() - ROUNDING))
    return optima.tree(fewest, nodes if levels is None else levels)


def _one_level_more(rates: Sequence[float], below: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """From the best of at most d levels, `below` (n + 1,), to that of at most d + 1.

    With it, (ranks, n + 1), how many nodes the child of each rank takes, itself counted, if it
    and the siblings behind it share so many.
    """
    count = len(below)
    shared = np.arange(count)[:, None] - np.arange(count)  # what is left for the siblings
    behind = np.array([0.0] + [-np.inf] * (count - 1))  # no ranks are left
    first = np.zeros((len(rates), count), dtype=int)
    for rank in reversed(range(len(rates))):
        child = np.full(count, -np.inf)  # by the number of nodes that it and its own take
        fits = np.isfinite(below[:-1])
        child[1:][fits] = rates[rank] * (1 + below[:-1][fits])
        total = np.where(shared >= 0, child + behind[np.maximum(shared, 0)], -np.inf)
        first[rank] = total.argmax(axis=1)
        behind = total.max(axis=1)
        behind[0] = 0.0  # this rank, too, may stay empty
    return behind, first


def path_values(parents: Sequence[int], confidences: Sequence[float]) -> tuple[float, ...]:
    """The product of the confidences along each node's path, its own included."""
    values = [1.0]  # the text's, then each node's
    for parent, confidence in zip(parents, confidences, strict=True):
        values.append(values[parent + 1] * float(confidence))
    return tuple(values[1:])


def rerank(values: Sequence[float], keep: int) -> tuple[int, ...]:
    """The places of the `keep` most valuable nodes, in place order; all if there are fewer.

    A value never rises along a path, so with each node its ancestors are chosen; where
    values are equal, the node that stands first is chosen, which is the parent.

    >>> rerank([0.1, 0.4, 0.2], 2)
    (1, 2)
    """
    order = sorted(range(len(values)), key=lambda place: -values[place])  # stable: first of equals
    return tuple(sorted(order[:keep]))


def restricted(parents: Sequence[int], places: Sequence[int]) -> Parents:
    """The shape that is left of a tree if only the nodes at `places` stay, rising, each with
    its ancestors.

    >>> restricted((-1, -1, 0, 1), (1, 3))
    (-1, 0)
    """
    new = {-1: -1} | {place: i for i, place in enumerate(places)}
    return tuple(new[parents[place]] for place in places)
