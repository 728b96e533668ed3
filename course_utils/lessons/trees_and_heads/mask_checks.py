"""The checks of the first two builds: who sees whom in a tree, where it stands, what is kept."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.trees import ancestors, chain, depths, paths, star, widths

BINARY = widths((2, 2))
UNEVEN = (-1, -1, 0, 0, 2)  # the deepest node follows the third
MIXED = (-1, -1, -1, 0, 0, 2, 3, 5)
Parents = Sequence[int]


def _rows(parents: Parents, sees: Callable[[int, int], bool]) -> np.ndarray:
    """A mask of a rule sees(i, j) that knows places only."""
    n = range(len(parents))
    return np.array([[sees(i, j) for j in n] for i in n], dtype=bool)


def _below_the_level(parents: Parents) -> np.ndarray:
    """A student who lets a node see all of the levels before its own."""
    deep = depths(parents)
    return _rows(parents, lambda i, j: i == j or deep[j] < deep[i])


def _children_of_0_forget(parents: Parents) -> np.ndarray:
    """A student whose `if parent:` is false for node 0 and true for -1, the last node."""
    mask = np.eye(len(parents), dtype=bool)
    for i, parent in enumerate(parents):
        if parent:
            mask[i] |= mask[parent]
    return mask


def _as_mask(answer: object, parents: Parents) -> str | None:
    n = len(parents)
    if np.shape(answer) != (n, n):
        return f"A tree of {n} nodes needs {n} rows of {n}; yours has the shape {np.shape(answer)}."
    return None


check_ancestor_mask = Exercise(
    "ancestor_mask",
    cases=[(chain(3),), (star(3),), (BINARY,), (UNEVEN,), (MIXED,)],
    right=ancestors,
    mistakes={
        "That is the causal mask of a chain: a node sees each one before it, so siblings see each "
        "other. A guess is judged as if its rival had been said.": (
            lambda parents: _rows(parents, lambda i, j: j <= i)
        ),
        "A node must see itself, too: its own key and value are in the cache.": (
            lambda parents: ancestors(parents) & ~np.eye(len(parents), dtype=bool)
        ),
        "The parent is not enough: go on to the parent's parent, up to the text. Deep nodes of "
        "yours have forgotten how their path began.": (
            lambda parents: _rows(parents, lambda i, j: j in (i, parents[i]))
        ),
        "Rows and columns are exchanged: row i says what node i sees. Yours lets a node see what "
        "comes after it.": lambda parents: ancestors(parents).T,
        "Not all nodes of an earlier level are ancestors: cousins stand on another path.": (
            _below_the_level
        ),
        "A parent of -1 is the text, no node: in Python place -1 is the last one.": (
            lambda parents: _rows(
                parents, lambda i, j: ancestors(parents)[i, j] or (j == len(parents) - 1)
            )
        ),
        "`if parent` is false for 0, which is a node, and true for -1, which is the text: write "
        "`if parent >= 0`.": _children_of_0_forget,
    },
    form=_as_mask,
    insight="A chain's mask came out causal, a star's is the diagonal: both are trees.",
)


def placed(length: int, parents: Parents, last: int) -> tuple[list[int], list[int]]:
    """Positions of the nodes behind a text of `length` tokens, and the slots of the path to
    node `last`, in the order of the text."""
    positions = [length + depth for depth in depths(parents)]
    return positions, [length + place for place in paths(parents)[last]]


def _other(
    position: Callable = lambda length, depth, place: length + depth,
    slots: Callable = lambda length, path: [length + place for place in path],
) -> Callable:
    """`placed` with another position of a node, or other slots of a path."""

    def attempt(length: int, parents: Parents, last: int) -> tuple[list[int], list[int]]:
        deep = depths(parents)
        positions = [position(length, deep[place], place) for place in range(len(parents))]
        return positions, slots(length, list(paths(parents)[last]))

    return attempt


def _positions_by_wrapping(length: int, parents: Parents, last: int) -> tuple[list, list]:
    """A student who fills a list of zeros and reads the parent of a root in it."""
    positions = [0] * len(parents)
    for place, parent in enumerate(parents):
        positions[place] = positions[parent] + 1
    return positions, placed(length, parents, last)[1]


check_placed = Exercise(
    "placed",
    cases=[(10, chain(3), 1), (7, star(3), 2), (5, BINARY, 4), (20, UNEVEN, 4), (1, MIXED, 7)],
    right=placed,
    parts=("positions", "slots"),
    mistakes={
        "That is where a node lies in the cache. Where it stands in the text is something else: "
        "siblings are rivals for one position.": _other(
            position=lambda length, depth, place: length + place
        ),
        "One too many: the text's own children stand right behind it, at position `length`, since "
        "positions are counted from 0.": _other(
            position=lambda length, depth, place: length + depth + 1
        ),
        "The parent of a root is -1, and in Python place -1 is the last node: its position is not "
        "known yet. A root stands at `length`.": _positions_by_wrapping,
        "The text before the tree counts: a node's position is length + its depth.": _other(
            position=lambda length, depth, place: depth
        ),
        "From the leaf back is the wrong way round: the text is read from the root.": _other(
            slots=lambda length, path: [length + place for place in reversed(path)]
        ),
        "These are places in the tree. In the cache the tree begins behind the text: add "
        "`length`.": _other(slots=lambda length, path: path),
        "The accepted node alone is not enough: its ancestors were accepted as well.": _other(
            slots=lambda length, path: [length + path[-1]]
        ),
        "A path of so many nodes does not lie in the first so many slots: other guesses lie "
        "between.": _other(slots=lambda length, path: [length + i for i in range(len(path))]),
        "The walk up ends at -1, which is the text and no node: slot length - 1 holds the text's "
        "last token.": _other(slots=lambda length, path: [length + place for place in (-1, *path)]),
        "The path's last node is one of it.": _other(
            slots=lambda length, path: [length + place for place in path[:-1]]
        ),
    },
    insight="Position by depth, slot by order: the mask is what keeps the two apart.",
)
