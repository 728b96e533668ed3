"""Checks of this lesson: tokens per round by position, the four rates, the best gamma.

The triage of drafts and the test of claims have files of their own.
"""

from collections.abc import Callable, Sequence
from math import prod

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.theory import (
    expected_tokens,
    expected_tokens_by_position,
    speedup_with_costs,
)
from course_utils.lessons.speedup_theory.claims import check_counterexample, counterexample_to
from course_utils.lessons.speedup_theory.draft_check import check_draft_verdict, draft_verdict

__all__ = [
    "check_best_gamma",
    "check_counterexample",
    "check_draft_verdict",
    "check_four_rates",
    "check_tokens_by_position",
    "counterexample_to",
    "draft_verdict",
]

check_tokens_by_position = Exercise(
    "tokens_by_position",
    # acceptance at position 1, 2, ..., given that the ones before were accepted
    cases=[([0.5, 0.7, 0.9],), ([0.9, 0.6],), ([0.8] * 4,), ([1.0, 1.0, 1.0],)],
    right=expected_tokens_by_position,
    mistakes={
        "Those are the accepted drafts alone. The token after them, correction or bonus, comes in "
        "every round: add 1.": lambda rates: expected_tokens_by_position(rates) - 1,
        "One term is missing: with all γ drafts accepted a round emits γ + 1 tokens.": (
            lambda rates: expected_tokens_by_position(rates[:-1])
        ),
        "1 + the sum of the rates would be right if every position were tried. The second token "
        "counts only if the first was accepted, too: multiply.": lambda rates: 1 + sum(rates),
        "That is the formula at the mean rate. It is off where the rates differ: multiply those of "
        "the positions before, each by its own.": (
            lambda rates: expected_tokens(sum(rates) / len(rates), len(rates))
        ),
        "You take the rate of position i to the power i, as if the positions before had the same. "
        "Each has its own: multiply r1, r2, ..., up to ri.": (
            lambda rates: 1 + sum(rate**i for i, rate in enumerate(rates, 1))
        ),
        "That is the chance that the whole draft is accepted. Shorter prefixes bring tokens as "
        "well: add up the chances of all of them.": prod,
        "You count the whole draft or nothing. Shorter prefixes bring tokens as well: add up the "
        "chances of all of them.": lambda rates: 1 + len(rates) * prod(rates),
    },
    insight="Early rejections cost the most. A mean rate does not know where they happen.",
)

# --- four rates -----------------------------------------------------------------------

RATES = ("accepted / drafted", "accepted / examined", "tokens / round", "accepted / emitted")


def _four_rates(drafted: int, accepted: int, corrections: int, rounds: int) -> dict[str, float]:
    rates = (
        accepted / drafted,
        accepted / (accepted + corrections),
        (accepted + rounds) / rounds,
        accepted / (accepted + rounds),
    )
    return dict(zip(RATES, rates, strict=True))


def _rate(name: str, wrong: Callable[[int, int, int, int], float]) -> Callable:
    """A student who gets this one wrong."""
    return lambda *counts: _four_rates(*counts) | {name: wrong(*counts)}


check_four_rates = Exercise(
    "four_rates",
    cases=[(400, 236, 59, 100), (40, 30, 2, 8)],  # drafted, accepted, corrections, rounds
    right=_four_rates,
    mistakes={
        "You count corrections as accepted. The target said them; the draft did not.": (
            _rate("accepted / drafted", lambda d, a, c, r: (a + c) / d)
        ),
        "You count corrections and bonuses as accepted. The target said them; the draft did "
        "not.": _rate("accepted / drafted", lambda d, a, c, r: (a + r) / d),
        "Tokens behind a rejection were drafted but never examined. Examined are the accepted "
        "ones and those rejected, one for each correction.": (
            _rate("accepted / examined", lambda d, a, c, r: a / d)
        ),
        "A round without a rejection examines only what it accepts: count corrections, not "
        "rounds.": _rate("accepted / examined", lambda d, a, c, r: a / (a + r)),
        "Every round also emits a correction or a bonus: add it.": (
            _rate("tokens / round", lambda d, a, c, r: a / r)
        ),
        "You forgot the bonuses. Every round emits one token more than it accepts.": (
            _rate("tokens / round", lambda d, a, c, r: (a + c) / r)
        ),
        "You forgot the bonuses among the emitted tokens. Every round emits one token more than "
        "it accepts.": _rate("accepted / emitted", lambda d, a, c, r: a / (a + c)),
    },
    insight="All four are called acceptance rate somewhere; accepted / examined is the one that "
    "estimates α.",
    parts=RATES,
)

# --- the best gamma -------------------------------------------------------------------

ALL = range(17)  # the gammas on offer; 0: do not draft


def _tokens(alpha: float) -> Callable[[int], float]:
    return lambda gamma: expected_tokens(alpha, gamma)


def _fastest(speed: Callable, gammas: Sequence[int] = ALL) -> Callable:
    """A student who takes the gamma with the highest speed(gamma, tokens, c, v, o)."""
    return lambda *machine: max(gammas, key=lambda gamma: speed(gamma, *machine))


def _speed(gamma: int, tokens: Callable, c: float, v: Callable, o: float) -> float:
    return speedup_with_costs(tokens(gamma), gamma, c, v, o)


check_best_gamma = Exercise(
    "best_gamma",
    cases=[
        (_tokens(0.7), 0.2, lambda k: 1 + 0.1 * (k - 1), 2.0),  # 4, and another without each cost
        (_tokens(0.9), 0.05, lambda k: 1 if k <= 8 else 2, 0.2),  # 7: v(8) still costs 1
        (_tokens(0.97), 0.01, lambda k: 1.0, 0.5),  # 16: the more the better
        (_tokens(0.05), 0.3, lambda k: 1.0, 0.0),  # 0: every draft loses
    ],
    right=_fastest(_speed),
    mistakes={
        "You maximise the tokens of a round. Divide by what the round costs.": (
            _fastest(lambda gamma, tokens, c, v, o: tokens(gamma))
        ),
        "The pass holds one token more than was drafted: it costs v(γ + 1), not v(γ).": (
            _fastest(lambda gamma, tokens, c, v, o: tokens(gamma) / (gamma * c + v(gamma) + o))
        ),
        "Your optimum is that of free verification. Here a pass over γ + 1 tokens costs v(γ + 1), "
        "not 1.": _fastest(lambda gamma, tokens, c, v, o: tokens(gamma) / (gamma * c + 1 + o)),
        "Your optimum is that of free verification and an idle host. Add v(γ + 1) and o.": (
            _fastest(lambda gamma, tokens, c, v, o: tokens(gamma) / (gamma * c + 1))
        ),
        "You left out o, the host's time, which every round pays once.": (
            _fastest(lambda gamma, tokens, c, v, o: tokens(gamma) / (gamma * c + v(gamma + 1)))
        ),
        "You left out γ·c, the draft's time.": (
            _fastest(lambda gamma, tokens, c, v, o: tokens(gamma) / (v(gamma + 1) + o))
        ),
        "Drafting γ tokens takes γ passes of the draft: γ times c.": (
            _fastest(lambda gamma, tokens, c, v, o: tokens(gamma) / (c + v(gamma + 1) + o))
        ),
        "16 is on offer as well, and range(16) ends at 15.": _fastest(_speed, range(16)),
        "Where every draft loses, the answer is 0. Let 0 compete: no draft, one token per pass.": (
            _fastest(_speed, range(1, 17))
        ),
        "That is the highest speedup. Return the γ that reaches it.": (
            lambda *machine: max(_speed(gamma, *machine) for gamma in ALL)
        ),
    },
    insight="A round pays for γ + 1 tokens in one pass, γ drafts and the host. Where no draft "
    "repays that, γ = 0 is the answer.",
    shown=lambda tokens, c, v, o: (
        f"tokens(1) = {tokens(1):.3g}, c = {c}, v(2) = {v(2):.3g}, v(9) = {v(9):.3g} and o = {o}"
    ),
)
