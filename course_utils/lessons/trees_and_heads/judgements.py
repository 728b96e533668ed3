"""A round of recursive rejection, told again: each node that was judged, and by what numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from course_utils.decoding.contracts import Round, Rows
from course_utils.decoding.rules import residual, without
from course_utils.decoding.rules.chain import certain
from course_utils.decoding.sampling import sample
from course_utils.decoding.trees import children


@dataclass(frozen=True)
class Judgement:
    """One node that had its turn.

    node: its place among the drafted tokens.
    left: (vocabulary,), what the rejected nodes before it have left of p; p for the first.
    q: (vocabulary,), what it was drawn from; all on its token if it was chosen without chance.
    ratio: left over q at its token; uniform: the number that must be smaller.
    rest: the mass that a rejection leaves, sum(max(left - q, 0)); None if it was accepted.
    """

    node: int
    left: Rows
    q: Rows
    ratio: float
    uniform: float
    accepted: bool
    rest: float | None


@dataclass(frozen=True)
class Judged:
    """All of a round: `turns` in their order, and `left`, what the last token was drawn from."""

    turns: tuple[Judgement, ...]
    left: Rows

    @property
    def path(self) -> tuple[int, ...]:
        """Places of the accepted nodes, from the text on."""
        return tuple(turn.node for turn in self.turns if turn.accepted)


def parents_of(r: Round) -> tuple[int, ...]:
    """Those of its draft; a chain is a tree, too."""
    return tuple(range(-1, len(r.drafted) - 1)) if r.parents is None else r.parents


def judged(r: Round) -> Judged:
    """What `RECURSIVE_REJECTION` did in that round (course_utils/decoding/rules/trees.py).

    Raises:
        ValueError: another rule made the verdict, so these are not its numbers.
    """
    found = _told_again(r)
    accepted = tuple(range(r.verdict.accepted)) if r.verdict.path is None else r.verdict.path
    if found.path != accepted or sample(found.left, r.uniforms[-1]) != r.verdict.token:
        raise ValueError(
            f"round {r.index + 1} was not judged by recursive rejection, which accepts nodes "
            f"{found.path} and not {accepted}: generate it with rule=RECURSIVE_REJECTION"
        )
    return found


def _told_again(r: Round) -> Judged:
    following, at, turns = children(parents_of(r)), -1, []
    while True:
        left = r.p[at + 1]
        for i in following[at + 1]:
            turn = _turn(r, i, left)
            turns.append(turn)
            if turn.accepted:
                break
            left = without(left, r.drafted[i]) if r.q is None else residual(left, r.q[i])
        else:
            return Judged(tuple(turns), left)
        at = turns[-1].node


def _turn(r: Round, i: int, left: Rows) -> Judgement:
    x = r.drafted[i]
    q = certain(left[None], [x])[0] if r.q is None else r.q[i]
    ratio = float(left[x] if r.q is None else left[x] / q[x])
    accepted = bool(r.uniforms[i] < ratio)
    rest = None if accepted else float((left - q).clip(min=0).sum())
    return Judgement(i, left, q, ratio, float(r.uniforms[i]), accepted, rest)


def first_path(parents: Sequence[int]) -> tuple[int, ...]:
    """The nodes of rank 0 from the text to a leaf: the chain that the draft would have been.

    >>> first_path((-1, -1, 0, 0, 1))
    (0, 2)
    """
    following, path = children(parents), []
    while after := following[path[-1] + 1 if path else 0]:
        path.append(after[0])
    return tuple(path)
