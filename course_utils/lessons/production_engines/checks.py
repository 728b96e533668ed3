"""Checks of this lesson: two pages of a server, a text from outside, a cost line, a gate."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.theory import (
    expected_tokens,
    expected_tokens_by_position,
    overlap,
    total_variation,
)
from course_utils.engines.counters import Counters
from course_utils.engines.published import TABLES, CostLine, Table, fit
from course_utils.proofs.surprise import surprise_along

# --- two /metrics pages: alpha by position, tokens per round, a longer draft ----------

PARTS = ("alpha", "length", "gain")


def page(drafts: int, accepted: Sequence[int], earlier: str = "") -> str:
    """The part of a server's page that counts drafts of `len(accepted)` tokens each."""
    at = 'engine="0",model_name="pair"'
    counted = {
        "drafts": ("Number of spec decoding drafts.", {at: drafts}),
        "draft_tokens": ("Number of draft tokens.", {at: drafts * len(accepted)}),
        "accepted_tokens": ("Number of accepted tokens.", {at: sum(accepted)}),
        "accepted_tokens_per_pos": (
            "Accepted tokens per draft position.",
            {f'{at},position="{i}"': count for i, count in enumerate(accepted)},
        ),
    }
    lines = [earlier] if earlier else []
    for name, (text, values) in counted.items():
        name = f"vllm:spec_decode_num_{name}_total"
        lines += [f"# HELP {name} {text}", f"# TYPE {name} counter"]
        lines += [f"{name}{{{labels}}} {float(value)}" for labels, value in values.items()]
    return "\n".join(lines) + "\n"


def read_metrics(before: str, after: str) -> dict:
    """What happened between two pages of one server whose drafts are all equally long.

    Returns: "alpha", of each position the share accepted of those examined there; "length",
    tokens per round; "gain", tokens per round with two more drafted tokens over "length".  The
    two are taken to be accepted as the last position is, once they are reached.
    """
    counted = Counters.of(after) - Counters.of(before)
    return _answer([*counted.conditional], counted.mean_acceptance_length)


def _answer(alpha: list[float], length: float) -> dict:
    longer = expected_tokens_by_position([*alpha, alpha[-1], alpha[-1]])
    return {"alpha": alpha, "length": length, "gain": longer / length}


def _student(**wrong: Callable) -> Callable[[str, str], dict]:
    """`read_metrics` with one part its own way, from what was counted and what is right."""

    def attempt(before: str, after: str) -> dict:
        counted = Counters.of(after) - Counters.of(before)
        right = _answer([*counted.conditional], counted.mean_acceptance_length)
        return right | {part: made(counted, right) for part, made in wrong.items()}

    return attempt


def _since_the_start(before: str, after: str) -> dict:
    return read_metrics(page(0, [0] * len(Counters.of(after).per_position)), after)


def _one_more(counted: Counters, right: dict) -> float:
    alpha = right["alpha"]
    return expected_tokens_by_position([*alpha, alpha[-1]]) / right["length"]


def _mean_alpha(counted: Counters, right: dict) -> float:
    alpha = sum(right["alpha"]) / len(right["alpha"])
    return expected_tokens(alpha, len(right["alpha"]) + 2) / right["length"]


def _reached_always(counted: Counters, right: dict) -> float:
    return (right["length"] + 2 * right["alpha"][-1]) / right["length"]


def _unconditional(counted: Counters, right: dict) -> float:
    last = counted.per_position[-1] / counted.drafts
    return expected_tokens_by_position([*right["alpha"], last, last]) / right["length"]


def _accepted_only(counted: Counters, right: dict) -> float:
    return (right["gain"] * right["length"] - 1) / (right["length"] - 1)


ALPHA = {
    "You read the second page alone: its counters run since the server was started. Take the "
    "difference of the two pages.": _since_the_start,
    "That is A_i / D, what vLLM prints per position: the chance that the first i are ALL accepted. "
    "Of those that were examined at position i, which ones were accepted?": _student(
        alpha=lambda counted, right: [n / counted.drafts for n in counted.per_position]
    ),
    "Those are shares of all accepted tokens. Divide by how many were examined at that position.": (
        _student(alpha=lambda counted, right: [n / counted.accepted for n in counted.per_position])
    ),
    "That is A / K at every position: accepted over drafted. Tokens behind a rejection were never "
    "examined, and the positions differ.": _student(
        alpha=lambda counted, right: [counted.acceptance_rate] * len(counted.per_position)
    ),
    "The first position is missing: it is examined in every draft, so it is A_1 / D.": _student(
        alpha=lambda counted, right: right["alpha"][1:]
    ),
}
LENGTH = {
    "That is A / D, the accepted tokens alone. Each round also emits a correction or a bonus.": (
        _student(length=lambda counted, right: right["length"] - 1)
    ),
    "You divide by the drafted tokens. Tokens per ROUND: divide by the drafts.": _student(
        length=lambda counted, right: 1 + counted.accepted / counted.drafted
    ),
    "That is accepted over drafted. Asked are the tokens that a round emits.": _student(
        length=lambda counted, right: counted.acceptance_rate
    ),
    "That is the draft length, tokens drafted per round. Count those that are emitted.": _student(
        length=lambda counted, right: counted.drafted / counted.drafts
    ),
}
GAIN = {
    "That is one more drafted token. Add two.": _student(gain=_one_more),
    "You take one mean alpha for all positions. Keep those that were measured, and repeat the "
    "last.": _student(gain=_mean_alpha),
    "A further token counts only if all before it were accepted: multiply the chances up.": (
        _student(gain=_reached_always)
    ),
    "You repeat A_i / D of the last position, which already holds the chance of being reached. "
    "Repeat the last alpha.": _student(gain=_unconditional),
    "Those are accepted tokens over accepted tokens. The correction or bonus is text, too.": (
        _student(gain=_accepted_only)
    ),
    "Those are the tokens per round with two more. Divide by those without.": _student(
        gain=lambda counted, right: right["gain"] * right["length"]
    ),
    "That is what is added, 0 where nothing is. The gain is a ratio, 1 there.": _student(
        gain=lambda counted, right: right["gain"] - 1
    ),
    "That is old over new. Turn the fraction over.": _student(
        gain=lambda counted, right: 1 / right["gain"]
    ),
}

check_read_metrics = Exercise(
    "read_metrics",
    cases=[
        (page(100, (50, 20, 10)), page(1100, (850, 580, 400))),
        (page(40, (30, 30, 30, 30)), page(2040, (1430, 730, 400, 240))),
        (page(500, (100,)), page(900, (340,))),
        (page(7, (0, 0)), page(1007, (900, 810))),
    ],
    right=read_metrics,
    mistakes=ALPHA | LENGTH | GAIN,
    parts=PARTS,
    shown=lambda before, after: (
        f"{(d := Counters.of(after) - Counters.of(before)).drafts} drafts of "
        f"{len(d.per_position)} tokens between the pages, accepted by position "
        f"{', '.join(map(str, d.per_position))},"
    ),
    insight="What a server prints is enough to say what a longer draft would bring, before it is "
    "tried; what it would cost is not on the page.",
)


# --- was this text drawn from these rows? ---------------------------------------------


def deviations(rows: np.ndarray, tokens: np.ndarray) -> tuple[float, float]:
    """How many standard deviations both sums lie above what the rows lead to expect.

    Args:
        rows: (n, vocabulary), the target's distribution at each place of the text.
        tokens: (n,), what stands there.

    Returns: the sum of -log p(x) - H(p), and the sum of its square less the row's variance, each
    over the root of its own variance.
    """
    found = surprise_along(rows, tokens)
    return found.deviations, found.second_deviations


def _told(rows: np.ndarray) -> np.ndarray:
    return -np.log(np.where(rows > 0, rows, 1.0))  # 0 log 0 is 0


def _mean(p: np.ndarray, x: np.ndarray) -> np.ndarray:
    return (p * x).sum(-1, keepdims=True)


def _variance(p: np.ndarray, x: np.ndarray) -> np.ndarray:
    return _mean(p, x**2) - _mean(p, x) ** 2


def _over_root(met: np.ndarray, variances: np.ndarray) -> float:
    return met.sum() / np.sqrt(variances.sum())


def _tested(
    rows: np.ndarray, tokens: np.ndarray,
    told: Callable = _told,
    first: Callable = lambda p, said: said - _mean(p, said),
    second: Callable = lambda p, said, off: off**2 - _mean(p, off**2),
    variance: Callable = lambda p, said, x: _variance(p, x),
    last: Callable = _over_root,
) -> tuple[float, float]:  # fmt: skip
    """`deviations`, a part of it exchanged."""
    p, at = np.asarray(rows, np.float64), (np.arange(len(tokens)), tokens)
    said = told(p)
    off = first(p, said)
    both = off, second(p, said, off)
    one, two = (float(last(x[at], variance(p, said, x))) for x in both)
    return one, two


def _by(**other: Callable) -> Callable:
    return lambda rows, tokens: _tested(rows, tokens, **other)


def _second(**other: Callable) -> Callable:
    """The first as it should be, the second with a part exchanged."""
    return lambda rows, tokens: (deviations(rows, tokens)[0], _tested(rows, tokens, **other)[1])


def made_rows(seed: int, n: int, vocabulary: int = 12) -> np.ndarray:
    """Rows of unlike entropy; one in four has tokens that cannot be."""
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.full(vocabulary, 0.6), n)
    rows[::4, : vocabulary // 2] = 0
    return rows / rows.sum(-1, keepdims=True)


def written(rows: np.ndarray, seed: int) -> np.ndarray:
    """A token drawn from each row."""
    uniforms = np.random.default_rng(seed).random(len(rows))
    return (rows.cumsum(-1) < uniforms[:, None] * rows.sum(-1, keepdims=True)).sum(-1)


def sharpened(rows: np.ndarray, temperature: float) -> np.ndarray:
    """The same at another temperature."""
    powers = rows ** (1 / temperature)
    return powers / powers.sum(-1, keepdims=True)


_ROWS = made_rows(1, 60)
LIARS = {
    "drawn as it should be": written(_ROWS, 2),
    "at temperature 0.8": written(sharpened(_ROWS, 0.8), 2),
    "always the likeliest": _ROWS.argmax(-1),
    "from other rows": np.where(_ROWS > 0, _ROWS, 0).argsort(-1)[:, -4],
    "always the token nearest the entropy": np.where(
        _ROWS > 0, abs(_told(_ROWS) - _mean(_ROWS, _told(_ROWS))), np.inf
    ).argmin(-1),
}

check_deviations = Exercise(
    "deviations",
    cases=[(_ROWS, text) for text in LIARS.values()]
    + [(np.array([[0.5, 0.25, 0.25], [0.9, 0.1, 0.0]]), np.array([0, 1]))],
    right=deviations,
    mistakes={
        "Zero times log zero is 0 here, and NumPy says nan: put 1 in place of a probability of 0 "
        "before you take its logarithm.": _by(told=lambda p: -np.log(p)),
        "You do not subtract what was to be expected. A text full of surprises is honest where "
        "its rows are flat: subtract each row's entropy.": _by(first=lambda p, said: said),
        "You divide by the variance. Standard deviations: take its root.": _by(
            last=lambda met, variances: met.sum() / variances.sum()
        ),
        "You divide by the number of tokens. How much chance alone can do is in the rows: the "
        "root of the sum of their variances.": _by(last=lambda met, variances: met.mean()),
        "That is the sum of the differences. Is it much? Divide by its standard deviation.": _by(
            last=lambda met, variances: met.sum()
        ),
        "You add the standard deviations up. Variances add; take the root at the end.": _by(
            last=lambda met, variances: met.sum() / np.sqrt(variances).sum()
        ),
        "You divide each token by its own standard deviation and add up. Add both up first, then "
        "divide once.": _by(last=lambda met, variances: (met / np.sqrt(variances[:, 0])).sum()),
        "The mean of the squares alone is no variance: subtract the square of the mean.": _by(
            variance=lambda p, said, x: _mean(p, said**2)
        ),
        "You take the spread of what was met. A text that lies brings its own spread with it: the "
        "variance is the rows'.": _by(
            last=lambda met, variances: met.sum() / (met.std() * np.sqrt(len(met)))
        ),
        "The sign is turned: positive is more surprise than expected.": _by(
            last=lambda met, variances: -_over_root(met, variances)
        ),
        "You do not subtract what was to be expected of a square: the row's variance.": _second(
            second=lambda p, said, off: off**2
        ),
        "You square the surprise itself. Square its distance from the row's entropy.": _second(
            second=lambda p, said, off: said**2 - _mean(p, said**2)
        ),
        "You divide by the first sum's standard deviation. The squares have one of their own: the "
        "root of the sum of m4 - Var².": _second(variance=lambda p, said, x: _variance(p, said)),
        "m4 alone is not the variance of a square: subtract the square of the row's "
        "variance.": _second(variance=lambda p, said, x: _mean(p, (said - _mean(p, said)) ** 4)),
    },
    parts=("first", "second"),
    shown=lambda rows, tokens: f"a text of {len(tokens)} tokens",
    insight="Nothing here asks how the text was made: no rounds, no draft, no server's word.",
)


# --- a cost line, fitted to somebody's table, and what it explains --------------------

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


# --- is the acceptance what p and q allow, or is it dead? -----------------------------

DEAD, ALIVE = "dead", "alive"
SHARE = 0.5  # of the overlap, that must at least be served

Rows = Sequence[Sequence[float]]


def acceptance_gate(p: Rows, q: Rows, counters: Counters, baseline: float) -> str:
    """ "dead" if the first position is accepted less than half as often as Σ min(p, q) allows.

    Of the first position alone: every draft is examined there, whatever its length.

    Args:
        p, q: rows at the first drafted position of some rounds, computed outside the server
            from the same texts: those that it computed itself share its faults.
        counters: what the server counted.
        baseline: accepted / drafted as it was recorded once.  Not needed: it may hold the fault.
    """
    return _judged(p, q, counters)


def _judged(
    p: Rows, q: Rows, counters: Counters,
    served: Callable[[Counters], float] = lambda counted: counted.per_position[0] / counted.drafts,
    allowed: Callable = lambda p, q: overlap(p, q).mean(),
    share: float = SHARE,
) -> str:  # fmt: skip
    least = share * allowed(np.array(p), np.array(q))
    return DEAD if served(counters) < least else ALIVE


def _gate(**other: object) -> Callable[..., str]:
    """A gate that looks at something else."""
    return lambda p, q, counters, baseline: _judged(p, q, counters, **other)


def _by_baseline(p: Rows, q: Rows, counters: Counters, baseline: float) -> str:
    return DEAD if counters.accepted / counters.drafted < SHARE * baseline else ALIVE


def _both(p: Rows, q: Rows, counters: Counters, baseline: float) -> str:
    verdicts = {_judged(p, q, counters), _by_baseline(p, q, counters, baseline)}
    return DEAD if verdicts == {DEAD} else ALIVE


def _either(p: Rows, q: Rows, counters: Counters, baseline: float) -> str:
    verdicts = {_judged(p, q, counters), _by_baseline(p, q, counters, baseline)}
    return DEAD if DEAD in verdicts else ALIVE


def _absolute(p: Rows, q: Rows, counters: Counters, baseline: float) -> str:
    return DEAD if counters.per_position[0] / counters.drafts < 0.1 else ALIVE


def _counted(drafts: int, *accepted: int) -> Counters:
    return Counters(drafts, drafts * len(accepted), sum(accepted), accepted)


_P = [[0.7, 0.2, 0.1, 0.0], [0.1, 0.8, 0.1, 0.0], [0.4, 0.3, 0.2, 0.1]]
_NEAR = [[0.6, 0.2, 0.1, 0.1], [0.2, 0.7, 0.05, 0.05], [0.5, 0.3, 0.2, 0.0]]  # overlap .883
_FAR = [[0.0, 0.0, 0.06, 0.94], [0.05, 0.0, 0.0, 0.95], [0.0, 0.0, 0.0, 1.0]]  # overlap .07
_FLAT = [[0.125] * 8] * 3
# each row sure of another token, and never of the target's; their means are alike
_SURE = [[0.97, 0.01, 0.01, 0.01], [0.01, 0.97, 0.01, 0.01], [0.01, 0.01, 0.97, 0.01]]
_SHIFTED = [_SURE[1], _SURE[2], _SURE[0]]
_ONE_HOT = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]  # a greedy draft

check_acceptance_gate = Exercise(
    "acceptance_gate",
    cases=[
        (_P, _NEAR, _counted(1000, 862, 741), 0.80),  # as it should be
        (_P[:1], _NEAR[:1], _counted(1000, 881), 0.80),  # a single row was logged
        (_P, _NEAR, _counted(1000, 897, 790), 0.80),  # and with a little luck
        (_P, _NEAR, _counted(1000, 41), 0.80),  # dead, and the baseline knows better
        (_P, _NEAR, _counted(1000, 41), 0.04),  # dead, and frozen in the baseline
        (_P, _FAR, _counted(1000, 61), 0.06),  # honest, and low
        (_P, _FAR, _counted(1000, 66), 0.80),  # honest and low: recorded on other texts
        (_P, _NEAR, _counted(1000, 700, 420, 250, 140, 80, 40, 20, 10), 0.2),  # long drafts
        (_P, _NEAR, _counted(1000, 300, 250, 200), 0.25),  # half dead, whatever is added up
        (_FLAT, _FLAT, _counted(1000, 300, 90), 0.20),  # dead: p = q, all should be accepted
        (_SURE, _SHIFTED, _counted(1000, 36), 0.04),  # honest: never sure of the same token
        (_P, _ONE_HOT, _counted(1000, 615, 400), 0.50),  # a greedy draft, honest
        (_P, _ONE_HOT, _counted(1000, 150, 30), 0.09),  # a greedy draft, dead
    ],
    right=acceptance_gate,
    mistakes={
        "You compare with the recorded baseline. It was recorded with the fault in it, and passes "
        "what it froze: compare with Σ min(p, q).": _by_baseline,
        "You ask that both are missed, the overlap and the baseline. A frozen fault meets its "
        "baseline.": _both,
        "You also call dead what falls below the baseline. Other texts are accepted otherwise: "
        "where Σ min(p, q) is as low, the server does what it can.": _either,
        "You have a fixed limit. What can be accepted is for p and q to say: 0.07 is all there is "
        "to have for one draft, and 0.3 is dead for another.": _absolute,
        "You compare with A / K, accepted over drafted. It falls as drafts get longer; take the "
        "first position, which every draft reaches.": _gate(
            served=lambda counted: counted.accepted / counted.drafted
        ),
        "You compare with A / D, all accepted tokens of a draft. Three bad positions add up to a "
        "good one: take the first alone.": _gate(
            served=lambda counted: counted.accepted / counted.drafts
        ),
        "Tokens per round are never below 1, so that nothing is ever dead. Compare a probability "
        "with a probability.": _gate(served=lambda counted: 1 + counted.accepted / counted.drafts),
        "You allow nothing for chance: a served share is counted, and lies a little below or above "
        "its probability.": _gate(share=1.0),
        "That is the distance of p and q, half of Σ |p - q|. What is accepted is the overlap, 1 "
        "minus it.": _gate(allowed=lambda p, q: total_variation(p, q).mean()),
        "You take the mean of min(p, q) over the vocabulary. Add it up, row by row.": _gate(
            allowed=lambda p, q: np.minimum(p, q).mean()
        ),
        "Σ p q is the chance that two independent draws agree. The rule accepts more: Σ min(p, "
        "q).": _gate(allowed=lambda p, q: (p * q).sum(-1).mean()),
        "You take the means of the rows first. Rows that never agree may have the same mean: "
        "overlap each row, then take the mean.": _gate(
            allowed=lambda p, q: np.minimum(p.mean(0), q.mean(0)).sum()
        ),
        "You add the rows' overlaps up. Take their mean.": _gate(
            allowed=lambda p, q: np.minimum(p, q).sum()
        ),
        "The two verdicts are exchanged.": lambda *case: (
            ALIVE if acceptance_gate(*case) == DEAD else DEAD
        ),
    },
    form=lambda answer, *case: (
        None
        if isinstance(answer, str) and answer in (DEAD, ALIVE)
        else f'Return "{DEAD}" or "{ALIVE}".'
    ),
    shown=lambda p, q, counters, baseline: (
        f"Σ min(p, q) = {overlap(np.array(p), np.array(q)).mean():.2f} on average, "
        f"{counters.drafts} drafts, accepted by position "
        f"{', '.join(map(str, counters.per_position))}, and a baseline of {baseline}"
    ),
    insight="A baseline says what was; Σ min(p, q) says what can be. Only the second is not "
    "recorded from the patient.",
)
