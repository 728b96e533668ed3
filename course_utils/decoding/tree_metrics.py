"""How often the child of each rank is accepted: counted in rounds, and exactly.

Both are P(the child of rank r is the accepted one | its parent was reached), the
`by_rank` of `trees.expected_tokens` and of `sequoia`.  The children behind a node do not
change its rate, so trees of any shapes can be counted together.
"""

from collections.abc import Callable, Iterable, Iterator

from course_utils.decoding.contracts import Round, Rows
from course_utils.decoding.rules import residual, without
from course_utils.decoding.trees import chain, children, depths

# (row, k) -> each outcome of drawing k candidates: its probability, the candidates and
# the row each was drawn from, None if chosen without chance
Outcomes = Callable[[Rows, int], Iterable[tuple[float, tuple[int, ...], tuple[Rows, ...] | None]]]


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


def accepted_by_rank(p: Rows, q: Rows, k: int, draw: Outcomes) -> tuple[float, ...]:
    """The same for one row p (vocabulary,) and k candidates from q, by enumeration.

    What recursive rejection does with each outcome of the draw: candidate r is accepted
    with probability min(1, left / its row), and left becomes the residual.  Costs the
    number of outcomes: for small vocabularies.
    """
    by_rank = [0.0] * k
    for weight, tokens, rows in draw(q, k):
        left = p
        for rank, token in enumerate(tokens):
            ratio = left[token] if rows is None else left[token] / rows[rank][token]
            accepted = min(1.0, float(ratio))
            by_rank[rank] += weight * accepted
            weight *= 1 - accepted
            left = without(left, token) if rows is None else residual(left, rows[rank])
    return tuple(by_rank)


def every_draw_with_replacement(row: Rows, k: int) -> Iterator[tuple]:
    """Independent draws: vocabulary^k outcomes.  An `Outcomes`."""
    return _every(row, k, lambda row, _: row)


def every_draw_without_replacement(row: Rows, k: int) -> Iterator[tuple]:
    """Each draw from what the others left; fewer than k if none is left.  An `Outcomes`."""
    return _every(row, k, lambda row, token: without(row, token) if row[token] < 1 else None)


def the_likeliest(row: Rows, k: int) -> Iterator[tuple]:
    """One outcome, the k most probable tokens, the first of equals first.  An `Outcomes`."""
    order = sorted(range(len(row)), key=lambda token: -row[token])
    yield 1.0, tuple(order[:k]), None


def _every(row: Rows | None, k: int, then: Callable) -> Iterator[tuple]:
    """Each first token, and behind it each outcome of k - 1 draws from then(row, token)."""
    if not k or row is None:
        yield 1.0, (), ()
        return
    for token in range(len(row)):
        if row[token] > 0:
            for weight, tokens, rows in _every(then(row, token), k - 1, then):
                yield float(row[token]) * weight, (token, *tokens), (row, *rows)
