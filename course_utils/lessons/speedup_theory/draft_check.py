"""The check of this lesson's triage: which draft gains, and which can only lose?"""

from collections.abc import Callable, Sequence
from functools import partial

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.theory import expected_tokens, speedup_with_costs
from course_utils.lessons.speedup_theory.planner import Cost, plan

VERDICTS = ("gains", "guesses too badly", "can only lose")
LONGEST = 8  # the longest draft on offer; v is measured up to 9 tokens
GAMMAS = range(1, LONGEST + 1)


def draft_verdict(
    alpha: float,
    c: float,
    v: Cost,
    o: float,
    tried: Sequence[int] = GAMMAS,
    tried_perfect: Sequence[int] = GAMMAS,
) -> str:
    """One of `VERDICTS`: at its alpha some gamma gains; at alpha = 1 some would; none would."""
    if _best(alpha, c, v, o, tried) > 1:
        return "gains"
    return "guesses too badly" if _best(1.0, c, v, o, tried_perfect) > 1 else "can only lose"


def measured(extra: float, step: float = 0.0) -> Cost:
    """v(k) of an imagined machine: `step` for more than one token, `extra` for each of them.

    The function raises for more tokens than were measured.
    """

    def v(k: int) -> float:
        if not 1 <= k <= LONGEST + 1:
            raise LookupError(f"v was measured for 1 to {LONGEST + 1} tokens, not for {k}")
        return 1 + extra * (k - 1) + step * (k > 1)

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
)


def _best(alpha: float, c: float, v: Cost, o: float, gammas: Sequence[int] = GAMMAS) -> float:
    """The highest speedup over the loop without a draft."""
    speedup = plan([alpha] * LONGEST, c, v, o, 1.0)["speedup"]
    return max(speedup[gamma] for gamma in gammas)


def _by_alpha_and_c(alpha: float, c: float, v: Cost, o: float) -> str:
    if alpha > c:
        return "gains"
    return "guesses too badly" if c < 1 else "can only lose"


def _plain_without_host(alpha: float, c: float, v: Cost, o: float) -> str:
    def best(a: float) -> float:
        return max(speedup_with_costs(expected_tokens(a, g), g, c, v, o) for g in GAMMAS)

    return "gains" if best(alpha) > 1 else "guesses too badly" if best(1) > 1 else "can only lose"


def _two_answers(if_not: str) -> Callable:
    """A student who only asks whether it gains."""
    return lambda *draft: "gains" if _best(*draft) > 1 else if_not


def _draft_in_words(alpha: float, c: float, v: Cost, o: float) -> str:
    return (
        f"α = {alpha}, c = {c}, v(2) = {v(2):.3g}, v(9) = {v(9):.3g}, o = {o}, where the best "
        f"speedup is {_best(alpha, c, v, o):.2f}, and {_best(1.0, c, v, o):.2f} at α = 1,"
    )


def _one_of_three(answer: object, *_) -> str | None:
    if answer in VERDICTS:
        return None
    return f"{answer!r:.40} is none of the three answers: {', '.join(VERDICTS)}."


check_draft_verdict = Exercise(
    "draft_verdict",
    cases=DRAFTS,
    right=draft_verdict,
    mistakes={
        "You compare α with c. That is the criterion where verification and host are free; here "
        "they cost v(γ + 1) and o.": _by_alpha_and_c,
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
        "compare with γ = 0.": _plain_without_host,
        "You try γ = 1 only. Where a round costs much whatever it drafts, longer drafts can gain "
        "though a single token does not.": partial(draft_verdict, tried=[1]),
        "You do not try all lengths. Those on offer go from 1 to 8, and 8 may be the only one that "
        "gains.": partial(draft_verdict, tried=range(1, LONGEST)),
        "You do not try all lengths, neither with α nor with 1. Those on offer go from 1 to 8.": (
            partial(draft_verdict, tried=range(1, LONGEST), tried_perfect=range(1, LONGEST))
        ),
        "You try the perfect draft at γ = 1 only; try all lengths with α = 1, too.": partial(
            draft_verdict, tried_perfect=[1]
        ),
        "You try γ = 1 only, with α and with 1. Take the best of all lengths.": partial(
            draft_verdict, tried=[1], tried_perfect=[1]
        ),
        'A draft that loses at its α may gain at a better one. "Can only lose" means: not even '
        "α = 1 helps.": _two_answers("can only lose"),
        "A draft that loses even at α = 1 can only lose, however well it guesses.": _two_answers(
            "guesses too badly"
        ),
    },
    insight="What can only lose is too slow for this machine: no training of the draft helps.",
    form=_one_of_three,
    shown=_draft_in_words,
)
