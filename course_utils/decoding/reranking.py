"""EAGLE-2: let this text's own confidences say which guesses are worth a place.

Li et al. 2024 (REFERENCES.md: li2024eagle2).  A node's value is the product of the
draft's confidences along its path, which is near the probability that it is accepted.
While the tree grows, only the most valuable nodes of the last level get children; when
it is grown, the most valuable nodes of all are submitted.  Where the confidences are the
acceptance probabilities, these bring the most expected tokens of all trees inside
the grown one: 1 + the sum of their values.

For guesses chosen without chance, such as the likeliest tokens of each row (q None): to
leave out a guess that was drawn, because of what it was, is lossy.
"""

from collections.abc import Sequence

from course_utils.decoding.trees import Parents, checked


def path_values(parents: Sequence[int], confidences: Sequence[float]) -> tuple[float, ...]:
    """The product of the confidences along each node's path, its own included.

    Raises:
        ValueError: another number of confidences than nodes, or one outside [0, 1].
    """
    parents = checked(parents)
    _check_length(confidences, parents, "confidences")
    values: list[float] = []
    for place, (parent, confidence) in enumerate(zip(parents, confidences, strict=True)):
        if not 0 <= confidence <= 1:
            raise ValueError(f"the confidence of node {place} is {confidence}, no probability")
        values.append(float(confidence) * (1.0 if parent < 0 else values[parent]))
    return tuple(values)


def expand(values: Sequence[float], width: int) -> tuple[int, ...]:
    """Which nodes of the last level get children: the `width` most valuable, in place order.

    >>> expand([0.1, 0.4, 0.2], 2)
    (1, 2)
    """
    return _largest(values, width)


def rerank(parents: Sequence[int], values: Sequence[float], keep: int) -> tuple[int, ...]:
    """The places of the `keep` most valuable nodes, in place order; all if there are fewer.

    A value never rises along a path, so with each node its ancestors are chosen; where
    values are equal, the node that stands first is chosen, which is the parent.

    Raises:
        ValueError: `keep` below 1, or a node more valuable than its parent: these are
            no products along paths.
    """
    parents = checked(parents)
    _check_length(values, parents, "values")
    for place, parent in enumerate(parents):
        if not values[place] <= (values[parent] if parent >= 0 else float("inf")):
            raise ValueError(
                f"node {place} is worth {values[place]}, its parent "
                f"{values[parent] if parent >= 0 else 'the text'}: give the product along each "
                "path (path_values), which never rises"
            )
    return _largest(values, keep)


def restricted(parents: Sequence[int], places: Sequence[int]) -> Parents:
    """The shape that is left of a tree if only the nodes at `places` stay.

    >>> restricted((-1, -1, 0, 1), (1, 3))
    (-1, 0)

    Raises:
        ValueError: places out of order, repeated or unknown, or a node without its parent.
    """
    parents = checked(parents)
    places = list(places)
    if places != sorted(set(places)) or not set(places) <= set(range(len(parents))):
        raise ValueError(
            f"places is {places!r:.60}: give some of 0 to {len(parents) - 1}, rising, each once"
        )
    new = {-1: -1} | {place: i for i, place in enumerate(places)}
    orphans = [place for place in places if parents[place] not in new]
    if orphans:
        raise ValueError(
            f"node {orphans[0]} stays without its parent, node {parents[orphans[0]]}: a target "
            "that has not seen the parent cannot judge it"
        )
    return tuple(new[parents[place]] for place in places)


def _largest(values: Sequence[float], count: int) -> tuple[int, ...]:
    if count < 1:
        raise ValueError(f"{count} nodes were asked for; ask for at least 1")
    order = sorted(range(len(values)), key=lambda place: -values[place])  # stable: first of equals
    return tuple(sorted(order[:count]))


def _check_length(given: Sequence[float], parents: Parents, what: str) -> None:
    if len(given) != len(parents):
        raise ValueError(f"{len(given)} {what} for {len(parents)} nodes: give one for each")
