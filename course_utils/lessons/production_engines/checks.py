"""Checks of this lesson: two pages of a server, a text from outside, a cost line, a gate."""

from collections.abc import Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.theory import (
    overlap,
)
from course_utils.engines.counters import Counters
from course_utils.engines.published import TABLES, CostLine, Table

# --- two /metrics pages: alpha by position, tokens per round, a longer draft ----------


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
    reached = [counted.drafts, *counted.per_position]
    alpha = [a / b for a, b in zip(reached[1:], reached)]
    length = 1 + counted.accepted / counted.drafts
    both = [*alpha, alpha[-1], alpha[-1]]
    longer = 1 + np.cumprod(both).sum()
    return {"alpha": alpha, "length": length, "gain": longer / length}


check_read_metrics = Exercise(
    "read_metrics",
    cases=[
        (page(100, (50, 20, 10)), page(1100, (850, 580, 400))),
        (page(40, (30, 30, 30, 30)), page(2040, (1430, 730, 400, 240))),
        (page(500, (100,)), page(900, (340,))),
        (page(7, (0, 0)), page(1007, (900, 810))),
    ],
    right=read_metrics,
    mistakes={
        "You read the second page alone: its counters run since the server was started. Take the "
        "difference of the two pages.": (" - Counters.of(before)", ""),
        "That is A_i / D, what vLLM prints per position: the chance that the first i are ALL "
        "accepted. Of those that were examined at position i, which ones were accepted?": (
            ("a / b for", "a / counted.drafts for")
        ),
        "Those are shares of all accepted tokens. Divide by how many were examined at that "
        "position.": ("a / b for", "a / counted.accepted for"),
        "That is A / K at every position: accepted over drafted. Tokens behind a rejection were "
        "never examined, and the positions differ.": ("a / b for", "counted.acceptance_rate for"),
        "The first position is missing: it is examined in every draft, so it is A_1 / D.": (
            ('"alpha": alpha,', '"alpha": alpha[1:],')
        ),
        "That is A / D, the accepted tokens alone. Each round also emits a correction or a "
        "bonus.": ("1 + counted.accepted", "counted.accepted"),
        "You divide by the drafted tokens. Tokens per ROUND: divide by the drafts.": (
            ("accepted / counted.drafts", "accepted / counted.drafted")
        ),
        "That is accepted over drafted. Asked are the tokens that a round emits.": (
            ("1 + counted.accepted / counted.drafts", "counted.acceptance_rate")
        ),
        "That is the draft length, tokens drafted per round. Count those that are emitted.": (
            ("1 + counted.accepted", "counted.drafted")
        ),
        "That is one more drafted token. Add two.": ("alpha[-1], alpha[-1]]", "alpha[-1]]"),
        "You take one mean alpha for all positions. Keep those that were measured, and repeat the "
        "last.": ("[*alpha, alpha[-1], alpha[-1]]", "[np.mean(alpha)] * (len(alpha) + 2)"),
        "A further token counts only if all before it were accepted: multiply the chances up.": (
            ("1 + np.cumprod(both).sum()", "length + 2 * alpha[-1]")
        ),
        "You repeat A_i / D of the last position, which already holds the chance of being reached. "
        "Repeat the last alpha.": (
            ("alpha[-1], alpha[-1]]", "*[reached[-1] / counted.drafts] * 2]")
        ),
        "Those are accepted tokens over accepted tokens. The correction or bonus is text, too.": (
            ("longer / length", "(longer - 1) / (length - 1)")
        ),
        "Those are the tokens per round with two more. Divide by those without.": (
            ("longer / length", "longer")
        ),
        "That is what is added, 0 where nothing is. The gain is a ratio, 1 there.": (
            ("longer / length", "longer / length - 1")
        ),
        "That is old over new. Turn the fraction over.": ("longer / length", "length / longer"),
    },
    parts=("alpha", "length", "gain"),
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
    told = -np.log(np.where(rows > 0, rows, 1))
    off = told - (rows * told).sum(-1, keepdims=True)
    squares = off**2 - (rows * off**2).sum(-1, keepdims=True)
    at = np.arange(len(tokens)), tokens
    both = off, squares
    first, second = (x[at].sum() / np.sqrt((rows * x**2).sum()) for x in both)
    return first, second


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
_TOLD = -np.log(np.where(_ROWS > 0, _ROWS, 1))
_ENTROPY = (_ROWS * _TOLD).sum(-1, keepdims=True)
LIARS = {
    "drawn as it should be": written(_ROWS, 2),
    "at temperature 0.8": written(sharpened(_ROWS, 0.8), 2),
    "always the likeliest": _ROWS.argmax(-1),
    "from other rows": np.where(_ROWS > 0, _ROWS, 0).argsort(-1)[:, -4],
    "always the token nearest the entropy": np.where(
        _ROWS > 0, abs(_TOLD - _ENTROPY), np.inf
    ).argmin(-1),
}

check_deviations = Exercise(
    "deviations",
    cases=[(_ROWS, text) for text in LIARS.values()]
    + [(np.array([[0.5, 0.25, 0.25], [0.9, 0.1, 0.0]]), np.array([0, 1]))],
    right=deviations,
    mistakes={
        "Zero times log zero is 0 here, and NumPy says nan: put 1 in place of a probability of 0 "
        "before you take its logarithm.": ("np.where(rows > 0, rows, 1)", "rows"),
        "You do not subtract what was to be expected. A text full of surprises is honest where "
        "its rows are flat: subtract each row's entropy.": ("x[at].sum()", "told[at].sum()"),
        "You divide by the variance. Standard deviations: take its root.": (
            ("np.sqrt((rows * x**2).sum())", "(rows * x**2).sum()")
        ),
        "You divide by the number of tokens. How much chance alone can do is in the rows: the "
        "root of the sum of their variances.": ("np.sqrt((rows * x**2).sum())", "len(tokens)"),
        "That is the sum of the differences. Is it much? Divide by its standard deviation.": (
            (" / np.sqrt((rows * x**2).sum())", "")
        ),
        "You add the standard deviations up. Variances add; take the root at the end.": (
            ("np.sqrt((rows * x**2).sum())", "np.sqrt((rows * x**2).sum(-1)).sum()")
        ),
        "You divide each token by its own standard deviation and add up. Add both up first, then "
        "divide once.": (
            "x[at].sum() / np.sqrt((rows * x**2).sum())",
            "(x[at] / np.sqrt((rows * x**2).sum(-1))).sum()",
        ),
        "The mean of the squares alone is no variance: subtract the square of the mean.": (
            ("rows * x**2", "rows * told**2")
        ),
        "You take the spread of what was met. A text that lies brings its own spread with it: the "
        "variance is the rows'.": (
            ("np.sqrt((rows * x**2).sum())", "(x[at].std() * np.sqrt(len(tokens)))")
        ),
        "The sign is turned: positive is more surprise than expected.": (
            ("x[at].sum()", "-x[at].sum()")
        ),
        "You do not subtract what was to be expected of a square: the row's variance.": (
            ("x[at].sum()", "(x if x is off else off**2)[at].sum()")
        ),
        "You square the surprise itself. Square its distance from the row's entropy.": (
            ("squares = off**2 - (rows * off**2)", "squares = told**2 - (rows * told**2)")
        ),
        "You divide by the first sum's standard deviation. The squares have one of their own: the "
        "root of the sum of m4 - Var².": ("rows * x**2", "rows * off**2"),
        "m4 alone is not the variance of a square: subtract the square of the row's variance.": (
            ("rows * x**2", "rows * (x if x is off else off**2) ** 2")
        ),
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
    lengths, tokens = np.array(lengths), np.array(tokens)
    rounds = tokens * np.array(times) / plain
    c, a = np.polyfit(lengths, rounds, 1)
    best = lengths[np.argmin((a + c * lengths) / tokens)]
    return {"a": a, "c": c, "best": best}


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
        "a and c are swapped: np.polyfit gives the slope first.": ("c, a = np", "a, c = np"),
        "That is a round in milliseconds. In plain passes: divide by the plain time per token.": (
            (" / plain", "")
        ),
        "You fit the time per TOKEN. A round takes as long as all its tokens: multiply by the "
        "tokens per round.": ("tokens * np.array(times)", "np.array(times)"),
        "You fit the speedup, tokens over time. T is time: times the tokens, over the plain "
        "time.": ("tokens * np.array(times) / plain", "plain / np.array(times)"),
        "You multiply by the accepted tokens only. Tokens per round hold the correction or bonus "
        "already.": ("tokens * np", "(tokens - 1) * np"),
        "You number the lines 0, 1, 2, ... in place of K. The table begins at its own K.": (
            ("polyfit(lengths", "polyfit(np.arange(len(lengths))")
        ),
        "You fit over K + 1. The target does look at K + 1 tokens, but c is paid for K drafted "
        "ones, and one pass over all is in a.": ("polyfit(lengths", "polyfit(lengths + 1"),
        "That is the line through the first and the last point. Least squares listen to all of "
        "them.": ("polyfit(lengths, rounds,", "polyfit(lengths[[0, -1]], rounds[[0, -1]],"),
        "You take a for 1: verification that is free, and no host. The table says what a is.": (
            "np.polyfit(lengths, rounds, 1)",
            "(rounds - 1) @ lengths / (lengths @ lengths), 1.0",
        ),
        "Your line goes through 0. A round takes a even where nothing is drafted.": (
            ("np.polyfit(lengths, rounds, 1)", "rounds @ lengths / (lengths @ lengths), 0.0")
        ),
        "That is the place in the list, counted from 0. Return the K that stands there.": (
            ('"best": best', '"best": [*lengths].index(best)')
        ),
        "That is the K with the most tokens per round, whatever the round costs.": (
            ("argmin((a + c * lengths) / tokens)", "argmax(tokens)")
        ),
        "That is the K of the shortest round. Asked is the least time per token.": (
            (" / tokens", "")
        ),
        "That is the K with the least REPORTED time. Let the line say it: (a + cK) over the tokens "
        "per round.": ("(a + c * lengths) / tokens", "times"),
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
    tokens = n2 / n1
    longer = (a2 + c2 * k2) / (a1 + c1 * k1)
    return {"tokens": tokens, "round": longer, "faster": tokens / longer}


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
        "That is accepted over accepted. A round's tokens hold its correction or bonus.": (
            ("n2 / n1", "(n2 - 1) / (n1 - 1)")
        ),
        "That is the one over the other. Put the other's above.": ("n2 / n1", "n1 / n2"),
        "A round is more than its drafted tokens: a + cK.": (
            ("(a2 + c2 * k2) / (a1 + c1 * k1)", "c2 * k2 / (c1 * k1)")
        ),
        "You take a = 1 for both: 1 + cK. Each has its own a.": (
            ("(a2 + c2 * k2) / (a1 + c1 * k1)", "(1 + c2 * k2) / (1 + c1 * k1)")
        ),
        "You take the same K for both. Each is served with its own.": ("c2 * k2", "c2 * k1"),
        "That is the difference of the rounds. Take the ratio.": (") / (", ") - ("),
        "So much faster it would be if its rounds took as long. Divide by how much longer they "
        "take.": ("tokens / longer", "tokens"),
        "You multiply by the longer round. A round that takes longer makes it slower: divide.": (
            ("tokens / longer", "tokens * longer")
        ),
        "That is the time per token, which falls where it is faster. Turn the fraction over.": (
            ("tokens / longer", "longer / tokens")
        ),
    },
    parts=("tokens", "round", "faster"),
    insight="Tokens per round are half of the story; the other half is what the round costs. Ask "
    "whoever reports an acceptance length for the second half.",
)


# --- is the acceptance what p and q allow, or is it dead? -----------------------------

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
    allowed = np.minimum(p, q).sum(-1).mean()
    served = counters.per_position[0] / counters.drafts
    return "dead" if served < allowed / 2 else "alive"


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
        "what it froze: compare with Σ min(p, q).": (
            ("served < allowed / 2", "counters.acceptance_rate < baseline / 2")
        ),
        "You ask that both are missed, the overlap and the baseline. A frozen fault meets its "
        "baseline.": (
            "served < allowed / 2",
            "served < allowed / 2 and counters.acceptance_rate < baseline / 2",
        ),
        "You also call dead what falls below the baseline. Other texts are accepted otherwise: "
        "where Σ min(p, q) is as low, the server does what it can.": (
            "served < allowed / 2",
            "served < allowed / 2 or counters.acceptance_rate < baseline / 2",
        ),
        "You have a fixed limit. What can be accepted is for p and q to say: 0.07 is all there is "
        "to have for one draft, and 0.3 is dead for another.": ("< allowed / 2", "< 0.1"),
        "You compare with A / K, accepted over drafted. It falls as drafts get longer; take the "
        "first position, which every draft reaches.": (
            ("counters.per_position[0] / counters.drafts", "counters.acceptance_rate")
        ),
        "You compare with A / D, all accepted tokens of a draft. Three bad positions add up to a "
        "good one: take the first alone.": ("counters.per_position[0]", "counters.accepted"),
        "Tokens per round are never below 1, so that nothing is ever dead. Compare a probability "
        "with a probability.": ("counters.per_position[0]", "1 + counters.accepted"),
        "You allow nothing for chance: a served share is counted, and lies a little below or above "
        "its probability.": ("< allowed / 2", "< allowed"),
        "That is the distance of p and q, half of Σ |p - q|. What is accepted is the overlap, 1 "
        "minus it.": ("np.minimum(p, q)", "0.5 * np.abs(np.subtract(p, q))"),
        "You take the mean of min(p, q) over the vocabulary. Add it up, row by row.": (
            (".sum(-1).mean()", ".mean()")
        ),
        "Σ p q is the chance that two independent draws agree. The rule accepts more: Σ min(p, "
        "q).": ("np.minimum", "np.multiply"),
        "You take the means of the rows first. Rows that never agree may have the same mean: "
        "overlap each row, then take the mean.": (
            ("np.minimum(p, q)", "np.minimum(np.mean(p, 0), np.mean(q, 0))")
        ),
        "You add the rows' overlaps up. Take their mean.": (".sum(-1).mean()", ".sum()"),
        "The two verdicts are exchanged.": ("served < allowed / 2", "served >= allowed / 2"),
    },
    form=lambda answer, *case: (
        None
        if isinstance(answer, str) and answer in ("dead", "alive")
        else 'Return "dead" or "alive".'
    ),
    shown=lambda p, q, counters, baseline: (
        f"Σ min(p, q) = {overlap(np.array(p), np.array(q)).mean():.2f} on average, "
        f"{counters.drafts} drafts, accepted by position "
        f"{', '.join(map(str, counters.per_position))}, and a baseline of {baseline}"
    ),
    insight="A baseline says what was; Σ min(p, q) says what can be. Only the second is not "
    "recorded from the patient.",
)
