"""Checks of lesson 04: tokens a round by position, the four rates, the best gamma.

The triage of drafts and the test of claims have files of their own.
"""

from collections.abc import Callable, Mapping, Sequence
from math import prod

import numpy as np

from course_utils.classroom.diagnosis import answers, likeliest, whole_number
from course_utils.classroom.feedback import Feedback, judge
from course_utils.decoding.theory import (
    expected_tokens,
    expected_tokens_by_position,
    speedup_with_costs,
)

# acceptance at position 1, 2, ..., given that the ones before were accepted
RATES_BY_POSITION = (((0.5, 0.7, 0.9),), ((0.9, 0.6),), ((0.8,) * 4,), ((1.0, 1.0, 1.0),))

LARGEST = 16  # the gammas the second exercise looks at
RATES = ("accepted / drafted", "accepted / examined", "tokens / round", "accepted / emitted")


def check_tokens_by_position(function: Callable[[Sequence[float]], float]) -> Feedback:
    """`function(rates)` should be 1 + r1 + r1 r2 + ... + r1 r2 ... r_gamma."""

    def diagnose(given: Sequence) -> str | None:
        return likeliest(given, RATES_BY_POSITION, expected_tokens_by_position, _POSITION_MISTAKES)

    return judge("tokens_by_position", lambda: answers(function, RATES_BY_POSITION), diagnose)


_POSITION_MISTAKES = {
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
    "That is the chance that the whole draft stays. Shorter prefixes bring tokens as well: "
    "add up the chances of all of them.": prod,
    "You count the whole draft or nothing. Shorter prefixes bring tokens as well: add up the "
    "chances of all of them.": lambda rates: 1 + len(rates) * prod(rates),
}


def check_best_gamma(function: Callable) -> Feedback:
    """`function(tokens, c, v, o)` should be the fastest gamma in 0..16; 0: do not draft."""

    def best(score: Callable[[int], float], start: int = 0) -> int:
        return max(range(start, LARGEST + 1), key=score)

    def tokens(gamma: int) -> float:
        return expected_tokens(0.8, gamma)

    def hopeless(gamma: int) -> float:
        return expected_tokens(0.05, gamma)

    def v(k: int) -> float:
        return 1 + 0.2 * (k - 1)

    def free(k: int) -> float:
        return 1.0

    def attempt() -> tuple:
        return function(tokens, 0.05, v, 1.0), function(hopeless, 0.3, free, 0.0)

    def diagnose(given: tuple) -> str | None:
        gamma, losing = map(whole_number, given)
        right = best(lambda g: speedup_with_costs(tokens(g), g, 0.05, v, 1.0))
        mistakes = {
            LARGEST: "You maximise the tokens of a round. Divide by what the round costs.",
            best(lambda g: tokens(g) / (g * 0.05 + 1)): "Your optimum is that of free "
            "verification. Here a pass over γ + 1 tokens costs v(γ + 1), not 1.",
            best(lambda g: tokens(g) / (g * 0.05 + v(g + 1))): "You left out o, the host's time, "
            "which every round pays once.",
            best(lambda g: tokens(g) / (v(g + 1) + 1)): "You left out γ·c, the draft's time.",
        }
        if gamma != right:
            return mistakes.get(gamma, f"Expected γ = {right} for the first case, not {gamma}.")
        if losing != 0:
            return (
                f"With α = 0.05 and c = 0.3 every draft loses, and you answer γ = {losing}. "
                "Let 0 compete: no draft, one token a pass."
            )
        return None

    return judge("best_gamma", attempt, diagnose)


def check_four_rates(function: Callable) -> Feedback:
    """`function(drafted, accepted, corrections, rounds)` -> a dict with the keys of RATES."""
    drafted, accepted, corrections, rounds = 400, 236, 59, 100
    right = {
        "accepted / drafted": accepted / drafted,
        "accepted / examined": accepted / (accepted + corrections),
        "tokens / round": (accepted + rounds) / rounds,
        "accepted / emitted": accepted / (accepted + rounds),
    }

    def attempt() -> Mapping:
        return function(drafted, accepted, corrections, rounds)

    def diagnose(answer: Mapping) -> str | None:
        for name in RATES:
            if name not in answer:
                return f"Your dictionary lacks {name!r}."
            if answer[name] is ... or answer[name] is None:
                return f"{name!r} is still open."
        mistakes = {
            "accepted / drafted": {
                (accepted + corrections) / drafted: "You count corrections as accepted. The "
                "target said them; the draft did not.",
                (accepted + rounds) / drafted: "You count corrections and bonuses as accepted. "
                "The target said them; the draft did not.",
            },
            "accepted / examined": {
                accepted / drafted: "Tokens behind a rejection were drafted but never examined. "
                "Examined are the accepted ones and those rejected, one for each correction.",
                accepted / (accepted + rounds): "A round without a rejection examines only what "
                "it accepts: count corrections, not rounds.",
            },
            "tokens / round": {
                accepted / rounds: "Every round also emits a correction or a bonus: add it.",
                (accepted + corrections) / rounds: "You forgot the bonuses. Every round emits "
                "one token more than it accepts.",
            },
            "accepted / emitted": {
                accepted / (accepted + corrections): "You forgot the bonuses among the emitted "
                "tokens. Every round emits one token more than it accepts.",
            },
        }
        for name in RATES:
            message = _likeliest(answer[name], right[name], mistakes[name], "this run", name)
            if message:
                return message
        return None

    return judge("four_rates", attempt, diagnose)


def _likeliest(
    answer: float, right: float, mistakes: Mapping[float, str], case: str, name: str = ""
) -> str | None:
    """None if right; else what the wrong number gives away."""
    subject = f"{name}: " if name else ""
    if np.isclose(answer, right):
        return None
    for value, message in mistakes.items():
        if np.isclose(answer, value):
            return subject + message
    return f"{subject}for {case} it is {right:.3g}, not {float(answer):.3g}."
