"""Checks of this lesson: those on trees, masks and walks, here; those on heads in `head_checks`."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.contracts import Rows, Rule, Verdict
from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import sample
from course_utils.decoding.trees import chain, children, depths, star, widths
from course_utils.lessons.trees_and_heads.head_checks import (
    broken_runs,
    check_broken_runs,
    check_predicted_tau,
    check_unrolled_loss,
    predicted_tau,
    unrolled_loss,
)
from course_utils.lessons.trees_and_heads.one_round import DRAWS, judged
from course_utils.proofs.enumeration import Unrepeatable

__all__ = [
    "broken_runs",
    "check_ancestor_mask",
    "check_broken_runs",
    "check_placed",
    "check_predicted_tau",
    "check_unrolled_loss",
    "check_walk",
    "distances",
    "placed",
    "predicted_tau",
    "rule_of",
    "unrolled_loss",
    "walk",
]

# --- who sees whom in a tree, where it stands, what is kept ---------------------------

BINARY = widths((2, 2))
UNEVEN = (-1, -1, 0, 0, 2)  # the deepest node follows the third
MIXED = (-1, -1, -1, 0, 0, 2, 3, 5)
Parents = Sequence[int]


def ancestor_mask(parents: Parents) -> np.ndarray:
    """(n, n) of bool, may node i see node j: itself, and what its parent sees."""
    mask = np.eye(len(parents), dtype=bool)
    for i, parent in enumerate(parents):
        if parent >= 0:
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
    right=ancestor_mask,
    mistakes={
        "That is the causal mask of a chain: a node sees each one before it, so siblings see each "
        "other. A guess is judged as if its rival had been said.": (
            lambda parents: np.tri(len(parents), dtype=bool)
        ),
        "A node must see itself, too: its own key and value are in the cache.": (
            ("return mask", "return mask & ~np.eye(len(parents), dtype=bool)")
        ),
        "The parent is not enough: go on to the parent's parent, up to the text. Deep nodes of "
        "yours have forgotten how their path began.": (
            ("mask[i] |= mask[parent]", "mask[i, parent] = True")
        ),
        "Rows and columns are exchanged: row i says what node i sees. Yours lets a node see what "
        "comes after it.": ("return mask", "return mask.T"),
        "Not all nodes of an earlier level are ancestors: cousins stand on another path.": (
            ("mask[parent]", "np.less(depths(parents), depths(parents)[i])")
        ),
        "A parent of -1 is the text, no node: in Python place -1 is the last one.": (
            ("if parent >= 0", "if True")
        ),
        "`if parent` is false for 0, which is a node, and true for -1, which is the text: write "
        "`if parent >= 0`.": ("if parent >= 0", "if parent"),
    },
    form=_as_mask,
    insight="A chain's mask came out causal, a star's is the diagonal: both are trees.",
)


def placed(length: int, parents: Parents, last: int) -> tuple[list[int], list[int]]:
    """Positions of the nodes behind a text of `length` tokens, and the slots of the path to
    node `last`, in the order of the text."""
    positions = []
    for parent in parents:
        before = length - 1 if parent < 0 else positions[parent]
        positions.append(before + 1)
    slots = []
    while last >= 0:
        slots.insert(0, length + last)
        last = parents[last]
    return positions, slots


check_placed = Exercise(
    "placed",
    cases=[(10, chain(3), 1), (7, star(3), 2), (5, BINARY, 4), (20, UNEVEN, 4), (1, MIXED, 7)],
    right=placed,
    parts=("positions", "slots"),
    mistakes={
        "That is where a node lies in the cache. Where it stands in the text is something else: "
        "siblings are rivals for one position.": ("before + 1", "length + len(positions)"),
        "One too many: the text's own children stand right behind it, at position `length`, since "
        "positions are counted from 0.": ("length - 1 if", "length if"),
        "The parent of a root is -1, and in Python place -1 is the last node: its position is not "
        "known yet. A root stands at `length`.": (
            ("positions = []", "positions = [0] * len(parents)"),
            ("for parent in parents", "for place, parent in enumerate(parents)"),
            ("positions.append(before + 1)", "positions[place] = positions[parent] + 1"),
        ),
        "The text before the tree counts: a node's position is length + its depth.": (
            ("length - 1 if", "-1 if")
        ),
        "From the leaf back is the wrong way round: the text is read from the root.": (
            ("slots.insert(0, length + last)", "slots.append(length + last)")
        ),
        "These are places in the tree. In the cache the tree begins behind the text: add "
        "`length`.": ("length + last", "last"),
        "The accepted node alone is not enough: its ancestors were accepted as well.": (
            ("last = parents[last]", "break")
        ),
        "A path of so many nodes does not lie in the first so many slots: other guesses lie "
        "between.": ("positions, slots", "positions, [length + i for i in range(len(slots))]"),
        "The walk up ends at -1, which is the text and no node: slot length - 1 holds the text's "
        "last token.": ("positions, slots", "positions, [length - 1, *slots]"),
        "The path's last node is one of it.": ("positions, slots", "positions, slots[:-1]"),
    },
    insight="Position by depth, slot by order: the mask is what keeps the two apart.",
)


# --- a rule that walks down a tree ----------------------------------------------------

SHAPES = (widths((2, 1, 1)), 2), (star(3), 3)  # and the size of the vocabulary
DIGITS = 12  # digits of a distance


def walk(p: Rows, q: Rows, guesses: Sequence[int], parents: Sequence[int], uniforms) -> tuple:
    """-> (path, token): judge from the text down, at each node what is left of its row."""
    path, at = [], -1
    while True:
        left = p[at + 1]
        for node in children(parents)[at + 1]:
            x = guesses[node]
            if uniforms[node] < left[x] / q[node][x]:
                path.append(node)
                at = node
                break
            left = residual(left, q[node])
        else:
            return path, sample(left, uniforms[-1])


def certain_rows(p: Rows, guesses: Sequence[int]) -> np.ndarray:
    """One-hot rows of guesses that were chosen without chance."""
    return np.eye(np.shape(p)[-1])[list(guesses)]


def rule_of(attempt: Callable) -> Rule:
    """A student's walk as a rule for the loop."""

    def verify(p, q, drafted, uniforms, parents) -> Verdict:
        q = certain_rows(p, drafted) if q is None else q
        path, token = attempt(p, q, list(drafted), list(parents), uniforms)
        return Verdict(len(path), int(token), tuple(int(node) for node in path))

    return Rule("yours", verify, lossless=True, source="a student's", trees=True)


def distances(attempt: Callable) -> dict[str, float]:
    """Total variation between a round of a walk and the target's text, by the way of drawing; of
    two shapes the worse."""
    rule = rule_of(attempt)
    return {
        name: max(judged(rule, draw, *shape)[0] for shape in SHAPES) for name, draw in DRAWS.items()
    }


_DICE = np.random.default_rng(3)
_TREE_P = _DICE.dirichlet(np.ones(4), 9)
_TREE_Q = _DICE.dirichlet(np.ones(4), 5)[[0, 0, 0, 1, 2, 2, 3, 4]]  # siblings share a row
_PARENTS = (-1, -1, -1, 0, 1, 1, 3, 4)


def _ask(attempt: Callable, uniforms: Sequence[float] | None, guesses: Sequence[int]) -> object:
    """(path, token, distances) of a single tree; no uniforms: of every path of a round."""
    if uniforms is None:
        first = attempt(_TREE_P.copy(), _TREE_Q.copy(), [0] * 8, [*_PARENTS], [0.5] * 9)
        if _open(first):
            return first if first is None else ...
        try:
            return [], 0, [round(x, DIGITS) for x in distances(attempt).values()]
        except Unrepeatable:
            return "It draws random numbers of its own, or remembers: use `uniforms` only."
        except TypeError as error:
            if "Uniform" in str(error):
                return "Compare uniforms, or hand them to `sample`; do not calculate with them."
            raise
    answer = attempt(_TREE_P.copy(), _TREE_Q.copy(), list(guesses), [*_PARENTS], list(uniforms))
    if _open(answer):
        return answer if answer is None else ...
    if not isinstance(answer, tuple) or len(answer) != 2:
        return "Return two things: `return path, token`."
    path, token = answer
    return [int(node) for node in path], int(token), []


def _open(answer: object) -> bool:
    """Is the stub, or a part of it, still what it was?"""
    parts = answer if isinstance(answer, tuple) else (answer,)
    return answer is None or any(part is ... for part in parts)


def _refused(answer: object, *case: object) -> str | None:
    return answer if isinstance(answer, str) else None


def _told(answer: object, uniforms: object, guesses: object) -> str:
    path, token, found = answer
    if uniforms is None:
        worst = max(zip(found, DRAWS, strict=True))
        return (
            f"of a round: NAMED LOSSY. With guesses drawn {worst[1]} they are "
            f"{worst[0]:.3f} (total variation) from the target's."
        )
    wanted = walk(_TREE_P, _TREE_Q, guesses, _PARENTS, uniforms)
    return f"the answer is {wanted}, not {(path, token)}."


def _shown(uniforms: Sequence[float] | None, guesses: Sequence[int]) -> str:
    if uniforms is None:
        return "all paths"
    return f"guesses = {list(guesses)}, uniforms = {list(uniforms)}"


def _first_alike(node: int, guesses: Sequence[int], parents: Sequence[int]) -> int:
    """The first node of that level with the same token: where a known mistake goes on."""
    level = depths(parents)
    return next(i for i, x in enumerate(guesses) if x == guesses[node] and level[i] == level[node])


check_walk = Exercise(
    "walk",
    cases=[
        ([0.01] * 9, [0, 1, 2, 0, 1, 2, 3, 3]),  # first children only, then a bonus
        ([0.99, 0.99, 0.99, 0.5, 0.5, 0.5, 0.5, 0.5, 0.6], [2, 2, 0, 1, 0, 1, 3, 3]),
        ([0.99, 0.24, 0.66, 0.76, 0.69, 0.09, 0.29, 0.68, 0.26], [1, 3, 3, 1, 1, 2, 1, 2]),
        ([0.76, 0.34, 0.94, 0.45, 0.09, 0.44, 0.84, 0.19, 0.32], [2, 3, 2, 0, 0, 1, 3, 1]),
        ([0.95, 0.64, 0.89, 0.62, 0.95, 0.64, 0.98, 0.47, 0.15], [2, 3, 1, 2, 2, 1, 3, 2]),
        (None, ()),
    ],
    right=walk,
    mistakes={
        "NAMED LOSSY. The second child is judged by the whole row of p, though the first had its "
        "turn: tokens that were offered twice come too often. Go on with what the rejection has "
        "left.": ("left = residual(left, q[node])", "continue"),
        "NAMED LOSSY. Each child is judged by the parent's p, and only the correction is drawn "
        "from what is left. The second child's turn begins from what is left as well.": (
            ("left[x] / q[node][x]", "p[at + 1][x] / q[node][x]")
        ),
        "NAMED LOSSY. Where all were rejected you draw from the whole row: what was offered had "
        "its chance already. Draw from what is left.": ("sample(left,", "sample(p[at + 1],"),
        "NAMED LOSSY. The residual is taken of p each time, not of what the earlier siblings have "
        "left.": ("residual(left,", "residual(p[at + 1],"),
        "NAMED LOSSY. You strike out the rejected token. That is right for a guess made without "
        "chance; one that was drawn from q leaves the residual of q.": (
            ("residual(left, q[node])", "residual(left, np.eye(len(left))[x])")
        ),
        "NAMED LOSSY. Row `at` is the one BEFORE node `at` was said; p[0] is the one after the "
        "text, so the row after a node is p[node + 1].": (
            "left = p[at + 1]",
            "left = p[max(at, 0)]",
        ),
        "NAMED LOSSY. What is left belongs to one node: where a child is accepted, `left` begins "
        "anew with the row after it, p[child + 1]. You go on with what was left at its parent.": (
            ("path, at = [], -1", "path, at, left = [], -1, p[0]"),
            ("left = p[at + 1]", "pass"),
        ),
        "NAMED LOSSY. p[-1] is Python's last row. The row after the text is p[0], so where you "
        "stand at `at`, -1 for the text, it is p[at + 1].": ("left = p[at + 1]", "left = p[at]"),
        "Lossless, but no guess is ever accepted: you draw behind the text at once. (Where you "
        "stand at -1, children(parents)[-1] are those of the last node, which has none; the text's "
        "come first.)": ("children(parents)[at + 1]", "children(parents)[at]"),
        "NAMED LOSSY. You go on from a node with the accepted token, and there may be several: "
        "the same token on two paths. Go on from the very node that was accepted.": (
            ("at = node", "at = _first_alike(node, guesses, parents)")
        ),
        "The bonus is missing: after a leaf nothing was guessed, but the target's row is there. "
        "Its token costs nothing.": (
            "left = p[at + 1]",
            "left = p[at + 1]\n"
            "        if path and not children(parents)[at + 1]:\n"
            "            return path[:-1], guesses[at]",
        ),
        "Lossless, but you look at the text's children only. An accepted node has children of its "
        "own.": ("at = node", "return path, sample(p[node + 1], uniforms[-1])"),
        "Lossless, but the siblings never get their turn: you stop at the first rejection, as in a "
        "chain.": ("children(parents)[at + 1]", "children(parents)[at + 1][:1]"),
    },
    ask=_ask,
    form=_refused,
    told=_told,
    shown=_shown,
    insight="Walked along every path, for guesses drawn in three ways: always the target's text.",
)
