"""The check of the token-wise rule.

Cases worked out by hand, each of which gives a mistake away; random rows of other
shapes; and uniforms that can only be compared, as those of an enumeration.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from itertools import count

import numpy as np

from course_utils.classroom.exercise import Exercise, alike
from course_utils.decoding.contracts import Rows, Rule, Uniforms, Verdict
from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import sample

OTHER_SHAPES = ((1, 2), (3, 5), (5, 3))  # (gamma, vocabulary) of random rows
HAND_WORKED = (2, 4)  # the shape of q
OF_EACH = 20  # enough that each uniform accepts and rejects, and all mistakes run in 0.1 s


class Comparable:
    """A uniform that can be compared and nothing else, like those of an enumeration."""

    __array_ufunc__ = None

    def __init__(self, value: float):
        self._value = value

    def __repr__(self) -> str:
        return f"u = {self._value}"

    def __lt__(self, other: float) -> bool:
        return self._value < other

    def __le__(self, other: float) -> bool:
        return self._value <= other

    def __gt__(self, other: float) -> bool:
        return self._value > other

    def __ge__(self, other: float) -> bool:
        return self._value >= other


def as_rule(function: Callable) -> Rule:
    """A student's rule as a value, for the loop; rows reach it as NumPy arrays."""

    def verify(p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms) -> Verdict:
        q = None if q is None else np.asarray(q)  # None: nothing was drafted
        accepted, token = function(np.asarray(p), q, drafted, uniforms)
        return Verdict(int(accepted), int(token))

    return Rule("yours", verify, lossless=True, source="an exercise of this lesson")


def token_wise(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> tuple[int, int]:
    """(accepted, token): the lesson's model solution."""
    for i, x in enumerate(drafted):
        if not uniforms[i] < p[i, x] / q[i, x]:
            return i, sample(residual(p[i], q[i]), uniforms[-1])
    return len(drafted), sample(p[-1], uniforms[-1])


def _cases() -> Iterator[tuple]:
    """(p, q, drafted, uniforms)"""
    p = np.array([[0.4, 0.3, 0.3, 0.0], [0.1, 0.2, 0.4, 0.3], [0.7, 0.1, 0.1, 0.1]])
    q = np.array([[0.1, 0.2, 0.6, 0.1], [0.3, 0.4, 0.2, 0.1]])
    # drafted, uniforms; p/q of the first row is 4, 1.5, 0.5, 0
    for case in (
        ((0, 2), [0.99, 0.99, 0.75]),  # (2, 1): a bonus from the last row
        ((2, 2), [0.4, 0.4, 0.75]),  # (2, 1): p < q, but the uniforms are low
        ((2, 2), [0.6, 0.1, 0.72]),  # (0, 0): the residual is 0.75, 0.25
        ((2, 2), [0.9, 0.1, 0.8]),  # (0, 1)
        ((2, 2), [0.8, 0.1, 0.1]),  # (0, 0)
        ((0, 0), [0.2, 0.5, 0.6]),  # (1, 3): the residual is 0.5, 0.5 on 2, 3
        ((0, 0), [0.9, 0.2, 0.75]),  # (2, 1): the second p/q is 1/3
        ((3, 2), [0.0, 0.5, 0.1]),  # (0, 0): p = 0 and u = 0
    ):
        yield p, q, *case
    rng = np.random.default_rng(0)
    for gamma, size in OTHER_SHAPES * OF_EACH:
        rows = rng.dirichlet(np.ones(size), gamma + 1), rng.dirichlet(np.ones(size), gamma)
        drafted = tuple(sample(row, u) for row, u in zip(rows[1], rng.random(gamma), strict=True))
        yield *rows, drafted, rng.random(gamma + 1).tolist()
    yield p, q, (0, 0), [Comparable(u) for u in (0.2, 0.5, 0.6)]


def _shown(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> str:
    if any(isinstance(u, Comparable) for u in uniforms):
        return "uniforms that can only be compared"
    if q.shape != HAND_WORKED:
        return f"{len(drafted)} drafted and {p.shape[-1]} words (are such numbers in your code?)"
    return f"drafted = {drafted}, uniforms = {uniforms}, p = {p.tolist()}, q = {q.tolist()},"


OWN_GENERATOR = (
    "Your answer to the same question differs from call to call: you draw numbers of your own. "
    "Use the uniforms that are given; then a run can be repeated and a program can prove the rule."
)
REPEATS = 8  # each of the cases below that number is asked again; a true draw rarely passes


def _asked(attempt: Callable, *case: object) -> object:
    """An answer; or OWN_GENERATOR, if it is another one the next time."""
    answer = attempt(*deepcopy(case))
    if case[1].shape == HAND_WORKED:
        again = [attempt(*deepcopy(case)) for _ in range(REPEATS)]
        if any(not alike(other, answer) for other in again):
            return OWN_GENERATOR
    return answer


# Pieces of the solution.
RATIO, RESIDUAL = "p[i, x] / q[i, x]", "residual(p[i], q[i])"
ACCEPTS, CORRECTION = f"uniforms[i] < {RATIO}", f"sample({RESIDUAL}, uniforms[-1])"
BONUS = "sample(p[-1], uniforms[-1])"
check_token_wise = Exercise(
    "token_wise",
    cases=list(_cases()),
    right=token_wise,
    mistakes={
        "For a draft that is accepted as a whole you return nothing. After the loop there is a "
        "bonus to draw.": ("return len(drafted), sample(p[-1], uniforms[-1])", "return None"),
        "After a rejection you return nothing: say how many are accepted, and the correction.": (
            "return i, sample(residual(p[i], q[i]), uniforms[-1])",
            "return None",
        ),
        "You return the token first. It is how many are accepted, and then the "
        "token.": lambda *given: token_wise(*given)[::-1],
        "`accepted` counts drafted tokens only, never the correction or the bonus.": (
            ("return i", "return i + 1"),
            ("return len(drafted)", "return len(drafted) + 1"),
        ),
        "p(x) = 0.4, q(x) = 0.1 and u = 0.99 must be accepted, since p/q > 1. Are p and q "
        "swapped?": (RATIO, "q[i, x] / p[i, x]"),
        "Draft i is judged by row i of p and row i of q. You took the row of p that follows it: "
        "is your row index off by one?": (RATIO, "p[i + 1, x] / q[i, x]"),
        "p/q = 0.5 and u = 0.4: accepted. You accept only if p ≥ q; the rule needs the uniform.": (
            ACCEPTS,
            "p[i, x] >= q[i, x]",
        ),
        "You accept every drafted token. p/q = 0.5 and u = 0.6: rejected.": (ACCEPTS, "True"),
        "You judge the drafts behind a rejection, too. The first rejection ends the round.": (
            (ACCEPTS, "True"),
            ("len(drafted)", f"sum({ACCEPTS} for i, x in enumerate(drafted))"),
        ),
        "You judge every draft by the first uniform. Compare draft i with uniforms[i].": (
            "uniforms[i]",
            "uniforms[0]",
        ),
        "You judge draft i by uniforms[i + 1]. Compare it with uniforms[i]; the last uniform is "
        "for the token after the draft.": ("uniforms[i]", "uniforms[i + 1]"),
        OWN_GENERATOR: lambda *_, draw=count(): (next(draw) % 2, 0),
        "You accept where the uniform is above p/q. It is the low ones that accept: u < p/q.": (
            "uniforms[i] <",
            "uniforms[i] >",
        ),
        "You judge every draft by the first rows of p and q. Draft i has row i of both.": (
            RATIO,
            "p[0, x] / q[0, x]",
        ),
        "You accept the target's likeliest token and no other. Any token may be drawn: accept x if "
        "u < p(x)/q(x).": (ACCEPTS, "x == p[i].argmax()"),
        "You compare the uniform with q(x). What counts is how often the target says x, too: "
        "p(x)/q(x).": (RATIO, "q[i, x]"),
        "You divide q by p, and accept u = q/p as well. It is u < p(x)/q(x).": (
            ACCEPTS,
            "uniforms[i] <= q[i, x] / p[i, x]",
        ),
        "You compare the uniform with p(x), and accept u = p as well. It is u < p(x)/q(x).": (
            ACCEPTS,
            "uniforms[i] <= p[i, x]",
        ),
        "You count the rejected draft. Accepted are those before it: i of them.": (
            "return i",
            "return i + 1",
        ),
        "You count the bonus. Accepted are drafted tokens: len(drafted) of them.": (
            "len(drafted)",
            "len(drafted) + 1",
        ),
        "You compare the uniform with p(x). It is p(x)/q(x): what the draft offers rarely is "
        "accepted more often.": (RATIO, "p[i, x]"),
        "You judge every draft by the last uniform, which is for the correction or the bonus.": (
            "uniforms[i]",
            "uniforms[-1]",
        ),
        "p(x) = 0 and u = 0 was accepted: the comparison must be strict, u < p/q.": (
            "uniforms[i] <",
            "uniforms[i] <=",
        ),
        "After a rejection the draft x is gone: draw the correction from the residual.": (
            CORRECTION,
            "x",
        ),
        "Your correction is always the likeliest token. It must be *drawn*, with sample(row, u).": (
            CORRECTION,
            "residual(p[i], q[i]).argmax()",
        ),
        "You take the likeliest token as the correction and as the bonus. Both must be *drawn*, "
        "with sample(row, u).": (
            (CORRECTION, "residual(p[i], q[i]).argmax()"),
            (BONUS, "p[-1].argmax()"),
        ),
        "Your correction is the likeliest token of p. It must be *drawn*, from the residual.": (
            CORRECTION,
            "p[i].argmax()",
        ),
        "You drew the correction with uniforms[i], which the rejection has used up. The last "
        "uniform is for the correction.": (CORRECTION, "sample(residual(p[i], q[i]), uniforms[i])"),
        "You drew the correction with uniforms[i + 1], which is for the next drafted token. The "
        "last uniform "
        "is for the correction.": (CORRECTION, "sample(residual(p[i], q[i]), uniforms[i + 1])"),
        "You drew the correction from p. Accepted drafts have used up a part of p: draw from the "
        "residual of p and q.": (RESIDUAL, "p[i]"),
        "You drew the correction from norm(max(q - p, 0)), what q has too much of. The residual "
        "is what p still lacks.": (RESIDUAL, "residual(q[i], p[i])"),
        "You drew every correction from the first rows of p and q. Rejected at i, it is row i of "
        "both.": (RESIDUAL, "residual(p[0], q[0])"),
        "You took the rejected token out of p and drew from the rest. Other tokens may be offered "
        "too often as well: "
        "draw from the residual.": (RESIDUAL, "np.where(np.arange(p.shape[-1]) == x, 0, p[i])"),
        "You drew the correction from q, the draft's. It must come from what p still lacks, the "
        "residual.": (RESIDUAL, "q[i]"),
        "You drew the correction from |p − q|. Where q is larger nothing is lacking: use "
        "rules.residual.": (RESIDUAL, "abs(p[i] - q[i])"),
        "You drew the correction from the last row of p, which is the bonus's. Rejected at i, it "
        "is the residual of row i.": (RESIDUAL, "p[-1]"),
        "You drew the correction from the last rows. Rejected at i, it is row i of p and of q.": (
            RESIDUAL,
            "residual(p[-1], q[-1])",
        ),
        "You took row i + 1 of p for the correction. Rejected at i, it is row i of p and of q.": (
            RESIDUAL,
            "residual(p[i + 1], q[i])",
        ),
        "You drew the bonus from a residual. Nothing was rejected, so no part of p is used up "
        "there: draw it from "
        "the last row of p itself.": (BONUS, "sample(residual(p[-1], q[-1]), uniforms[-1])"),
        "You drew the bonus from the residual of the last draft. That draft was accepted: draw the "
        "bonus from the last row of p.": (BONUS, "sample(residual(p[-2], q[-1]), uniforms[-1])"),
        "You drew the bonus from q. It is the target's own: draw it from the last row of p.": (
            BONUS,
            "sample(q[-1], uniforms[-1])",
        ),
        "You drew the bonus from the first row of p. It follows all drafted tokens: draw it from "
        "the last row.": (BONUS, "sample(p[0], uniforms[-1])"),
        "You drew the bonus with the first uniform, which has judged a draft. The last uniform is "
        "for the bonus.": (BONUS, "sample(p[-1], uniforms[0])"),
        "You drew the bonus with the uniform of the last draft. Each uniform is used once: take "
        "the last one.": (BONUS, "sample(p[-1], uniforms[-2])"),
        "Your bonus is always the likeliest token. It must be *drawn* from the last row of p.": (
            BONUS,
            "p[-1].argmax()",
        ),
        "The bonus follows *all* drafted tokens: draw it from the last row of p, "
        "p[len(drafted)].": (BONUS, "sample(p[-2], uniforms[-1])"),
        "Right for numbers, but you calculate with a uniform. Only compare it, u < p/q and not "
        "u * q < p: then "
        "a program can prove your rule.": (ACCEPTS, "uniforms[i] * q[i, x] < p[i, x]"),
    },
    insight="A loop with an early return, and one draw after it. The rule needs no model and no "
    "cache, so a program can walk every path of it.",
    ask=_asked,
    form=lambda answer, *_: answer if answer == OWN_GENERATOR else None,
    parts=("accepted", "token"),
    shown=_shown,
)
