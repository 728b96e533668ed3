"""Checks of this lesson, and its four rates.

The planner, the triage of drafts and the test of claims have files of their own.
"""

from collections.abc import Callable

from course_utils.classroom.exercise import Exercise
from course_utils.lessons.speedup_theory.claims import check_counterexample, counterexample_to
from course_utils.lessons.speedup_theory.draft_check import check_draft_verdict, draft_verdict
from course_utils.lessons.speedup_theory.planner_check import check_planner

__all__ = [
    "check_counterexample",
    "check_draft_verdict",
    "check_four_rates",
    "check_planner",
    "counterexample_to",
    "draft_verdict",
]

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
        "A correction is emitted, too: one more token in every round that ends with one.": (
            _rate("tokens / round", lambda d, a, c, r: (a + r - c) / r)
        ),
        "That is the draft length, tokens drafted per round. Count those that are emitted.": _rate(
            "tokens / round", lambda d, a, c, r: d / r
        ),
        "Rejected tokens are not emitted: add the rounds to the accepted tokens, not to the "
        "drafted ones.": _rate("tokens / round", lambda d, a, c, r: (d + r) / r),
        "You forgot the bonuses among the emitted tokens. Every round emits one token more than "
        "it accepts.": _rate("accepted / emitted", lambda d, a, c, r: a / (a + c)),
        "Corrections are emitted tokens, too: every round emits one token more than it accepts.": (
            _rate("accepted / emitted", lambda d, a, c, r: a / (a + r - c))
        ),
    },
    insight="All four are called acceptance rate somewhere; accepted / examined is the one that "
    "estimates α.",
    parts=RATES,
)
