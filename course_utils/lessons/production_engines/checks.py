"""Checks of this lesson: a text from outside, a gate, which K."""

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from course_utils.classroom.exercise import Exercise, alike, short
from course_utils.decoding.theory import overlap
from course_utils.engines.counters import Counters
from course_utils.engines.published import EAGLE_1, EAGLE_3, TABLES, PublishedTable, fit

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
    solution=deviations,
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
    describe_case=lambda rows, tokens: f"a text of {len(tokens)} tokens",
    insight="Nothing here asks how the text was made: no rounds, no draft, no server's word.",
)


# --- is the acceptance what p and q allow, or is it dead? -----------------------------


def acceptance_gate(p: np.ndarray, q: np.ndarray, counters: Counters, baseline: float) -> str:
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


_P = np.array([[0.7, 0.2, 0.1, 0.0], [0.1, 0.8, 0.1, 0.0], [0.4, 0.3, 0.2, 0.1]])
# overlaps with p, on average: .883 and .07
_NEAR = np.array([[0.6, 0.2, 0.1, 0.1], [0.2, 0.7, 0.05, 0.05], [0.5, 0.3, 0.2, 0.0]])
_FAR = np.array([[0.0, 0.0, 0.06, 0.94], [0.05, 0.0, 0.0, 0.95], [0.0, 0.0, 0.0, 1.0]])
_MIXED = np.array([_P[0], _FAR[1], _FAR[2]])  # overlaps 1, .05 and .1
_FLAT = np.full((3, 8), 0.125)
# each row sure of another token, and never of the target's; their means are alike
_SURE = 0.01 + 0.96 * np.eye(3, 4)
_SHIFTED = _SURE[[1, 2, 0]]
_ONE_HOT = np.eye(4)[[0, 1, 0]]  # a greedy draft

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
        (_SURE, 0.2 + 0.2 * np.eye(3, 4), _counted(1000, 420), 0.04),  # honest: one favourite
        (_P, _MIXED, _counted(1000, 300), 0.30),  # honest: one good row and two bad ones
        (_P, _MIXED, _counted(1000, 100), 0.10),  # dead, on the same rows
        (_P, _NEAR, _counted(1000, 800, 700, 300), 0.60),  # only the last position is bad
        (_P, _ONE_HOT, _counted(1000, 615, 400), 0.50),  # a greedy draft, honest
        (_P, _ONE_HOT, _counted(1000, 150, 30), 0.09),  # a greedy draft, dead
    ],
    solution=acceptance_gate,
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
        "You compare with accepted over drafted. It falls as drafts get longer; take the "
        "first position, which every draft reaches.": (
            ("counters.per_position[0] / counters.drafts", "counters.acceptance_rate")
        ),
        "You take the last position. It is reached only if those before it were accepted; every "
        "draft reaches the first.": ("per_position[0]", "per_position[-1]"),
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
        "That is how often p and q have the same likeliest token. A guess is drawn from q, and "
        "accepted with the overlap.": (
            "np.minimum(p, q).sum(-1).mean()",
            "(np.argmax(p, -1) == np.argmax(q, -1)).mean()",
        ),
        "You take the means of the rows first. Rows that never agree may have the same mean: "
        "overlap each row, then take the mean.": (
            ("np.minimum(p, q)", "np.minimum(np.mean(p, 0), np.mean(q, 0))")
        ),
        "You add the rows' overlaps up. Take their mean.": (".sum(-1).mean()", ".sum()"),
        "You look at one row alone, the first or the best. What is allowed is the mean over all "
        "rows.": ((".sum(-1).mean()", ".sum(-1)[0]")),
        "You take the median of the rows, or the least one. A server's share is a mean: compare "
        "with the mean.": (
            ("np.minimum(p, q).sum(-1).mean()", "np.median(np.minimum(p, q).sum(-1))")
        ),
        "The two verdicts are exchanged.": ("served < allowed / 2", "served >= allowed / 2"),
    },
    validate=lambda answer, *case: (
        None
        if isinstance(answer, str) and answer in ("dead", "alive")
        else 'Return "dead" or "alive".'
    ),
    describe_case=lambda p, q, counters, baseline: (
        f"Σ min(p, q) = {overlap(p, q).mean():.2f} on average, "
        f"{counters.drafts} drafts, accepted by position "
        f"{', '.join(map(str, counters.per_position))}, and a baseline of {baseline}"
    ),
    insight="A baseline says what was; Σ min(p, q) says what can be. Only the second is not "
    "recorded from the patient.",
)


# --- which two lengths are worth measuring -----------------------------------------------


def lost_by_pair(tables: Sequence[PublishedTable], fit: Callable) -> dict[tuple[int, int], float]:
    """{(shorter K, longer K): the largest share of time lost by the line through these two}."""
    lost = {}
    for pair in combinations(tables[0].lengths, 2):
        shares = []
        for table in tables:
            k = fit(table, pair).best
            time = table.times[table.lengths.index(k)]
            shares.append(time / min(table.times) - 1)
        lost[pair] = max(shares)
    return lost


def _first_lost(answer: object, tables: Sequence[PublishedTable], fit: Callable) -> str:
    right = lost_by_pair(tables, fit)
    if not isinstance(answer, dict) or answer.keys() != right.keys():
        return f"the keys are the {len(right)} pairs of lengths, the shorter first: {[*right][:3]}…"
    pair = next((pair for pair in right if not alike(answer[pair], right[pair])), None)
    chosen = ", ".join(
        f"K = {(k := fit(t, pair).best)} at {t.times[t.lengths.index(k)]} ms, where "
        f"{min(t.times)} is the least" for t in tables
    )  # fmt: skip
    return f"the pair {pair} chooses {chosen}: {short(right[pair])}, not {short(answer[pair])}."


_GAPS = PublishedTable(
    "made", "", "", 4.0, (1, 2, 4, 8), (1.8, 2.4, 3.2, 3.9), (2.9, 2.5, 2.3, 2.6)
)  # fmt: skip
_BENT = PublishedTable(
    "bent", "", "", 4.0, (1, 2, 4, 8), (1.7, 2.2, 2.8, 3.3), (2.9, 2.7, 2.9, 3.0)
)  # fmt: skip

check_lost_by_pair = Exercise(
    "lost_by_pair",
    cases=[
        (TABLES, fit),
        ((EAGLE_1,), fit),
        ((EAGLE_3, EAGLE_3), fit),
        ((_BENT, _GAPS), fit),
        ((_GAPS, _BENT), fit),
    ],
    solution=lost_by_pair,
    mistakes={
        "You try neighbouring lengths only. Any two lengths are a pair.": (
            ("combinations(tables[0].lengths, 2)", "zip(tables[0].lengths, tables[0].lengths[1:])")
        ),
        "You keep one table alone. Yours may be like any of them: take the largest share.": (
            ("max(shares)", "shares[-1]")
        ),
        "That is the mean of the tables. The largest share says what a pair can cost you.": (
            ("max(shares)", "sum(shares) / len(shares)")
        ),
        "You add the tables' shares up. You have one draft: take the largest share.": (
            ("max(shares)", "sum(shares)")
        ),
        "That is the smallest share among the tables. Take the largest.": (
            ("max(shares)", "min(shares)")
        ),
        "You take the time that the line predicts for its K. What is lost is lost by the clock: "
        "take the reported time.": (
            ("table.times[table.lengths.index(k)]", "min(fit(table, pair).predicted)")
        ),
        "You choose the faster of the two that were measured. The line chooses among all.": (
            ("fit(table, pair).best", "min(pair, key=dict(zip(table.lengths, table.times)).get)")
        ),
        "You compare with the faster of the two lengths that were measured. The fastest K of the "
        "table may be another.": (
            "min(table.times)",
            "min(table.times[table.lengths.index(x)] for x in pair)",
        ),
        "K is no place in the list of times: find where K stands in `lengths`.": (
            ("table.lengths.index(k)", "k")
        ),
        "K minus the first length is its place only where no length is left out. Find where it "
        "stands in `lengths`.": ("table.lengths.index(k)", "k - table.lengths[0]"),
        "That is the share of the chosen K's own time. Lost is measured by the least time.": (
            ("time / min(table.times) - 1", "1 - min(table.times) / time")
        ),
        "Those are milliseconds. A share: divide by the least time.": (
            ("time / min(table.times) - 1", "time - min(table.times)")
        ),
        "That is the time as a multiple of the least one. Lost is what is above 1.": (
            (" - 1)", ")")
        ),
    },
    explain=_first_lost,
    describe_case=lambda tables, fit: (
        " and ".join(f"the table {table.name}" for table in tables) + ","
    ),
    insight="What a wrong choice costs is worth more than how often it happens.",
)
