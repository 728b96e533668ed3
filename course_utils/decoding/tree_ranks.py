"""What a tree of guesses brings, by the ranks of its children.

How often is the child of each rank accepted, given that its parent was reached?  Counted in
rounds, that is the `by_rank` of `trees.expected_tokens` and of `sequoia`.  The children behind a
node do not change its rate, so trees of any shapes can be counted together.
"""

from collections.abc import Iterable

from course_utils.decoding.contracts import Round
from course_utils.decoding.trees import chain, children, depths


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
