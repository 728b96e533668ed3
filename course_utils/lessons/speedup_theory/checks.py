"""Checks of this lesson: the planner, which draft gains, rows that were held out."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.engines import published

Cost = Callable[[int], float]  # v(k): a pass over k tokens, in passes over one


def plan(rates: Sequence[float], c: float, v: Cost, o: float, t: float) -> dict:
    """Predict the speed of each gamma, and choose the best gamma.

    Args:
        rates: acceptance at position 1, 2, ..., given that the ones before were accepted.
        c, v, o: cost of a drafted token, of a pass over k tokens and of the host in a round, in
            passes of the target over one token.
        t: seconds of such a pass.

    Returns: for gamma = 0, 1, ..., len(rates) three lists, "tokens" per round, "seconds" per
    token and "speedup" over gamma = 0; and "best", the fastest gamma, the smallest in a tie.
    """
    tokens, seconds = [], []
    for gamma in range(len(rates) + 1):
        # the first n guesses are all accepted, n = 0, 1, ..., gamma
        tokens.append(sum(np.prod(rates[:n]) for n in range(gamma + 1)))
        seconds.append(t * (gamma * c + v(gamma + 1) + o) / tokens[-1])
    speedup = [seconds[0] / each for each in seconds]
    best = speedup.index(max(speedup))
    lists = {"tokens": tokens, "seconds": seconds, "speedup": speedup}
    return lists | {"best": best}


def step_cost(extra: float, step: float = 0.0, free: int = 1) -> Cost:
    """Return the v(k) of an imaginary machine: `extra` per further token, `step` above `free`."""
    return lambda k: 1 + extra * (k - 1) + step * (k > free)


check_planner = Exercise(
    "planner",
    cases=[
        ([0.9, 0.6, 0.8, 0.3], 0.2, step_cost(0.1), 0.4, 0.02),  # every cost counts
        ([0.9] * 12, 0.05, lambda k: 1 if k <= 8 else 2, 0.2, 0.005),  # v(8) still costs 1
        ([0.97] * 16, 0.01, step_cost(0), 0.5, 0.01),  # the longer, the better
        ([0.05, 0.1, 0.2], 0.3, step_cost(0.2), 0.0, 0.03),  # every draft loses
        ([0.05], 0.06, lambda k: 0.9 if k == 2 else 1, 0.0, 0.01),  # gains though α < c
        ([0.95] * 4, 0.05, lambda k: 2.1 if k > 1 else 1, 0.0, 0.01),  # γ = 1 loses, 2 gains
    ],
    solution=plan,
    must_not_mutate=True,
    mistakes={
        "Your lists begin with γ = 1. Begin with γ = 0, which drafts nothing and emits one token "
        "per round.": "range(len(rates) + 1) → range(1, len(rates) + 1)",
        "You add up the rates, as if every position were examined. The second token counts only if "
        "the first was accepted, too: multiply.": "np.prod(rates[:n]) → [1, *rates][n]",
        "The pass has one token more than the draft: it costs v(γ + 1), "
        "not v(γ).": "v(gamma + 1) → v(max(gamma, 1))",
        "You return seconds per round. Divide by the tokens per round.": " / tokens[-1] → ",
        "You left out o, the host's time, which every round pays once, also at γ = 0.": " + o) → )",
        "If every draft loses, the best γ is 0. Include γ = 0 when you look for the "
        "best.": "speedup.index(max(speedup)) → 1 + speedup[1:].index(max(speedup[1:]))",
    },
    insight="A few measured numbers predict the speed of every γ. If no draft pays, the best γ is "
    "0.",
    parts=("tokens", "seconds", "speedup", "best"),
    describe_case=lambda rates, c, v, o, t: (
        f"rates = {rates if len(rates) < 5 else f'{len(rates)} times {rates[0]}'}, c = {c}, "
        f"v(1) = {v(1):.3g}, v(2) = {v(2):.3g}, v(9) = {v(9):.3g}, o = {o} and t = {t}"
    ),
)

the_plan = plan  # its name in the lesson


def draft_verdict(alpha: float, c: float, v: Cost, o: float) -> str:
    """-> "gains", "guesses too badly" or "can only lose"."""
    own = the_plan([alpha] * 8, c, v, o, t=1.0)
    perfect = the_plan([1.0] * 8, c, v, o, t=1.0)
    if own["best"] > 0:
        return "gains"
    return "guesses too badly" if perfect["best"] > 0 else "can only lose"


# (alpha, c, v, o)
DRAFTS = (
    (0.3, 0.01, step_cost(0.05), 0.05),  # rarely right, but almost free
    (0.7, 0.6, step_cost(0.0, 3.0), 0.0),  # slow: only the longest perfect draft gains
    (0.5, 0.2, step_cost(0.4), 0.05),  # alpha > c, but verification is expensive
    (0.3, 0.35, step_cost(0.02), 1.0),  # alpha < c, but a slow host is paid less often
    (0.6, 0.1, step_cost(0.02), 1.0),  # gains, but not over a target without host time
    (0.9, 0.05, step_cost(0.02, 1.0), 0.1),  # loses at gamma = 1, gains from longer drafts
    (0.95, 0.05, step_cost(0.02, 6.0), 0.1),  # gains only at gamma = 8
    (0.98, 1.0, step_cost(0.05), 0.02),  # nearly the target, and as slow
    (0.9, 0.6, step_cost(0.5), 0.0),  # c < 1, and even a perfect draft loses
    (0.3, 0.5, step_cost(0.0, 5.0, free=4), 0.0),  # a perfect draft gains if it is short
    (0.3, 0.05, step_cost(0.02, 1.5), 0.1),  # a perfect draft gains, though not at gamma = 1
    (0.7, 0.05, step_cost(0.0, 1.2), 0.0),  # gains from gamma = 3 on
    (0.0, 0.0, step_cost(0.0), 0.0),  # free and never right: as fast as without it
)
OWN, PERFECT = 'own["best"] > 0', 'perfect["best"] > 0'  # pieces of the solution

check_draft_verdict = Exercise(
    "draft_verdict",
    cases=DRAFTS,
    solution=draft_verdict,
    mistakes={
        "You compare α with c. That is right if verification and host are free; here they cost v(γ "
        "+ 1) and o.": f"{OWN} → alpha > c; {PERFECT} → c < 1",
        "You test whether c < 1 to see if a perfect draft gains. It pays for v and o, too: plan "
        "with α = 1.": f"{PERFECT} → c < 1",
        "You compare with a target without host time. The loop without a draft pays it, too: "
        "compare with γ = "
        "0.": f'{OWN} → max(own["speedup"]) > 1 + o; {PERFECT} → max(perfect["speedup"]) > 1 + o',
        "You only try γ = 1. Take the best of all draft "
        "lengths.": f'{OWN} → own["speedup"][1] > 1; {PERFECT} → perfect["speedup"][1] > 1',
        'A draft that loses at its α may gain at a higher one. "Can only lose" means that even α = '
        "1 loses.": f'"guesses too badly" if {PERFECT} else  → ',
        "A draft that loses even at α = 1 can only lose, "
        "however well it guesses.": f' if {PERFECT} else "can only lose" → ',
    },
    insight="A draft that can only lose is too slow for this machine: training it cannot help.",
    describe_case=lambda alpha, c, v, o: (
        f"α = {alpha}, c = {c}, v(2) = {v(2):.3g}, v(9) = {v(9):.3g} and o = {o}"
    ),
)


def predict_rows(
    plain: float, lengths: Sequence[int], tokens: Sequence[float], times: Sequence[float],
    fit_rows: int,
) -> dict:  # fmt: skip
    """-> {"times": ms per token of every row, "best": one of lengths}"""
    lengths, tokens = np.array(lengths), np.array(tokens)
    rounds = tokens * times / plain  # in passes without a draft
    c, a = np.polyfit(lengths[:fit_rows], rounds[:fit_rows], 1)
    predicted = plain * (a + c * lengths) / tokens
    return {"times": predicted, "best": lengths[predicted.argmin()]}


def rows(table: published.PublishedTable, fit_rows: int) -> tuple:
    """Return the arguments of `predict_rows` for a published table."""
    return table.plain, list(table.lengths), list(table.tokens), list(table.times), fit_rows


check_predict_rows = Exercise(
    "predict_rows",
    cases=[
        rows(published.EAGLE_1, 2),
        rows(published.EAGLE_3, 2),
        rows(published.EAGLE_3, 4),
        # the line does not choose the row that was reported as fastest
        (5.0, [1, 2, 4, 8], [1.7, 2.3, 2.9, 3.3], [4.2, 3.5, 3.3, 3.2], 3),
        # the best K is one of those that were not fitted
        (5.0, [1, 2, 4, 8], [1.7, 2.3, 3.4, 5.0], [4.2, 3.5, 3.3, 3.2], 2),
    ],
    solution=predict_rows,
    mistakes={
        "You fit all rows, including those to predict. "
        "Fit the first `fit_rows` only.": "lengths[:fit_rows], rounds[:fit_rows] → lengths, rounds",
        "You swapped a and c: np.polyfit returns the slope first.": "c, a = np → a, c = np",
        "You fit the time per TOKEN. For the time of a round, multiply by the tokens per "
        "round.": "tokens * times / plain → np.array(times) / plain;  / tokens\n → \n",
        "You return the times of a round. Divide by the tokens per round.": " / tokens\n → \n",
        "You return passes of plain decoding. "
        "Multiply by `plain` to get milliseconds.": "= plain * (a → = (a",
        "You return an index in the list. "
        "Return the K at that index.": "lengths[predicted.argmin()] → predicted.argmin()",
    },
    insight="Two rows give the two costs. The other rows test whether the cost is a straight line.",
    parts=("times", "best"),
)
