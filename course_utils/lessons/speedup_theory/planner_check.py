"""The check of the planner, part by part: tokens, seconds, speedup, the best gamma."""

from collections.abc import Callable, Sequence
from math import prod

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.theory import expected_tokens, expected_tokens_by_position
from course_utils.lessons.speedup_theory.planner import Cost, plan

PARTS = ("tokens", "seconds", "speedup", "best")


def _cost(gamma: int, c: float, v: Cost, o: float) -> float:
    return gamma * c + v(gamma + 1) + o


def _fastest(made: dict) -> int:
    return made["speedup"].index(max(made["speedup"]))


def _student(
    tokens: Callable = lambda rates, gamma: expected_tokens_by_position(rates[:gamma]),
    cost: Callable = _cost,
    seconds: Callable = lambda cost, tokens, t, gamma: t * cost / tokens,
    speedup: Callable = lambda seconds, gamma, made: seconds[0] / seconds[gamma],
    best: Callable = _fastest,
    gammas: Callable[[int], Sequence[int]] = lambda longest: range(longest + 1),
) -> Callable:
    """A planner that does one thing otherwise."""

    def planner(rates: Sequence[float], c: float, v: Cost, o: float, t: float) -> dict:
        tried = gammas(len(rates))
        made: dict = {"tokens": [tokens(rates, gamma) for gamma in tried]}
        made["costs"] = [cost(gamma, c, v, o) for gamma in tried]
        known = zip(made["costs"], made["tokens"], tried, strict=True)
        made["seconds"] = [seconds(cost, brought, t, gamma) for cost, brought, gamma in known]
        made["speedup"] = [speedup(made["seconds"], i, made) for i in range(len(tried))]
        made["best"] = best(made)
        return {part: made[part] for part in PARTS}

    return planner


def _tokens_of(count: Callable[[Sequence[float]], float]) -> Callable:
    """A student who counts the tokens of a round in this way from the rates of its positions."""
    return _student(tokens=lambda rates, gamma: count(rates[:gamma]))


def _costing(cost: Callable[[int, float, Cost, float], float]) -> Callable:
    return _student(cost=cost)


def _plain_without_host(seconds: list, gamma: int, made: dict) -> float:
    return made["tokens"][gamma] / made["costs"][gamma]


TOKENS = {
    "That is for γ = 1, ..., the longest. Let γ = 0 be the first entry: draft nothing, one token "
    "per round.": _student(gammas=lambda longest: range(1, longest + 1)),
    "The last γ is missing. With n rates γ runs from 0 to n, both included, and range(n) ends at "
    "n - 1.": _student(gammas=range),
    "Those are the accepted drafts alone. The token after them, correction or bonus, comes in "
    "every round: add 1.": _tokens_of(lambda rates: expected_tokens_by_position(rates) - 1),
    "One term is missing: with all γ drafts accepted a round emits γ + 1 tokens.": _tokens_of(
        lambda rates: expected_tokens_by_position(rates[:-1])
    ),
    "1 + the sum of the rates would be right if every position were tried. The second token "
    "counts only if the first was accepted, too: multiply.": _tokens_of(
        lambda rates: 1 + sum(rates)
    ),
    "That is the formula at the mean rate. It is off where the rates differ: multiply those of "
    "the positions before, each by its own.": _tokens_of(
        lambda rates: expected_tokens(sum(rates) / max(len(rates), 1), len(rates))
    ),
    "You take the mean of all rates for each position. Multiply the rates of the positions before, "
    "each by its own.": _student(
        tokens=lambda rates, gamma: expected_tokens(sum(rates) / len(rates), gamma)
    ),
    "You take the first rate for all positions. Each has its own.": _tokens_of(
        lambda rates: expected_tokens(rates[0] if rates else 0, len(rates))
    ),
    "You take the rate of position i to the power i, as if the positions before had the same. "
    "Each has its own: multiply r1, r2, ..., up to ri.": _tokens_of(
        lambda rates: 1 + sum(rate**i for i, rate in enumerate(rates, 1))
    ),
    "That is the chance that the whole draft is accepted. Shorter prefixes bring tokens as "
    "well: add up the chances of all of them.": _tokens_of(prod),
    "You count the whole draft or nothing. Shorter prefixes bring tokens as well: add up the "
    "chances of all of them.": _tokens_of(lambda rates: 1 + len(rates) * prod(rates)),
    "You add before you multiply: the first drafted token counts with r1, not with 1.": _tokens_of(
        lambda rates: 1 + expected_tokens_by_position(rates[:-1]) if rates else 1
    ),
    "You use all rates at every γ. A round that drafts γ tokens has only the first γ positions.": (
        _student(tokens=lambda rates, gamma: expected_tokens_by_position(rates))
    ),
}
SECONDS = {
    "The pass holds one token more than was drafted: it costs v(γ + 1), not v(γ).": _costing(
        lambda gamma, c, v, o: gamma * c + v(gamma) + o
    ),
    "The pass holds one token more than was drafted: it costs v(γ + 1), not v(γ), for every "
    "γ.": _costing(lambda gamma, c, v, o: gamma * c + v(max(gamma, 1)) + o),
    "You let the pass over γ + 1 tokens cost 1. It costs v(γ + 1).": _costing(
        lambda gamma, c, v, o: gamma * c + 1 + o
    ),
    "You count verification and host as free: a pass costs v(γ + 1), and the host o.": _costing(
        lambda gamma, c, v, o: gamma * c + 1
    ),
    "You left out o, the host's time, which every round pays once.": _costing(
        lambda gamma, c, v, o: gamma * c + v(gamma + 1)
    ),
    "Without a draft the loop pays the host, too: at γ = 0 a round costs v(1) + o.": _costing(
        lambda gamma, c, v, o: _cost(gamma, c, v, o) - o * (gamma == 0)
    ),
    "A round pays the host once, however many tokens it drafts: o, not γ times o.": _costing(
        lambda gamma, c, v, o: _cost(gamma, c, v, gamma * o)
    ),
    "You left out γ·c, the draft's time.": _costing(lambda gamma, c, v, o: v(gamma + 1) + o),
    "Drafting γ tokens takes γ passes of the draft: γ times c.": _costing(
        lambda gamma, c, v, o: c + v(gamma + 1) + o
    ),
    "The last token of a round is the target's own. The draft makes γ passes, not γ + 1.": _costing(
        lambda gamma, c, v, o: _cost(gamma, c, v, o) + c
    ),
    "The target does not pass over the tokens one by one. All γ + 1 are in one pass, which costs "
    "v(γ + 1).": _costing(lambda gamma, c, v, o: gamma * c + gamma + 1 + o),
    "v(γ + 1) is the cost of the whole pass already; do not multiply it by γ + 1.": _costing(
        lambda gamma, c, v, o: gamma * c + (gamma + 1) * v(gamma + 1) + o
    ),
    "Those are seconds per round. Divide by the tokens that the round brings.": _student(
        seconds=lambda cost, tokens, t, gamma: t * cost
    ),
    "You divide by γ + 1, as if every drafted token were accepted. Divide by the expected "
    "tokens.": _student(seconds=lambda cost, tokens, t, gamma: t * cost / (gamma + 1)),
    "That is in passes of the target. Multiply by t to have seconds.": _student(
        seconds=lambda cost, tokens, t, gamma: cost / tokens
    ),
    "Those are tokens per second. Asked are seconds per token.": _student(
        seconds=lambda cost, tokens, t, gamma: tokens / (t * cost)
    ),
}
SPEEDUP = {
    "That is the time over that of γ = 0. A speedup above 1 means faster: turn the fraction "
    "over.": _student(speedup=lambda seconds, i, made: seconds[i] / seconds[0]),
    "You compare with a target that pays no host. Without a draft the loop pays it, too: divide "
    "the seconds at γ = 0 by those at γ.": _student(speedup=_plain_without_host),
    "Those are the tokens per round. A round with a draft also takes longer: compare seconds per "
    "token.": _student(speedup=lambda seconds, i, made: made["tokens"][i]),
    "You compare with γ = 1. The speedup is over γ = 0, no draft.": _student(
        speedup=lambda seconds, i, made: seconds[1] / seconds[i]
    ),
    "That is the gain, 0 where nothing is gained. The speedup is 1 there.": _student(
        speedup=lambda seconds, i, made: seconds[0] / seconds[i] - 1
    ),
}
BEST = {
    "You take the γ with the most tokens per round, whatever the round costs. Take the one with "
    "the highest speedup.": _student(
        best=lambda made: max(range(len(made["tokens"])), key=made["tokens"].__getitem__)
    ),
    "That is the slowest γ. Take the one with the highest speedup.": _student(
        best=lambda made: made["speedup"].index(min(made["speedup"]))
    ),
    "That is the highest speedup. Return the γ that reaches it.": _student(
        best=lambda made: max(made["speedup"])
    ),
    "Where every draft loses, the answer is 0. Let 0 compete: no draft, one token per pass.": (
        _student(best=lambda made: 1 + made["speedup"][1:].index(max(made["speedup"][1:])))
    ),
    "The longest γ may be the best, too. Let it compete.": _student(
        best=lambda made: made["speedup"][:-1].index(max(made["speedup"][:-1]))
    ),
    "Off by one: the first entry of the list belongs to γ = 0.": _student(
        best=lambda made: _fastest(made) + 1
    ),
    "Where no draft pays, return the number 0, not None.": _student(
        best=lambda made: _fastest(made) or None
    ),
}


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
    ],
    right=plan,
    mistakes=TOKENS | SECONDS | SPEEDUP | BEST,
    insight="A few measured numbers say what every γ will bring. Where no draft repays its round, "
    "γ = 0 is the answer.",
    parts=PARTS,
    shown=lambda rates, c, v, o, t: (
        f"rates = {rates if len(rates) < 5 else f'{len(rates)} times {rates[0]}'}, c = {c}, "
        f"v(1) = {v(1):.3g}, v(2) = {v(2):.3g}, v(9) = {v(9):.3g}, o = {o} and t = {t}"
    ),
)
