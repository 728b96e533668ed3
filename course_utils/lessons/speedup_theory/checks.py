"""Checks of this lesson: four rates, the planner, which draft gains, rows that were held out."""

from collections.abc import Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.engines import published
from course_utils.lessons.speedup_theory.planner import Cost, plan

# ------------------------------------------------------------------ the four rates

RATES = ("accepted / drafted", "accepted / examined", "tokens / round", "accepted / emitted")


def _four_rates(drafted: int, accepted: int, corrections: int, rounds: int) -> dict[str, float]:
    return {
        "accepted / drafted": accepted / drafted,
        "accepted / examined": accepted / (accepted + corrections),
        "tokens / round": (accepted + rounds) / rounds,
        "accepted / emitted": accepted / (accepted + rounds),
    }


check_four_rates = Exercise(
    "four_rates",
    cases=[(400, 236, 59, 100), (40, 30, 2, 8)],  # drafted, accepted, corrections, rounds
    solution=_four_rates,
    mistakes={
        "You count corrections as accepted. The target said them; the draft did not.": (
            (": accepted / drafted", ": (accepted + corrections) / drafted")
        ),
        "You count corrections and bonuses as accepted. The target said them; the draft did not.": (
            (": accepted / drafted", ": (accepted + rounds) / drafted")
        ),
        "Tokens behind a rejection were drafted but never examined. Examined are the accepted "
        "ones and those rejected, one for each correction.": (
            ("accepted / (accepted + corrections)", "accepted / drafted")
        ),
        "A round without a rejection examines only what it accepts: count corrections, not "
        "rounds.": ("accepted / (accepted + corrections)", "accepted / (accepted + rounds)"),
        "Every round also emits a correction or a bonus: add it.": (
            ("(accepted + rounds) / rounds", "accepted / rounds")
        ),
        "You forgot the bonuses. Every round emits one token more than it accepts.": (
            ("(accepted + rounds) / rounds", "(accepted + corrections) / rounds")
        ),
        "A correction is emitted, too: one more token in every round that ends with one.": (
            ("(accepted + rounds) / rounds", "(accepted + rounds - corrections) / rounds")
        ),
        "That is the draft length, tokens drafted per round. Count those that are emitted.": (
            ("(accepted + rounds) / rounds", "drafted / rounds")
        ),
        "Rejected tokens are not emitted: add the rounds to the accepted tokens, not to the "
        "drafted ones.": ("(accepted + rounds) / rounds", "(drafted + rounds) / rounds"),
        "You forgot the bonuses among the emitted tokens. Every round emits one token more than "
        "it accepts.": ("accepted / (accepted + rounds)", "accepted / (accepted + corrections)"),
        "Corrections are emitted tokens, too: every round emits one token more than it accepts.": (
            ("accepted / (accepted + rounds)", "accepted / (accepted + rounds - corrections)")
        ),
    },
    insight="All four are called acceptance rate somewhere; accepted / examined is the one that "
    "estimates α.",
    parts=RATES,
)

# ------------------------------------------------------------------ the planner


def _sloping(slope: float) -> Cost:
    return lambda k: 1 + slope * (k - 1)


check_planner = Exercise(
    "planner",
    cases=[
        ([0.9, 0.6, 0.8, 0.3], 0.2, _sloping(0.1), 0.4, 0.02),  # every cost counts
        ([0.9] * 12, 0.05, lambda k: 1 if k <= 8 else 2, 0.2, 0.005),  # v(8) still costs 1
        ([0.97] * 16, 0.01, _sloping(0), 0.5, 0.01),  # the more the better
        ([0.05, 0.1, 0.2], 0.3, _sloping(0.2), 0.0, 0.03),  # every draft loses
        ([0.05], 0.06, lambda k: 0.9 if k == 2 else 1, 0.0, 0.01),  # gains though α < c
        ([0.95] * 4, 0.05, lambda k: 2.1 if k > 1 else 1, 0.0, 0.01),  # γ = 1 loses, 2 gains
    ],
    solution=plan,
    must_not_mutate=True,
    mistakes={
        "That is for γ = 1, ..., the longest. Let γ = 0 be the first entry: draft nothing, one "
        "token per round.": ("range(len(rates) + 1)", "range(1, len(rates) + 1)"),
        "The last γ is missing. With n rates γ runs from 0 to n, both included, and range(n) ends "
        "at n - 1.": ("range(len(rates) + 1)", "range(len(rates))"),
        "After its accepted drafts each round brings one token more, correction or bonus, also at "
        "γ = 0. Do you count it?": ("range(gamma + 1)", "range(1, gamma + 1)"),
        "One term is missing: with all γ drafts accepted a round emits γ + 1 tokens.": (
            ("range(gamma + 1)", "range(max(gamma, 1))")
        ),
        "1 + the sum of the rates would be right if every position were tried. The second token "
        "counts only if the first was accepted, too: multiply.": (
            ("prod(rates[:n])", "[1, *rates][n]")
        ),
        "That is the formula at the mean rate. It is off where the rates differ: multiply those of "
        "the positions before, each by its own.": (
            ("prod(rates[:n])", "(sum(rates[:gamma]) / max(gamma, 1)) ** n")
        ),
        "You take the mean of all rates for each position. Multiply the rates of the positions "
        "before, each by its own.": ("prod(rates[:n])", "(sum(rates) / len(rates)) ** n"),
        "You take the first rate for all positions. Each has its own.": (
            ("prod(rates[:n])", "rates[0] ** n")
        ),
        "You take the rate of position i to the power i, as if the positions before had the same. "
        "Each has its own: multiply r1, r2, ..., up to ri.": (
            ("prod(rates[:n])", "[1, *rates][n] ** n")
        ),
        "That is the chance that the whole draft is accepted. Shorter prefixes bring tokens as "
        "well: add up the chances of all of them.": (
            ("sum(prod(rates[:n]) for n in range(gamma + 1))", "prod(rates[:gamma])")
        ),
        "You count the whole draft or nothing. Shorter prefixes bring tokens as well: add up the "
        "chances of all of them.": (
            ("sum(prod(rates[:n]) for n in range(gamma + 1))", "1 + gamma * prod(rates[:gamma])")
        ),
        "You add before you multiply: the first drafted token counts with r1, not with 1.": (
            ("rates[:n]", "rates[: max(n - 1, 0)]")
        ),
        "You use all rates at every γ. A round that drafts γ tokens has only the first γ "
        "positions.": (("range(gamma + 1)", "range(len(rates) + 1)")),
        "The pass holds one token more than was drafted: it costs v(γ + 1), not v(γ).": (
            ("v(gamma + 1)", "v(gamma)")
        ),
        "The pass holds one token more than was drafted: it costs v(γ + 1), not v(γ), for every "
        "γ.": ("v(gamma + 1)", "v(max(gamma, 1))"),
        "You let the pass over γ + 1 tokens cost 1. It costs v(γ + 1).": ("v(gamma + 1)", "1"),
        "You count verification and host as free: a pass costs v(γ + 1), and the host o.": (
            ("v(gamma + 1) + o", "1")
        ),
        "You left out o, the host's time, which every round pays once.": (" + o)", ")"),
        "Without a draft the loop pays the host, too: at γ = 0 a round costs v(1) + o.": (
            (" + o)", " + o * (gamma > 0))")
        ),
        "A round pays the host once, however many tokens it drafts: o, not γ times o.": (
            (" + o)", " + gamma * o)")
        ),
        "You left out γ·c, the draft's time.": ("gamma * c + ", ""),
        "Drafting γ tokens takes γ passes of the draft: γ times c.": ("gamma * c", "c"),
        "The last token of a round is the target's own. The draft makes γ passes, not γ + 1.": (
            ("gamma * c", "(gamma + 1) * c")
        ),
        "The target does not pass over the tokens one by one. All γ + 1 are in one pass, which "
        "costs v(γ + 1).": ("v(gamma + 1)", "gamma + 1"),
        "v(γ + 1) is the cost of the whole pass already; do not multiply it by γ + 1.": (
            ("v(gamma + 1)", "(gamma + 1) * v(gamma + 1)")
        ),
        "Those are seconds per round. Divide by the tokens that the round brings.": (
            (" / brought", "")
        ),
        "You divide by γ + 1, as if every drafted token were accepted. Divide by the expected "
        "tokens.": ("/ brought", "/ (gamma + 1)"),
        "That is in passes of the target. Multiply by t to have seconds.": ("t * (", "("),
        "Those are tokens per second. Asked are seconds per token.": (
            ("t * (", "brought / (t * ("),
            (" / brought", ")"),
        ),
        "That is the time over that of γ = 0. A speedup above 1 means faster: turn the fraction "
        "over.": ("seconds[0] / each", "each / seconds[0]"),
        "You compare with a target that pays no host. Without a draft the loop pays it, too: "
        "divide the seconds at γ = 0 by those at γ.": ("seconds[0]", "t"),
        "Those are the tokens per round. A round with a draft also takes longer: compare seconds "
        "per token.": ("[seconds[0] / each for each in seconds]", "tokens"),
        "You compare with γ = 1. The speedup is over γ = 0, no draft.": (
            ("seconds[0]", "seconds[1]")
        ),
        "That is the gain, 0 where nothing is gained. The speedup is 1 there.": (
            ("/ each", "/ each - 1")
        ),
        "You take the γ with the most tokens per round, whatever the round costs. Take the one "
        "with the highest speedup.": ("speedup.index(max(speedup))", "tokens.index(max(tokens))"),
        "That is the slowest γ. Take the one with the highest speedup.": (
            ("max(speedup)", "min(speedup)")
        ),
        "That is the highest speedup. Return the γ that reaches it.": (
            ("speedup.index(max(speedup))", "max(speedup)")
        ),
        "Where every draft loses, the answer is 0. Let 0 compete: no draft, one token per pass.": (
            ("speedup.index(max(speedup))", "1 + speedup[1:].index(max(speedup[1:]))")
        ),
        "You stop where the speedup first falls. It may rise again: compare all γ.": (
            "speedup.index(max(speedup))",
            "next((i for i, s in enumerate(speedup[1:]) if s < speedup[i]), len(rates))",
        ),
        "The longest γ may be the best, too. Let it compete.": ("(speedup))", "(speedup[:-1]))"),
        "Off by one: the first entry of the list belongs to γ = 0.": (
            ("max(speedup))", "max(speedup)) + 1")
        ),
        "Where no draft pays, return the number 0, not None.": (
            ("max(speedup))", "max(speedup)) or None")
        ),
    },
    insight="A few measured numbers say what every γ will bring. Where no draft repays its round, "
    "γ = 0 is the answer.",
    parts=("tokens", "seconds", "speedup", "best"),
    describe_case=lambda rates, c, v, o, t: (
        f"rates = {rates if len(rates) < 5 else f'{len(rates)} times {rates[0]}'}, c = {c}, "
        f"v(1) = {v(1):.3g}, v(2) = {v(2):.3g}, v(9) = {v(9):.3g}, o = {o} and t = {t}"
    ),
)

# ------------------------------------------------------------------ which draft gains

VERDICTS = ("gains", "guesses too badly", "can only lose")
LONGEST = 8  # the longest draft on offer; v is measured up to 9 tokens
the_plan = plan  # as the lesson calls it


def draft_verdict(alpha: float, c: float, v: Cost, o: float) -> str:
    """One of `VERDICTS`: at its alpha some gamma gains; at alpha = 1 some would; none would."""
    own = the_plan([alpha] * 8, c, v, o, t=1.0)
    perfect = the_plan([1.0] * 8, c, v, o, t=1.0)
    if own["best"] > 0:
        return "gains"
    return "guesses too badly" if perfect["best"] > 0 else "can only lose"


def measured(extra: float, step: float = 0.0, free: int = 1) -> Cost:
    """v(k) of an imagined machine: `step` for more than `free` tokens, `extra` for each of them.

    The function raises for more tokens than were measured.
    """

    def v(k: int) -> float:
        if not 1 <= k <= LONGEST + 1:
            raise LookupError(f"v was measured for 1 to {LONGEST + 1} tokens, not for {k}")
        return 1 + extra * (k - 1) + step * (k > free)

    return v


# (alpha, c, v, o)
DRAFTS = (
    (0.3, 0.01, measured(0.05), 0.05),  # rarely right, but next to nothing to pay
    (0.7, 0.6, measured(0.0, 3.0), 0.0),  # slow: only the longest perfect draft gains
    (0.5, 0.2, measured(0.4), 0.05),  # alpha > c, but verification is expensive
    (0.3, 0.35, measured(0.02), 1.0),  # alpha < c, but a slow host is asked less often
    (0.6, 0.1, measured(0.02), 1.0),  # gains; not over a target that pays no host
    (0.9, 0.05, measured(0.02, 1.0), 0.1),  # loses at gamma = 1, gains from longer drafts
    (0.95, 0.05, measured(0.02, 6.0), 0.1),  # gains at gamma = 8 alone
    (0.98, 1.0, measured(0.05), 0.02),  # nearly the target: as slow as the target
    (0.9, 0.6, measured(0.5), 0.0),  # c < 1, and even a perfect draft loses
    (0.3, 0.5, measured(0.0, 5.0, free=4), 0.0),  # a perfect draft gains if it is short
    (0.3, 0.05, measured(0.02, 1.5), 0.1),  # a perfect draft gains, though not at gamma = 1
    (0.7, 0.05, measured(0.0, 1.2), 0.0),  # gains from gamma = 3 on
    (0.0, 0.0, measured(0.0), 0.0),  # costs nothing, brings nothing: as fast as without it
)


def _draft_in_words(alpha: float, c: float, v: Cost, o: float) -> str:
    own, perfect = (the_plan([rate] * LONGEST, c, v, o, 1.0)["speedup"] for rate in (alpha, 1.0))
    return (
        f"α = {alpha}, c = {c}, v(2) = {v(2):.3g}, v(9) = {v(9):.3g}, o = {o}, where the best "
        f"speedup is {max(own):.2f}, and {max(perfect):.2f} at α = 1,"
    )


def _one_of_three(answer: object, *_) -> str | None:
    if answer in VERDICTS:
        return None
    return f"{answer!r:.40} is none of the three answers: {', '.join(VERDICTS)}."


OWN, PERFECT = 'own["best"] > 0', 'perfect["best"] > 0'  # pieces of the solution
check_draft_verdict = Exercise(
    "draft_verdict",
    cases=DRAFTS,
    solution=draft_verdict,
    mistakes={
        "You compare α with c. That is the criterion where verification and host are free; here "
        "they cost v(γ + 1) and o.": ((OWN, "alpha > c"), (PERFECT, "c < 1")),
        "You left out v, or you took v(γ): the pass is over γ + 1 tokens and costs v(γ + 1).": (
            lambda alpha, c, v, o: draft_verdict(alpha, c, lambda k: 1.0, o)
        ),
        "You left out c: each drafted token costs a pass of the draft.": (
            lambda alpha, c, v, o: draft_verdict(alpha, 0.0, v, o)
        ),
        "You left out o, the host's time, which every round pays.": (
            lambda alpha, c, v, o: draft_verdict(alpha, c, v, 0.0)
        ),
        "You compare with a target that pays no host. The loop without a draft pays it as well: "
        "compare with γ = 0.": (
            (OWN, 'max(own["speedup"]) > 1 + o'),
            (PERFECT, 'max(perfect["speedup"]) > 1 + o'),
        ),
        "You take c < 1 for the question whether a perfect draft gains. It pays for v and o, too: "
        "plan with α = 1.": (PERFECT, "c < 1"),
        "You try the perfect draft at γ = 8 only. A shorter one may gain where that one loses.": (
            (PERFECT, 'perfect["speedup"][-1] > 1')
        ),
        "You try γ = 8 only, with α and with 1. Take the best of all lengths.": (
            (OWN, 'own["speedup"][-1] > 1'),
            (PERFECT, 'perfect["speedup"][-1] > 1'),
        ),
        "A perfect draft is never wrong: its α is 1, not a little less.": ("[1.0]", "[0.99]"),
        "You give the planner powers of α. Its rates hold for a token whose predecessors were "
        "accepted: eight times α.": ("[alpha] * 8", "[alpha**n for n in range(1, 9)]"),
        "You try γ = 1 only. Where a round costs much whatever it drafts, longer drafts can gain "
        "though a single token does not.": (OWN, 'own["speedup"][1] > 1'),
        "You do not try all lengths. Those on offer go from 1 to 8, and 8 may be the only one that "
        "gains.": (OWN, 'max(own["speedup"][:-1]) > 1'),
        "You do not try all lengths, neither with α nor with 1. Those on offer go from 1 to 8.": (
            (OWN, 'max(own["speedup"][:-1]) > 1'),
            (PERFECT, 'max(perfect["speedup"][:-1]) > 1'),
        ),
        "You try the perfect draft at γ = 1 only; try all lengths with α = 1, too.": (
            (PERFECT, 'perfect["speedup"][1] > 1')
        ),
        "You try γ = 1 only, with α and with 1. Take the best of all lengths.": (
            (OWN, 'own["speedup"][1] > 1'),
            (PERFECT, 'perfect["speedup"][1] > 1'),
        ),
        'A draft that loses at its α may gain at a better one. "Can only lose" means: not even '
        "α = 1 helps.": (f'"guesses too badly" if {PERFECT} else ', ""),
        "A draft that loses even at α = 1 can only lose, however well it guesses.": (
            (f' if {PERFECT} else "can only lose"', "")
        ),
    },
    insight="What can only lose is too slow for this machine: no training of the draft helps.",
    validate=_one_of_three,
    describe_case=_draft_in_words,
)

# ------------------------------------------------------------------ rows that were held out

Table = tuple[float, Sequence[int], Sequence[float], Sequence[float], int]


def foretell(
    plain: float, lengths: Sequence[int], tokens: Sequence[float], times: Sequence[float], seen: int
) -> dict:
    """A line through the costs of the first `seen` rounds; "times" of all rows, and "best"."""
    lengths, tokens = np.array(lengths), np.array(tokens)
    rounds = tokens * times / plain  # in passes without a draft
    c, a = np.polyfit(lengths[:seen], rounds[:seen], 1)
    foretold = plain * (a + c * lengths) / tokens
    return {"times": foretold, "best": lengths[foretold.argmin()]}


def _rows(table: published.PublishedTable, seen: int) -> Table:
    return table.plain, list(table.lengths), list(table.tokens), list(table.times), seen


check_foretell = Exercise(
    "foretell",
    cases=[
        _rows(published.EAGLE_1, 2),
        _rows(published.EAGLE_3, 2),
        _rows(published.EAGLE_3, 4),
        # the fastest row that was reported is not the one that the line chooses
        (5.0, [1, 2, 4, 8], [1.7, 2.3, 2.9, 3.3], [4.2, 3.5, 3.3, 3.2], 3),
        # the best K is one of those that were not fitted
        (5.0, [1, 2, 4, 8], [1.7, 2.3, 3.4, 5.0], [4.2, 3.5, 3.3, 3.2], 2),
    ],
    solution=foretell,
    mistakes={
        "You fit all rows, also those that you were to foretell. Fit the first `seen`.": (
            "lengths[:seen], rounds[:seen]",
            "lengths, rounds",
        ),
        "You fit the rows that you were to foretell. Fit the first `seen`.": (
            "lengths[:seen], rounds[:seen]",
            "lengths[seen - 1 :], rounds[seen - 1 :]",
        ),
        "You choose among the rows that you fitted. The best K may be one that you foretell.": (
            "foretold.argmin()",
            "foretold[:seen].argmin()",
        ),
        "You draw the line through two rows. Where more are seen, each of them counts: least "
        "squares.": ("lengths[:seen], rounds[:seen]", "lengths[:2], rounds[:2]"),
        "a and c are swapped: np.polyfit gives the slope first.": ("c, a = np", "a, c = np"),
        "You fit the time per TOKEN. A round takes as long as all its tokens: multiply by the "
        "tokens per round.": (
            ("tokens * times / plain", "np.array(times) / plain"),
            (" / tokens\n", "\n"),
        ),
        "Those are the times of a round. Divide by the tokens that it brings.": (
            (" / tokens\n", "\n")
        ),
        "Those are passes without a draft. Multiply by `plain` to have milliseconds.": (
            ("= plain * (a", "= (a")
        ),
        "You multiply by the accepted tokens only. Tokens per round hold the correction or bonus "
        "already.": ("tokens * times", "(tokens - 1) * times"),
        "You number the rows 0, 1, 2, ... in place of K. The table begins at its own K.": (
            ("polyfit(lengths[:seen]", "polyfit(np.arange(seen)")
        ),
        "Your line goes through 0. A round costs a even where nothing is drafted.": (
            "np.polyfit(lengths[:seen], rounds[:seen], 1)",
            "rounds[:seen] @ lengths[:seen] / (lengths[:seen] @ lengths[:seen]), 0.0",
        ),
        "You take a for 1: verification that is free, and no host. The rows say what a is.": (
            "np.polyfit(lengths[:seen], rounds[:seen], 1)",
            "(rounds[:seen] - 1) @ lengths[:seen] / (lengths[:seen] @ lengths[:seen]), 1.0",
        ),
        "You return the times of the unseen rows only. Foretell all of them.": (
            ('"times": foretold', '"times": foretold[seen:]')
        ),
        "That is the place in the list, counted from 0. Return the K that stands there.": (
            ("lengths[foretold.argmin()]", "foretold.argmin()")
        ),
        "That is the K of the least REPORTED time. Take the least time that you foretell.": (
            ("foretold.argmin()", "np.argmin(times)")
        ),
        "That is the K with the most tokens per round, whatever the round costs.": (
            ("foretold.argmin()", "tokens.argmax()")
        ),
    },
    insight="Two rows give the two costs. The rows that the line has not seen say whether it is "
    "one.",
    parts=("times", "best"),
    describe_case=lambda plain, lengths, tokens, times, seen: (
        f"plain = {plain}, K = {lengths}, tokens = {tokens}, times = {times} and seen = {seen}"
    ),
)
