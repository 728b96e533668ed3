"""The shape of a tree of guesses: who follows whom, and what a shape is worth.

A shape is `parents`, as in `Draft`: parents[i] is the place of the node that node i
follows, -1 for the text.  Nodes stand in breadth-first order: level by level, and the
children of a node side by side, in the order in which they are judged.

    >>> widths((2, 2))  # two guesses for the next position, two after each of them
    (-1, -1, 0, 0, 1, 1)

A chain is a tree, too.  Left out: which tokens stand at the nodes.
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import index

import numpy as np

Parents = tuple[int, ...]


def chain(nodes: int) -> Parents:
    """Each node after the one before: chain(3) -> (-1, 0, 1)."""
    return widths((1,) * _checked_count(nodes, "nodes"))


def star(nodes: int) -> Parents:
    """All of them candidates for the position after the text: star(3) -> (-1, -1, -1)."""
    return (-1,) * _checked_count(nodes, "nodes")


def widths(children: Sequence[int]) -> Parents:
    """The tree in which every node of level i has children[i] children; the text is level 0.

    widths((4, 2, 1)) has 4 + 8 + 8 = 20 nodes, which is SpecInfer's way to write a tree
    (REFERENCES.md: specinfer2024).

    Raises:
        ValueError: a number of children that is no whole number, or is below 1.
    """
    parents, level = [], [-1]
    for width in children:
        width = _checked_count(width, "a level's number of children")
        parents.extend(node for node in level for _ in range(width))
        level = list(range(len(parents) - len(level) * width, len(parents)))
    return tuple(parents)


def checked(parents: Sequence[int]) -> Parents:
    """`parents` as a tuple of ints.

    Raises:
        ValueError: a parent that is no whole number or no earlier node, or nodes that are
            not in breadth-first order; says which.
    """
    try:
        places = tuple(index(parent) for parent in parents)
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
                f"node {place} follows {_named(parent)}, but node {place - 1} before it follows "
                f"{_named(places[place - 1])}: put the nodes in breadth-first order, level by "
                "level, children of one node side by side"
            )
    return places


def depths(parents: Sequence[int]) -> tuple[int, ...]:
    """How many nodes stand between each node and the text: 0 for the text's own children.

    A node's position is the text's length plus its depth.
    """
    found: list[int] = []
    for parent in checked(parents):
        found.append(0 if parent < 0 else found[parent] + 1)
    return tuple(found)


def levels(parents: Sequence[int]) -> int:
    """Nodes on the longest path: the most tokens that can be accepted.  chain(3) -> 3"""
    return max(depths(parents), default=-1) + 1


def ranks(parents: Sequence[int]) -> tuple[int, ...]:
    """Which child of its parent each node is: 0 for the one that is judged first."""
    parents = checked(parents)
    return tuple(place - parents.index(parent) for place, parent in enumerate(parents))


def children(parents: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The children of the text, then those of each node, as the rows of p stand: n + 1 tuples.

    >>> children((-1, -1, 0))
    ((0, 1), (2,), (), ())
    """
    found: list[list[int]] = [[] for _ in range(len(parents) + 1)]
    for place, parent in enumerate(checked(parents)):
        found[parent + 1].append(place)
    return tuple(map(tuple, found))


def paths(parents: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The places from the text to each node, the node itself last.

    >>> paths((-1, -1, 0))
    ((0,), (1,), (0, 2))
    """
    found: list[tuple[int, ...]] = []
    for place, parent in enumerate(checked(parents)):
        found.append((*(() if parent < 0 else found[parent]), place))
    return tuple(found)


def ancestors(parents: Sequence[int]) -> np.ndarray:
    """The tree's attention mask, (n, n) of bool: may node i (row) see node j (column)?

    A node sees itself, its parent, its parent's parent; and the text, which is not shown.
    A chain's mask is the causal one (REFERENCES.md: specinfer2024).
    """
    parents = checked(parents)
    mask = np.eye(len(parents), dtype=bool)
    for place, parent in enumerate(parents):
        if parent >= 0:
            mask[place] |= mask[parent]
    return mask


def expected_tokens(parents: Sequence[int], by_rank: Sequence[float]) -> float:
    """Tokens per round: 1 + for each node the product of by_rank[rank] along its path.

    by_rank[r] is the probability that the child of rank r is the accepted one, given that
    its parent was reached; 0 for ranks beyond the list.  That it depends on nothing else
    is Sequoia's assumption (REFERENCES.md: chen2024sequoia).  With one rank it is the
    i.i.d. assumption of `theory.expected_tokens`: a chain gives the same number.
    """
    rates = checked_rates(by_rank)
    reached: list[float] = []
    for parent, rank in zip(parents, ranks(parents), strict=True):
        before = 1.0 if parent < 0 else reached[parent]
        reached.append(before * (rates[rank] if rank < len(rates) else 0.0))
    return 1.0 + float(sum(reached))


def checked_rates(by_rank: Sequence[float]) -> tuple[float, ...]:
    """`by_rank` as a tuple of floats.

    Raises:
        ValueError: a rate that is not known (None) or no probability.
    """
    for rank, rate in enumerate(by_rank):
        if rate is None or not 0 <= rate <= 1:
            raise ValueError(
                f"by_rank[{rank}] is {rate}: give a probability, and end the list before the "
                "first rank that is not known"
            )
    return tuple(map(float, by_rank))


def _named(place: int) -> str:
    return "the text" if place < 0 else f"node {place}"


def _checked_count(count: int, what: str) -> int:
    if not hasattr(count, "__index__") or count < 1:
        raise ValueError(f"{what} is {count!r}; give a whole number, at least 1")
    return index(count)


def tree_places(length: int, new: int, parents: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Positions (new,) and a mask (new, length + new), True where a new token sees a slot.

    For a pass of a transformer.  In the cache the nodes of a tree lie one behind the other, in
    slots.  What makes a tree of them is the mask, and that siblings have one position: the text's
    length plus their depth (REFERENCES.md: specinfer2024, tree attention).

    Args:
        length: slots in use before the pass.
        new: tokens of the pass, in the slots after those.
        parents: of the tree that the last slots then are; earlier ones hold the text.
    """
    total = length + new
    base = total - len(parents)  # the text ends here
    depths, ancestors = _family(tuple(parents))
    slots = np.arange(length, total)
    positions = np.where(slots < base, slots, base + depths[np.maximum(slots - base, 0)])
    seen = np.arange(total) <= slots[:, None]
    own = max(0, base - length)  # so many of the new tokens are text
    seen[own:, base:] = ancestors[own + length - base :]
    return positions, seen


@lru_cache(maxsize=64)  # a shape that was fixed before comes again each round
def _family(parents: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(depths(parents), int), ancestors(parents)
