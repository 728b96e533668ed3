"""The checks of the cost line: fitted to somebody's table, and what it explains."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.engines.published import TABLES, CostLine, Table, fit

Case = tuple[float, Sequence[int], Sequence[float], Sequence[float]]


def fit_cost_line(
    plain: float, lengths: Sequence[int], tokens: Sequence[float], times: Sequence[float]
) -> dict:
    """T(K) = a + cK with the least squares: "a", "c", and by that line the "best" K.

    Args:
        plain: milliseconds per token without a draft.
        lengths, tokens, times: K, tokens per round and milliseconds per token.

    Returns: a and c in plain passes; of the K's in the table the one whose time per token is
    the least, computed from a, c and the tokens per round.
    """
    found = fit(Table("the table", "", "", plain, tuple(lengths), tuple(tokens), tuple(times)))
    return {"a": found.line.a, "c": found.line.c, "best": found.best}


def _line(
    rounds: Callable = lambda plain, n, t: t * n / plain,
    at: Callable = lambda k: k,
    through: Callable = lambda k, taken: np.polyfit(k, taken, 1),
) -> Callable[..., dict]:
    """A fit that takes other rounds, other lengths or another line; the best K by that line."""

    def attempt(plain: float, lengths: Sequence, tokens: Sequence, times: Sequence) -> dict:
        k, n, t = (np.array(column, float) for column in (lengths, tokens, times))
        c, a = through(at(k), rounds(plain, n, t))
        best = lengths[int(np.argmin((a + c * at(k)) / n))]
        return {"a": float(a), "c": float(c), "best": best}

    return attempt


def _best(choice: Callable) -> Callable[..., dict]:
    """The right line and another choice of K, made from (right answer, plain, lengths, ...)."""

    def attempt(*case: object) -> dict:
        right = fit_cost_line(*case)
        return right | {"best": choice(right, *case)}

    return attempt


def _ends(k: np.ndarray, taken: np.ndarray) -> tuple[float, float]:
    c = (taken[-1] - taken[0]) / (k[-1] - k[0])
    return c, taken[0] - c * k[0]


def _from_one(k: np.ndarray, taken: np.ndarray) -> tuple[float, float]:
    return float((taken - 1) @ k / (k @ k)), 1.0


def _from_zero(k: np.ndarray, taken: np.ndarray) -> tuple[float, float]:
    return float(taken @ k / (k @ k)), 0.0


def _case(table: Table) -> Case:
    return table.plain, list(table.lengths), list(table.tokens), list(table.times)


def _made(
    line: CostLine, plain: float, lengths: Sequence[int], tokens: Sequence[float], off: float
) -> Case:
    """A table that keeps to a line but for every other round, which is `off` longer."""
    rounds = [line.round(k) + off * (i % 2) for i, k in enumerate(lengths)]
    return (
        plain,
        [*lengths],
        [*tokens],
        [plain * t / n for t, n in zip(rounds, tokens, strict=True)],
    )


check_fit_cost_line = Exercise(
    "fit_cost_line",
    cases=[
        *map(_case, TABLES),
        _made(CostLine(1.3, 0.05), 4.0, (1, 2, 4, 8), (1.8, 2.4, 3.2, 3.9), 0.05),
        _made(CostLine(1.0, 0.4), 20.0, (1, 3, 5), (1.7, 2.5, 2.7), 0.2),
        # what was reported the fastest is not what the line says
        _made(CostLine(1.1, 0.1), 5.0, (2, 3, 4, 5), (2.2, 2.65, 2.8, 2.86), 0.09),
    ],
    right=fit_cost_line,
    mistakes={
        "a and c are swapped: np.polyfit gives the slope first.": lambda *case: {
            **(right := fit_cost_line(*case)),
            "a": right["c"],
            "c": right["a"],
        },
        "That is a round in milliseconds. In plain passes: divide by the plain time per token.": (
            _line(lambda plain, n, t: t * n)
        ),
        "You fit the time per TOKEN. A round takes as long as all its tokens: multiply by the "
        "tokens per round.": _line(lambda plain, n, t: t / plain),
        "You fit the speedup, tokens over time. T is time: times the tokens, over the plain "
        "time.": _line(lambda plain, n, t: plain / t),
        "You multiply by the accepted tokens only. Tokens per round hold the correction or bonus "
        "already.": _line(lambda plain, n, t: t * (n - 1) / plain),
        "You number the lines 0, 1, 2, ... in place of K. The table begins at its own K.": _line(
            at=lambda k: np.arange(len(k), dtype=float)
        ),
        "You fit over K + 1. The target does look at K + 1 tokens, but c is paid for K drafted "
        "ones, and one pass over all is in a.": _line(at=lambda k: k + 1),
        "That is the line through the first and the last point. Least squares listen to all of "
        "them.": _line(through=_ends),
        "You take a for 1: verification that is free, and no host. The table says what a is.": (
            _line(through=_from_one)
        ),
        "Your line goes through 0. A round takes a even where nothing is drafted.": (
            _line(through=_from_zero)
        ),
        "That is the place in the list, counted from 0. Return the K that stands there.": _best(
            lambda right, plain, lengths, *rest: lengths.index(right["best"])
        ),
        "That is the K with the most tokens per round, whatever the round costs.": _best(
            lambda right, plain, lengths, tokens, times: lengths[int(np.argmax(tokens))]
        ),
        "That is the K of the shortest round. Asked is the least time per token.": _best(
            lambda right, plain, lengths, tokens, times: lengths[0]
        ),
        "That is the K with the least REPORTED time. Let the line say it: (a + cK) over the tokens "
        "per round.": _best(
            lambda right, plain, lengths, tokens, times: lengths[int(np.argmin(times))]
        ),
    },
    parts=("a", "c", "best"),
    shown=lambda plain, lengths, tokens, times: (
        f"plain = {plain}, K = {lengths}, tokens = {[round(x, 2) for x in tokens]} and "
        f"times = {[round(x, 2) for x in times]}"
    ),
    insight="Two numbers stand for six times. They were fitted to these; whether they predict, "
    "times that they were not fitted to will tell.",
)


Served = tuple[float, float, int, float]  # a, c, K, tokens per round


def more_and_faster(one: Served, other: Served) -> dict:
    """The other over the one: "tokens" per round, time of a "round", and how much "faster"."""
    (a1, c1, k1, n1), (a2, c2, k2, n2) = one, other
    tokens, longer = n2 / n1, (a2 + c2 * k2) / (a1 + c1 * k1)
    return {"tokens": tokens, "round": longer, "faster": tokens / longer}


def _part(**wrong: Callable) -> Callable[[Served, Served], dict]:
    def attempt(one: Served, other: Served) -> dict:
        right = more_and_faster(one, other)
        return right | {part: made(one, other, right) for part, made in wrong.items()}

    return attempt


check_more_and_faster = Exercise(
    "more_and_faster",
    cases=[
        ((1.087, 0.105, 3, 2.29), (1.181, 0.144, 4, 3.08)),
        ((1.087, 0.105, 4, 2.39), (1.181, 0.144, 4, 3.08)),
        ((1.0, 0.3, 2, 2.0), (1.2, 0.05, 8, 4.5)),
        ((1.5, 0.1, 5, 3.1), (1.1, 0.2, 1, 1.7)),
    ],
    right=more_and_faster,
    mistakes={
        "That is accepted over accepted. A round's tokens hold its correction or bonus.": _part(
            tokens=lambda one, other, right: (other[3] - 1) / (one[3] - 1)
        ),
        "That is the one over the other. Put the other's above.": _part(
            tokens=lambda one, other, right: 1 / right["tokens"]
        ),
        "A round is more than its drafted tokens: a + cK.": _part(
            round=lambda one, other, right: other[1] * other[2] / (one[1] * one[2])
        ),
        "You take a = 1 for both: 1 + cK. Each has its own a.": _part(
            round=lambda one, other, right: (1 + other[1] * other[2]) / (1 + one[1] * one[2])
        ),
        "You take the same K for both. Each is served with its own.": _part(
            round=lambda one, other, right: (
                (other[0] + other[1] * one[2]) / (one[0] + one[1] * one[2])
            )
        ),
        "That is the difference of the rounds. Take the ratio.": _part(
            round=lambda one, other, right: (
                (other[0] + other[1] * other[2]) - (one[0] + one[1] * one[2])
            )
        ),
        "So much faster it would be if its rounds took as long. Divide by how much longer they "
        "take.": _part(faster=lambda one, other, right: right["tokens"]),
        "You multiply by the longer round. A round that takes longer makes it slower: divide.": (
            _part(faster=lambda one, other, right: right["tokens"] * right["round"])
        ),
        "That is the time per token, which falls where it is faster. Turn the fraction over.": (
            _part(faster=lambda one, other, right: right["round"] / right["tokens"])
        ),
    },
    parts=("tokens", "round", "faster"),
    insight="Tokens per round are half of the story; the other half is what the round costs. Ask "
    "whoever reports an acceptance length for the second half.",
)
