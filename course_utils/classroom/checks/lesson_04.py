"""Checks of lesson 04: tokens a round, the best gamma, the four rates."""

from collections.abc import Callable, Mapping

import numpy as np

from course_utils.classroom.checks.feedback import Feedback, judge
from course_utils.decoding.theory import expected_tokens, speedup_with_costs

LARGEST = 16  # the gammas the second exercise looks at
RATES = ("accepted / drafted", "accepted / examined", "tokens / round", "accepted / emitted")


def check_expected_tokens(function: Callable) -> Feedback:
    """`function(alpha, gamma)` should be 1 + alpha + ... + alpha^gamma, also at alpha = 1."""

    def attempt() -> float | None:
        answer = function(0.8, 4)
        return None if answer is ... else answer

    def diagnose(answer: float) -> str | None:
        a, g = 0.8, 4
        right = expected_tokens(a, g)
        mistakes = {
            right - 1: "That is the accepted drafts alone. The token after them, correction "
            "or bonus, comes in every round: add 1.",
            expected_tokens(a, g - 1): "One term is missing. With all γ drafts accepted a round "
            "emits γ + 1 tokens, so the last power is α^γ.",
            1 + g * a: "1 + γα would be right if every position were tried. After the first "
            "rejection the rest is thrown away.",
            g * a: "γα would be right if every position were tried. After the first rejection "
            "the rest is thrown away, and one more token always comes.",
            1 / (1 - a): "That is the limit for γ → ∞; a round stops after γ + 1 tokens.",
            1 - a ** (g + 1): "Divide by 1 − α.",
        }
        message = _likeliest(answer, right, mistakes, "α = 0.8 and γ = 4")
        if message is None:
            message = _at_one(function)
        return message

    return judge("expected_tokens", attempt, diagnose)


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

    def attempt() -> tuple | None:
        answers = (function(tokens, 0.05, v, 1.0), function(hopeless, 0.3, free, 0.0))
        return None if all(a is None or a is ... for a in answers) else answers

    def diagnose(answers: tuple) -> str | None:
        gamma, losing = (int(a) for a in answers)
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

    def attempt() -> dict | None:
        answer = function(drafted, accepted, corrections, rounds)
        blank = isinstance(answer, Mapping) and set(answer.values()) == {...}
        return None if blank else answer

    def diagnose(answer: Mapping) -> str | None:
        missing = [name for name in RATES if name not in answer]
        if missing:
            return f"Your dictionary lacks {missing[0]!r}."
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


def _at_one(function: Callable) -> str | None:
    try:
        at_one = float(function(1.0, 4))
    except ZeroDivisionError:
        at_one = np.nan
    if not np.isclose(at_one, 5):
        return (
            "Right, except at α = 1, where (1 − α^(γ+1))/(1 − α) is 0/0 and the answer is γ + 1. "
            "Add up the powers instead."
        )
    return None


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
