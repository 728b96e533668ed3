"""The check of this lesson's main build: a rule that walks down a tree.

Single trees first, each of which gives a mistake away.  Then the student's walk is the rule
of a whole round, on a pair of tables, along every path: the exact distance from the target's
text, with guesses drawn with replacement, without, and chosen without chance.
"""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.contracts import Rows, Rule, Verdict
from course_utils.decoding.rules import residual, without
from course_utils.decoding.sampling import sample
from course_utils.decoding.trees import children, depths, star, widths
from course_utils.lessons.trees_and_heads.one_round import DRAWS, judged
from course_utils.proofs.enumeration import Unrepeatable

SHAPES = (widths((2, 1, 1)), 2), (star(3), 3)  # and the size of the vocabulary
ROUNDING = 12  # digits of a distance


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


_RNG = np.random.default_rng(3)
_P = _RNG.dirichlet(np.ones(4), 9)
_Q = _RNG.dirichlet(np.ones(4), 5)[[0, 0, 0, 1, 2, 2, 3, 4]]  # siblings share a row
_PARENTS = (-1, -1, -1, 0, 1, 1, 3, 4)


def _ask(attempt: Callable, uniforms: Sequence[float] | None, guesses: Sequence[int]) -> object:
    """(path, token, distances) of a single tree; no uniforms: of every path of a round."""
    if uniforms is None:
        first = attempt(_P.copy(), _Q.copy(), [0] * 8, [*_PARENTS], [0.5] * 9)
        if _open(first):
            return first if first is None else ...
        try:
            return [], 0, [round(x, ROUNDING) for x in distances(attempt).values()]
        except Unrepeatable:
            return "It draws random numbers of its own, or remembers: use `uniforms` only."
        except TypeError as error:
            if "Uniform" in str(error):
                return "Compare uniforms, or hand them to `sample`; do not calculate with them."
            raise
    answer = attempt(_P.copy(), _Q.copy(), list(guesses), [*_PARENTS], list(uniforms))
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
    wanted = walk(_P, _Q, guesses, _PARENTS, uniforms)
    return f"the answer is {wanted}, not {(path, token)}."


def _shown(uniforms: Sequence[float] | None, guesses: Sequence[int]) -> str:
    if uniforms is None:
        return "all paths"
    return f"guesses = {list(guesses)}, uniforms = {list(uniforms)}"


# --- known mistakes, as what a student could hand in -----------------------------------


def _variant(
    row: Callable = lambda at: at + 1,
    below: Callable = lambda at: at + 1,
    rest: Callable = lambda left, p, q, x: residual(left, q),
    ratio: Callable = lambda left, p, q, x: left[x] / q[x],
    going_on: Callable = lambda node, guesses, parents: node,
    corrected: Callable = lambda left, p: left,
    leaf: bool = True,
) -> Callable:
    """`walk` with one of its decisions made otherwise."""

    def attempt(p, q, guesses, parents, uniforms):
        path, at = [], -1
        while True:
            own = p[row(at)]
            left, following = own, children(parents)[below(at)]
            if path and not following and not leaf:
                return path[:-1], guesses[path[-1]]
            for node in following:
                x = guesses[node]
                if uniforms[node] < ratio(left, own, q[node], x):
                    path.append(node)
                    at = going_on(node, guesses, parents)
                    break
                left = rest(left, own, q[node], x)
            else:
                return path, sample(corrected(left, own), uniforms[-1])

    return attempt


def _first_with_the_token(node: int, guesses: Sequence[int], parents: Sequence[int]) -> int:
    level = depths(parents)
    return next(i for i, x in enumerate(guesses) if x == guesses[node] and level[i] == level[node])


def _once(p, q, guesses, parents, uniforms):
    """Judges the text's children only."""
    left = p[0]
    for node in children(parents)[0]:
        if uniforms[node] < left[guesses[node]] / q[node][guesses[node]]:
            return [node], sample(p[node + 1], uniforms[-1])
        left = residual(left, q[node])
    return [], sample(left, uniforms[-1])


def _never_anew(p, q, guesses, parents, uniforms):
    """Begins with the text's row and keeps what is left of it at the nodes further down."""
    path, at, left = [], -1, p[0]
    while True:
        for node in children(parents)[at + 1]:
            if uniforms[node] < left[guesses[node]] / q[node][guesses[node]]:
                path.append(node)
                at = node
                break
            left = residual(left, q[node])
        else:
            return path, sample(left, uniforms[-1])


def _first_path_only(p, q, guesses, parents, uniforms):
    """Gives up where the first child is rejected."""
    path, at = [], -1
    while following := children(parents)[at + 1]:
        node = following[0]
        if not uniforms[node] < p[at + 1][guesses[node]] / q[node][guesses[node]]:
            return path, sample(residual(p[at + 1], q[node]), uniforms[-1])
        path.append(node)
        at = node
    return path, sample(p[at + 1], uniforms[-1])


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
        "left.": _variant(rest=lambda left, p, q, x: left, corrected=lambda left, p: left),
        "NAMED LOSSY. Each child is judged by the parent's p, and only the correction is drawn "
        "from what is left. The second child's turn begins from what is left as well.": _variant(
            ratio=lambda left, p, q, x: p[x] / q[x]
        ),
        "NAMED LOSSY. Where all were rejected you draw from the whole row: what was offered had "
        "its chance already. Draw from what is left.": _variant(corrected=lambda left, p: p),
        "NAMED LOSSY. The residual is taken of p each time, not of what the earlier siblings have "
        "left.": _variant(rest=lambda left, p, q, x: residual(p, q)),
        "NAMED LOSSY. You strike out the rejected token. That is right for a guess made without "
        "chance; one that was drawn from q leaves the residual of q.": _variant(
            rest=lambda left, p, q, x: without(left, x)
        ),
        "NAMED LOSSY. Row `at` is the one BEFORE node `at` was said; p[0] is the one after the "
        "text, so the row after a node is p[node + 1].": _variant(row=lambda at: max(at, 0)),
        "NAMED LOSSY. What is left belongs to one node: where a child is accepted, `left` begins "
        "anew with the row after it, p[child + 1]. You go on with what was left at its parent.": (
            _never_anew
        ),
        "NAMED LOSSY. p[-1] is Python's last row. The row after the text is p[0], so where you "
        "stand at `at`, -1 for the text, it is p[at + 1].": _variant(row=lambda at: at),
        "Lossless, but no guess is ever accepted: you draw behind the text at once. (Where you "
        "stand at -1, children(parents)[-1] are those of the last node, which has none; the text's "
        "come first.)": _variant(below=lambda at: at),
        "NAMED LOSSY. You go on from a node with the accepted token, and there may be several: "
        "the same token on two paths. Go on from the very node that was accepted.": _variant(
            going_on=_first_with_the_token
        ),
        "The bonus is missing: after a leaf nothing was guessed, but the target's row is there. "
        "Its token costs nothing.": _variant(leaf=False),
        "Lossless, but you look at the text's children only. An accepted node has children of its "
        "own.": _once,
        "Lossless, but the siblings never get their turn: you stop at the first rejection, as in a "
        "chain.": _first_path_only,
    },
    ask=_ask,
    form=_refused,
    told=_told,
    shown=_shown,
    insight="Walked along every path, for guesses drawn in three ways: always the target's text.",
)
