"""What a tree of guesses brings and what it costs, and whether it is faster than a chain.

It brings what its ranks do: how often the child of each rank is accepted, given that its parent was
reached, counted in rounds; the `by_rank` of `trees.expected_tokens` and of
`sequoia`.  The children behind a node do not change its rate, so trees of any shapes can be counted
together.

A tree brings more tokens per round than a chain of as many nodes if a wrong first guess
is likely.  It needs fewer passes of the draft, but the target's pass over it is as
dear as one over a chain of as many nodes: v(nodes + 1).  Letters as in `theory`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from course_utils.decoding.contracts import Round
from course_utils.decoding.optimal_trees import Optima
from course_utils.decoding.trees import Parents, chain, checked, children, depths, expected_tokens

Passes = Callable[[Parents], tuple[int, ...]]


def rank_counts(
    rounds: Iterable[Round], most: int, depth: int | None = None
) -> list[tuple[int, int]]:
    """(accepted, reached) for the ranks 0 to `most` - 1.

    A child counts as reached if its parent was: the text always is, a node if it was
    accepted.  That a sibling before it was accepted does not take it out.

    Args:
        depth: count only the children at this depth, 0 for those of the text.
    """
    accepted, reached = [0] * most, [0] * most
    for r in rounds:
        parents = chain(len(r.drafted)) if r.parents is None and r.drafted else r.parents or ()
        path = range(r.verdict.accepted) if r.verdict.path is None else r.verdict.path
        offered, deep, taken = children(parents), depths(parents), set(path)
        for parent in (-1, *path):
            for rank, child in enumerate(offered[parent + 1][:most]):
                if depth in (None, deep[child]):
                    reached[rank] += 1
                    accepted[rank] += child in taken
    return list(zip(accepted, reached, strict=True))


def acceptance_by_rank(
    rounds: Iterable[Round], most: int, depth: int | None = None
) -> list[float | None]:
    """P(the child of rank r is the accepted one | its parent was reached), r = 0 to `most` - 1.

    None where no child of that rank was ever reached; `rank_counts` says from how many.
    """
    counts = rank_counts(rounds, most, depth)
    return [accepted / reached if reached else None for accepted, reached in counts]


def flat(tokens: int) -> float:
    """A pass over several tokens costs what one over a single token does."""
    return 1.0


def draft_passes(parents: Sequence[int]) -> tuple[int, ...]:
    """How many tokens a draft model is fed in each of its passes to draft this tree.

    The last token of the text in the first; after that, level by level, the nodes that
    have children.  A chain of n takes n passes over one token, a star one pass.

    >>> draft_passes((-1, -1, 0, 1, 2))
    (1, 2, 1)
    """
    parents = checked(parents)
    deep, inner = depths(parents), set(parents) - {-1}
    fed = [0] * (max(deep, default=-1) + 1)
    for place, depth in enumerate(deep):
        fed[depth] += place in inner
    return (1, *fed[:-1]) if parents else ()


def one_pass(parents: Sequence[int]) -> tuple[int, ...]:
    """For heads that guess all levels at once, whatever was guessed at the level before."""
    return (1,) if parents else ()


def tree_speedup(
    tokens: float, nodes: int, passes: Sequence[int], c: float, v: Callable[[int], float],
    o: float = 0.0, v_d: Callable[[int], float] = flat,
) -> float:  # fmt: skip
    """tokens / (sum of c v_d(w) over the draft's passes + v(nodes + 1) + o).

    For a chain, `theory.speedup_with_costs`.

    Args:
        tokens: per round, expected or measured.
        passes: the tokens in each pass of the draft, w, as `draft_passes` gives them.
        c: the draft's time for one token over the target's.
        v: the target's time for k tokens in one pass over its time for one.
        o: host time a round over the target's time for one token.
        v_d: the draft's time for w tokens in one pass over its time for one.
    """
    return tokens / (sum(c * v_d(width) for width in passes) + v(nodes + 1) + o)


@dataclass(frozen=True)
class Priced:
    """A shape, the tokens per round expected of it and the speedup that follows."""

    parents: Parents
    tokens: float
    speedup: float


@dataclass(frozen=True)
class Choice:
    """The fastest shape of all, which may be a chain, and the fastest chain."""

    best: Priced
    chain: Priced

    @property
    def chain_wins(self) -> bool:
        return self.best.parents == self.chain.parents

    @property
    def gain(self) -> float:
        """How much faster the best shape is than the best chain; 1 if it is that chain."""
        return self.best.speedup / self.chain.speedup


def best_tree(
    by_rank: Sequence[float], c: float, v: Callable[[int], float], o: float = 0.0, *,
    most_nodes: int, most_levels: int | None = None,
    v_d: Callable[[int], float] = flat, passes: Passes = draft_passes,
) -> Choice:  # fmt: skip
    """Sequoia's trees of all sizes against the chains, all at the same costs.

    With a flat `v_d`, and a v that never falls, nothing is faster than `best`: the cost
    then depends on nodes and levels only, and for each pair the tree with the most tokens
    is tried.  Else it is the fastest of those that were tried.  Its speedup may be below
    1: then draft nothing.

    Args:
        by_rank: P(the child of rank r is the accepted one | its parent was reached).
        passes: those of the draft; `one_pass` for heads.

    Raises:
        ValueError: a rate that is no probability, or a limit below 1.
    """

    def priced(parents: Parents) -> Priced:
        tokens = expected_tokens(parents, by_rank)
        fed = passes(parents)
        return Priced(parents, tokens, tree_speedup(tokens, len(parents), fed, c, v, o, v_d))

    optima = Optima(by_rank, most_nodes, most_levels)
    longest = most_nodes if most_levels is None else min(most_nodes, most_levels)
    fastest = max((priced(chain(n)) for n in range(1, longest + 1)), key=_speed)
    trees = map(priced, optima.trees())
    return Choice(best=max((fastest, *trees), key=_speed), chain=fastest)


def _speed(priced: Priced) -> float:
    return priced.speedup
