"""The shape of a tree of guesses: each node's parent, and the expected tokens of a shape.

A shape is `parents`, as in `Draft`: parents[i] is the place of the node that node i
follows, -1 for the text.  Nodes are in breadth-first order: level by level, with the
children of a node side by side, in the order in which they are judged.

    >>> widths((2, 2))  # two guesses for the next position, two after each of them
    (-1, -1, 0, 0, 1, 1)

A chain is a tree, too.  Left out: the tokens at the nodes.
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import index

import numpy as np

from course_utils.decoding.whole_numbers import whole_number

Parents = tuple[int, ...]


def chain(nodes: int) -> Parents:
    """Return the tree in which each node follows the last one: chain(3) -> (-1, 0, 1)."""
    return widths((1,) * nodes)


def star(nodes: int) -> Parents:
    """Return `nodes` candidates for the position after the text: star(3) -> (-1, -1, -1)."""
    return widths((nodes,))


def widths(children: Sequence[int]) -> Parents:
    """Return the tree in which each node of level i has children[i] children; the text is level 0.

    SpecInfer writes trees this way: widths((4, 2, 1)) has 20 nodes (REFERENCES.md: specinfer2024).

    Raises:
        ValueError: a number of children that is not a whole number of at least 1.
    """
    parents: list[int] = []
    level = [-1]
    for width in children:
        count = whole_number("the number of a node's children", width, 1)
        begin = len(parents)
        parents.extend(node for node in level for _ in range(count))
        level = list(range(begin, len(parents)))
    return tuple(parents)


def checked_parents(parents: Sequence[int]) -> Parents:
    """Return `parents` as a tuple of ints.

    Raises:
        ValueError: a parent that is not a whole number or not an earlier node, or nodes that
            are not in breadth-first order; names the node.
    """
    try:
        places = tuple(map(index, parents))
    except TypeError:
        raise ValueError(
            f"parents is {parents!r:.60}: give the place of each node's parent, -1 for the text"
        ) from None
    for place, parent in enumerate(places):
        if not -1 <= parent < place:
            raise ValueError(
                f"node {place} has parent {parent}: give the place of an earlier node, "
                "or -1 for the text"
            )
        if place and parent < places[place - 1]:
            raise ValueError(
                f"node {place} follows node {parent}, but the one before it follows node "
                f"{places[place - 1]}: put the nodes in breadth-first order, level by level, "
                "with the children of a node side by side"
            )
    return places


def depths(parents: Sequence[int]) -> tuple[int, ...]:
    """Return the number of nodes between each node and the text: 0 for the text's children.

    A node's position is the text's length plus its depth.
    """
    return tuple(len(path) - 1 for path in paths(parents))


def levels(parents: Sequence[int]) -> int:
    """Return the number of nodes on the longest path: chain(3) -> 3"""
    return max(map(len, paths(parents)), default=0)


def ranks(parents: Sequence[int]) -> tuple[int, ...]:
    """Return which child of its parent each node is: 0 for the one judged first."""
    parents = checked_parents(parents)
    return tuple(place - parents.index(parent) for place, parent in enumerate(parents))


def children(parents: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the children of the text, then those of each node, in the order of p: n + 1 tuples.

    >>> children((-1, -1, 0))
    ((0, 1), (2,), (), ())
    """
    following: list[list[int]] = [[] for _ in range(len(parents) + 1)]
    for place, parent in enumerate(checked_parents(parents)):
        following[parent + 1].append(place)
    return tuple(map(tuple, following))


def paths(parents: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the places on the path to each node, the node itself last.

    >>> paths((-1, -1, 0))
    ((0,), (1,), (0, 2))
    """
    ways: list[tuple[int, ...]] = [()]  # the text's, then each node's
    for place, parent in enumerate(checked_parents(parents)):
        ways.append((*ways[parent + 1], place))
    return tuple(ways[1:])


def ancestors(parents: Sequence[int]) -> np.ndarray:
    """Return the tree's attention mask, (n, n) of bool: may node i (row) see node j (column)?

    A node sees itself and its ancestors, and also the text, which the mask leaves out.
    A chain's mask is the causal one (REFERENCES.md: specinfer2024).
    """
    mask = np.zeros((len(parents), len(parents)), dtype=bool)
    for place, path in enumerate(paths(parents)):
        mask[place, list(path)] = True
    return mask


def expected_tokens(parents: Sequence[int], by_rank: Sequence[float]) -> float:
    """Tokens per round: 1 + for each node the product of by_rank[rank] along its path.

    by_rank[r] is the probability that the child of rank r is the accepted one, given that
    its parent was reached; 0 for ranks beyond the list.  Sequoia assumes that it depends on
    nothing else (REFERENCES.md: chen2024sequoia).  With one rank that is the i.i.d. assumption
    of `speedup.expected_tokens`: a chain gives the same number.
    """
    reached = [1.0]  # the text, then each node
    for parent, rank in zip(parents, ranks(parents), strict=True):
        reached.append(reached[parent + 1] * (by_rank[rank] if rank < len(by_rank) else 0.0))
    return float(sum(reached))


def tree_places(length: int, new: int, parents: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return positions (new,) and a mask (new, length + new), True where a new token sees a slot.

    In the cache, nodes are stored one after the other.  The mask and the shared position of
    siblings make them a tree (REFERENCES.md: specinfer2024, tree attention).

    Args:
        length: slots in use before the pass.
        new: tokens of the pass, in the slots after those.
        parents: the parents of the tree in the last slots; earlier slots hold the text.
    """
    total = length + new
    base = total - len(parents)  # the text ends here
    depth, ancestry = _shape(tuple(parents))
    slots = np.arange(length, total)
    positions = np.where(slots < base, slots, base + depth[np.maximum(slots - base, 0)])
    mask = np.arange(total) <= slots[:, None]
    own = max(0, base - length)  # the number of new tokens that are text
    mask[own:, base:] = ancestry[own + length - base :]
    return positions, mask


@lru_cache(maxsize=64)  # a fixed shape is used in every round
def _shape(parents: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(depths(parents), int), ancestors(parents)
