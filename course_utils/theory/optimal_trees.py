"""The best tree of guesses: Sequoia chooses it before drafting, EAGLE-2 while drafting.

Sequoia (Chen et al. 2024, REFERENCES.md: chen2024sequoia): the tree with the most expected tokens
among all with a given number of nodes.  Assume that the child of rank r is accepted with
probability by_rank[r] if its parent was reached.  Then the best tree consists of best trees: the
first child's subtree gets m of the nodes, its siblings the rest, and the search tries each m.

EAGLE-2 (Li et al. 2024, REFERENCES.md: li2024eagle2): a node's value is the product of the draft's
confidences along its path, which approximates the probability that it is accepted.  While the tree
grows, only the most valuable nodes of the last level get children; at the end the most valuable
nodes of all levels are submitted.  Use it only for deterministic guesses (q None): dropping a
sampled guess because of its value is lossy.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from course_utils.decoding.trees import Parents

ROUNDING = 1e-12  # trees whose values differ by less are equally good


class Optima:
    """The best trees of up to `nodes` nodes and `levels` levels, from one table.

    Args:
        by_rank: P(the child of rank r is the accepted one | its parent was reached).  A
            node has at most `len(by_rank)` children.
        levels: the largest number of tokens on a path; None sets no limit.

    Raises:
        ValueError: a rate outside [0, 1], or a limit below 1.
    """

    def __init__(self, by_rank: Sequence[float], nodes: int, levels: int | None = None):
        levels = nodes if levels is None else min(levels, nodes)
        if levels < 1:
            raise ValueError(f"nodes {nodes} and levels {levels}: allow at least 1 of each")
        if not all(rate is not None and 0 <= rate <= 1 for rate in by_rank):
            raise ValueError(f"by_rank is {list(by_rank)}: give a probability for each rank")
        self.nodes = nodes
        # accepted[d][n]: the most expected accepted tokens with exactly n nodes in at most d
        # levels, if their common parent was reached; -inf if they do not fit
        self.accepted = [np.array([0.0] + [-np.inf] * nodes)]
        self._first: list[np.ndarray] = [np.zeros((len(by_rank), nodes + 1), dtype=int)]
        for _ in range(levels):
            best, first = _one_level_more(by_rank, self.accepted[-1])
            self.accepted.append(best)
            self._first.append(first)
            if np.array_equal(best, self.accepted[-2]):
                break  # this level changes nothing, so no further one does

    def tree(self, nodes: int, levels: int) -> Parents:
        """Return the best tree with exactly `nodes` nodes in at most `levels` levels."""
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
        """Yield one for each number of nodes and levels, except levels that improve nothing."""
        for deep in range(1, len(self.accepted)):
            gained = self.accepted[deep] > self.accepted[deep - 1] + ROUNDING
            for nodes in np.flatnonzero(gained).tolist():
                yield self.tree(nodes, deep)


def sequoia(by_rank: Sequence[float], nodes: int, levels: int | None = None) -> Parents:
    """Return the tree with the most expected tokens (`trees.expected_tokens`) of at most `nodes`
    nodes and `levels` levels; among equally good ones, one with the fewest nodes.

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
    """Return the best values of at most d + 1 levels from `below`, (n + 1,), those of at most d.

    The second array, (ranks, n + 1), is the size of the subtree at the child of each rank if
    that child and its later siblings share n nodes.
    """
    count = len(below)
    shared = np.arange(count)[:, None] - np.arange(count)  # nodes left for the siblings
    behind = np.array([0.0] + [-np.inf] * (count - 1))  # no ranks are left
    first = np.zeros((len(rates), count), dtype=int)
    for rank in reversed(range(len(rates))):
        child = np.full(count, -np.inf)  # by the number of nodes in its subtree
        fits = np.isfinite(below[:-1])
        child[1:][fits] = rates[rank] * (1 + below[:-1][fits])
        total = np.where(shared >= 0, child + behind[np.maximum(shared, 0)], -np.inf)
        first[rank] = total.argmax(axis=1)
        behind = total.max(axis=1)
        behind[0] = 0.0  # this rank may stay empty, too
    return behind, first


def path_values(parents: Sequence[int], confidences: Sequence[float]) -> tuple[float, ...]:
    """Return the product of the confidences along each node's path, its own included."""
    values = [1.0]  # the text's, then each node's
    for parent, confidence in zip(parents, confidences, strict=True):
        values.append(values[parent + 1] * float(confidence))
    return tuple(values[1:])


def rerank(values: Sequence[float], keep: int) -> tuple[int, ...]:
    """Return the places of the `keep` most valuable nodes, sorted; all if there are fewer.

    A value never rises along a path, so a node's ancestors are chosen with it; among equal
    values the first node is chosen, which is the parent.

    >>> rerank([0.1, 0.4, 0.2], 2)
    (1, 2)
    """
    order = sorted(range(len(values)), key=lambda place: -values[place])  # stable: first of equals
    return tuple(sorted(order[:keep]))


def restricted(parents: Sequence[int], places: Sequence[int]) -> Parents:
    """Return the shape of a tree reduced to the nodes at `places`, which are sorted and include
    the ancestors of each.

    >>> restricted((-1, -1, 0, 1), (1, 3))
    (-1, 0)
    """
    new = {-1: -1} | {place: i for i, place in enumerate(places)}
    return tuple(new[parents[place]] for place in places)
