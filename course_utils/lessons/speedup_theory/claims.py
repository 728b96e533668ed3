"""The check of this lesson's claims: can a tester refute what is wrong, and only that?"""

from collections.abc import Callable
from itertools import product
from math import isclose

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.plain import plain
from course_utils.decoding.theory import expected_tokens, speedup

Formula = Callable[[float, int, float], float]  # (alpha, gamma, c) -> claimed speedup
Point = tuple[float, int, float]

GRID = tuple(product((1.0, 0.8, 0.6, 0.3, 0.0), (1, 2, 5, 8), (0.05, 0.2, 0.5, 1.0)))


def counterexample_to(formula: Formula) -> Point | None:
    """A point (alpha, gamma, c) of `GRID` where the formula is not `theory.speedup`, or None."""
    return next((point for point in GRID if _wrong_at(formula, point)), None)


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
        "You pass (1 + γα)/(γc + 1), which is wrong from γ = 2 on wherever 0 < α < 1. Try longer "
        "drafts.",
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
    "a little too high": (
        lambda alpha, gamma, c: speedup(alpha, gamma, c) * (1 + 0.02 * alpha),
        "You pass a formula that is up to 2 % too high. A tolerance is for the last digits only.",
    ),
    "drafts for free": (
        lambda alpha, gamma, c: expected_tokens(alpha, gamma) / (c + 1),
        "You pass E[tokens]/(c + 1), which lets a round pay for one drafted token only.",
    ),
}
REFUTED = "refuted"


def _judgements(tester: Callable[[Formula], Point | None]) -> dict[str, str | None]:
    """For each formula None, `REFUTED`, or what is wrong with the point that refutes it."""
    return {name: _judgement(name, plain(tester(FORMULAS[name][0]))) for name in FORMULAS}


def _judgement(name: str, point: object) -> str | None:
    if point is None or point is ...:
        return None
    if isinstance(point, bool):
        return "Return the point itself, (α, γ, c), or None; not True or False."
    try:
        alpha, gamma, c = point
    except (TypeError, ValueError):
        return "Return one point, three numbers (α, γ, c), or None."
    if not (0 <= alpha <= 1 and gamma >= 1 and int(gamma) == gamma and c > 0):
        return f"{point} is no case of the formula: α is in [0, 1], γ a whole number, c > 0."
    if name not in RIGHT and not _wrong_at(FORMULAS[name][0], point):
        return f"At {point} a formula that you refute is right. Return a point where it is wrong."
    return REFUTED


def _misjudging(name: str) -> Callable[[Formula], Point | None]:
    """A tester that is right about every formula but this one."""

    def tester(formula: Formula) -> Point | None:
        if formula is FORMULAS[name][0]:
            return GRID[0] if name in RIGHT else None
        return counterexample_to(formula)

    return tester


check_counterexample = Exercise(
    "counterexample",
    cases=[()],
    right=counterexample_to,
    mistakes={missed: _misjudging(name) for name, (_, missed) in FORMULAS.items()},
    insight="A grid cannot prove a formula right; one point proves it wrong.",
    ask=_judgements,
    form=lambda judged: next((x for x in judged.values() if x not in (None, REFUTED)), None),
    parts=tuple(FORMULAS),
)
