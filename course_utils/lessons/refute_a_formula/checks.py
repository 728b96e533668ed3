"""Checks of this elective: who refutes a claim, and one row of a table read four ways."""

from collections.abc import Callable
from math import isclose

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.plain import plain
from course_utils.classroom.slip import slip
from course_utils.decoding import theory
from course_utils.decoding.theory import expected_tokens, speedup

Formula = Callable[[float, int, float], float]  # (alpha, gamma, c) -> claimed speedup
Point = tuple[float, int, float]


def counterexample_to(formula: Formula) -> Point | None:
    """A point (alpha, gamma, c) where the formula is not `theory.speedup`, or None."""
    for alpha in (1.0, 0.9, 0.6, 0.3, 0.0):
        for gamma in (1, 2, 5, 8):
            for c in (0.05, 0.2, 0.7):
                claimed = formula(alpha, gamma, c)
                if not np.isclose(claimed, theory.speedup(alpha, gamma, c)):
                    return alpha, gamma, c
    return None


def _wrong_at(formula: Formula, point: Point) -> bool:
    return not isclose(formula(*point), speedup(*point), rel_tol=1e-6)


# name -> (formula, what to say if it is judged wrongly); the right ones first
RIGHT = ("theorem 3.8", "theorem 3.8, rounded otherwise")
FORMULAS: dict[str, tuple[Formula, str]] = {
    "theorem 3.8": (
        speedup,
        "You refute the true formula. Compare its value with theory.speedup at the same point.",
    ),
    "theorem 3.8, rounded otherwise": (
        lambda alpha, gamma, c: speedup(alpha, gamma, c) * (1 + 1e-13),
        "You refute the true formula because of its last digits, which rounding changes. "
        "Compare with a tolerance (np.isclose), not with ==.",
    ),
    "claim A": (
        lambda alpha, gamma, c: alpha * (1 + gamma / c),
        "You pass α(1 + γ/c). Is every point of your grid compared?",
    ),
    "each token tried": (
        lambda alpha, gamma, c: (1 + gamma * alpha) / (gamma * c + 1),
        "You pass (1 + γα)/(γc + 1), which is too high from γ = 2 on wherever 0 < α < 1. Is such "
        "a point in your grid? Then look at how you compare.",
    ),
    "never more than 2": (
        lambda alpha, gamma, c: min(2.0, speedup(alpha, gamma, c)),
        "You pass a formula that says 2 wherever the truth is more. A claim may be too low, and "
        "your grid needs a cheap draft that is often right.",
    ),
    "never loses": (
        lambda alpha, gamma, c: max(1.0, speedup(alpha, gamma, c)),
        "You pass a formula that says 1 wherever a draft in truth loses. Try α below c as well.",
    ),
    "wrong at the end": (
        lambda alpha, gamma, c: c if alpha >= 1 else speedup(alpha, gamma, c),
        "You pass a formula that is wrong at α = 1 only. Put both ends of the range into "
        "your grid.",
    ),
    "wrong at the other end": (
        lambda alpha, gamma, c: speedup(alpha, gamma, c) if alpha > 0 else 0.0,
        "You pass a formula that is wrong at α = 0 only. Put both ends of the range into "
        "your grid.",
    ),
    "a little too high": (
        lambda alpha, gamma, c: speedup(alpha, gamma, c) * (1 + 0.001 * alpha),
        "You pass a formula that is up to 0.1 % too high. A tolerance is for the last digits only.",
    ),
    "one draft length": (
        lambda alpha, gamma, c: speedup(alpha, 4, c),
        "You pass a formula that takes γ for 4, whatever it is. Try more than one γ.",
    ),
    "drafts for free": (
        lambda alpha, gamma, c: expected_tokens(alpha, gamma) / (c + 1),
        "You pass E[tokens]/(c + 1), which lets a round pay for one drafted token only.",
    ),
}
REFUTED = "refuted"
ONE_POINT = "You try a single point of your grid. If `return None` is in a loop, move it behind it."


def _judgements(tester: Callable[[Formula], Point | None]) -> dict[str, str | None]:
    """For each formula None, `REFUTED`, or what is wrong with the point that refutes it."""
    tried = []

    def noting(alpha: float, gamma: int, c: float) -> float:
        tried.append(max(map(np.size, (alpha, gamma, c))))
        return speedup(alpha, gamma, c)

    if tester(noting) is None and sum(tried) == 1:
        return dict.fromkeys(FORMULAS, ONE_POINT)
    return {name: _judgement(name, plain(tester(FORMULAS[name][0]))) for name in FORMULAS}


def _judgement(name: str, point: object) -> str | None:
    if point is None or point is ...:
        return None
    if isinstance(point, bool):
        return "Return the point itself, (α, γ, c), or None; not True or False."
    try:
        alpha, gamma, c = map(float, point)
    except (TypeError, ValueError):
        return "Return one point, three numbers (α, γ, c), or None."
    if not (0 <= alpha <= 1 and gamma >= 1 and gamma.is_integer() and c > 0):
        return f"{point} is no case of the formula: α is in [0, 1], γ a whole number, c > 0."
    point = alpha, int(gamma), c  # of an array, in which γ is a float
    if name not in RIGHT and not _wrong_at(FORMULAS[name][0], point):
        return f"At {point} a formula that you refute is right. Return a point where it is wrong."
    return REFUTED


def _misjudging(name: str) -> Callable[[Formula], Point | None]:
    """A tester that is right about every formula but this one."""

    def tester(formula: Formula) -> Point | None:
        if formula is FORMULAS[name][0]:
            return (1.0, 1, 0.05) if name in RIGHT else None
        return counterexample_to(formula)

    return tester


check_counterexample = Exercise(
    "counterexample",
    cases=[()],
    right=counterexample_to,
    mistakes={ONE_POINT: slip(counterexample_to, ("    return None", 16 * " " + "return None"))}
    | {missed: _misjudging(name) for name, (_, missed) in FORMULAS.items()},
    insight="A grid cannot prove a formula right; one point proves it wrong.",
    ask=_judgements,
    form=lambda judged: next((x for x in judged.values() if x not in (None, REFUTED)), None),
    parts=tuple(FORMULAS),
)

# ------------------------------------------------------------------ one row, four ways


def four_readings(gamma: int, rate: float, saved: float) -> dict[str, float]:
    """Tokens per round of a published row, by its calls saved and by each meaning of its rate."""
    return {
        "by the calls saved": 1 / (1 - saved),
        "if the rate is α": sum(rate**i for i in range(gamma + 1)),
        "if accepted / drafted": 1 + gamma * rate,
        "if accepted / emitted": 1 / (1 - rate),
    }


check_four_readings = Exercise(
    "four_readings",
    cases=[(3, 0.85, 0.45), (8, 0.5, 0.6)],
    right=four_readings,
    mistakes={
        "That is tokens per SAVED call. For each token 1 − saved calls are made: turn that over.": (
            ("1 / (1 - saved)", "1 / saved")
        ),
        "Those are the calls for a token. Asked are the tokens of a call: turn it over.": (
            ("1 / (1 - saved)", "1 - saved")
        ),
        "You count the tokens saved alone: saved / (1 − saved) are the accepted ones of a round. "
        "The round emits one more.": ("1 / (1 - saved)", "saved / (1 - saved)"),
        "One term is missing: with all γ guesses accepted a round emits γ + 1 tokens.": (
            ("range(gamma + 1)", "range(gamma)")
        ),
        "You left out the target's own token: the sum begins with rate**0 = 1.": (
            ("range(gamma + 1)", "range(1, gamma + 1)")
        ),
        "That would be right if every position were tried. If the rate is α, the second guess "
        "counts only if the first was accepted: add up the powers.": (
            ("sum(rate**i for i in range(gamma + 1))", "1 + gamma * rate")
        ),
        "That is the limit of long drafts. A round drafts γ tokens and no more.": (
            ("sum(rate**i for i in range(gamma + 1))", "1 / (1 - rate)")
        ),
        "Those are the accepted tokens. Every round emits one more.": (
            ("1 + gamma * rate", "gamma * rate")
        ),
        "You multiply γ + 1 tokens. Only γ are drafted; the last one is the target's own.": (
            ("1 + gamma * rate", "(gamma + 1) * rate")
        ),
        "The rate is (n − 1)/n, with n tokens per round. Solve that for n.": (
            ('emitted": 1 / (1 - rate)', 'emitted": 1 / rate')
        ),
        "Those are the accepted tokens of a round. It emits one more: n = 1/(1 − rate).": (
            ('emitted": 1 / (1 - rate)', 'emitted": rate / (1 - rate)')
        ),
    },
    insight="Calls saved and accepted / emitted are the same share: each accepted token saves a "
    "call.",
    parts=(
        "by the calls saved",
        "if the rate is α",
        "if accepted / drafted",
        "if accepted / emitted",
    ),
)
