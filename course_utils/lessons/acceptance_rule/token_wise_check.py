"""The check of the token-wise rule.

Cases worked out by hand, each of which gives a mistake away; random rows of other
shapes; and uniforms that can only be compared, as those of an enumeration.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from itertools import count

import numpy as np

from course_utils.classroom.alike import alike
from course_utils.classroom.exercise import Exercise
from course_utils.classroom.rounds import as_answer
from course_utils.decoding.contracts import Rows, Rule, Uniforms, Verdict
from course_utils.decoding.rules import residual, token_wise
from course_utils.decoding.sampling import sample
from course_utils.proofs.bugs import token_wise_from

Answer = tuple[int, int]  # accepted, token
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


def _with(**parts: Callable) -> Callable[..., Answer]:
    """The right rule with one part replaced: accepts, correction or bonus."""
    return as_answer(token_wise_from(**parts))


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


def _never_stops(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> Answer:
    accepted = sum(uniforms[i] < p[i, x] / q[i, x] for i, x in enumerate(drafted))
    return accepted, sample(p[-1], uniforms[-1])


def _without(at_the_end: bool) -> Callable:
    """Nothing comes back after a whole draft, or after a rejection."""

    def function(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> Answer | None:
        verdict = token_wise(p, q, drafted, uniforms)
        whole = verdict.accepted == len(drafted)
        return None if whole == at_the_end else (verdict.accepted, verdict.token)

    return function


def _counts_the_last(*given: object) -> Answer:
    verdict = token_wise(*given)
    return verdict.accepted + 1, verdict.token


def _counts_the_rejected(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> Answer:
    verdict = token_wise(p, q, drafted, uniforms)
    return verdict.accepted + (verdict.accepted < len(drafted)), verdict.token


def _counts_the_bonus(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> Answer:
    verdict = token_wise(p, q, drafted, uniforms)
    return verdict.accepted + (verdict.accepted == len(drafted)), verdict.token


def _in_place_of_p(bonus: Callable[[Rows, Rows], Rows]) -> Callable[..., Answer]:
    """A rule that draws the bonus from bonus(p, q)."""

    def function(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> Answer:
        verdict = token_wise(p, q, drafted, uniforms)
        if verdict.accepted < len(drafted):
            return verdict.accepted, verdict.token
        return len(drafted), sample(bonus(p, q), uniforms[-1])

    return function


def _without_the_rejected(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> Answer:
    verdict = token_wise(p, q, drafted, uniforms)
    if verdict.accepted == len(drafted):
        return verdict.accepted, verdict.token
    row = p[verdict.accepted].copy()
    row[drafted[verdict.accepted]] = 0
    return verdict.accepted, sample(row, uniforms[-1])


def _keeps_the_draft(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> Answer:
    verdict = token_wise(p, q, drafted, uniforms)
    return verdict.accepted, [*drafted, verdict.token][verdict.accepted]


def _calculates(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> Answer:
    return _with(accepts=lambda i, p, q, x, u: u[i] * q[i, x] < p[i, x])(p, q, drafted, uniforms)


check_token_wise = Exercise(
    "token_wise",
    cases=list(_cases()),
    right=as_answer(token_wise),
    mistakes={
        "For a draft that is accepted as a whole you return nothing. After the loop there is a "
        "bonus to draw.": _without(at_the_end=True),
        "After a rejection you return nothing: say how many are accepted, and the correction.": (
            _without(at_the_end=False)
        ),
        "You return the token first. It is how many are accepted, and then the token.": (
            lambda *given: _with()(*given)[::-1]
        ),
        "`accepted` counts drafted tokens only, never the correction or the bonus.": (
            _counts_the_last
        ),
        "p(x) = 0.4, q(x) = 0.1 and u = 0.99 must be accepted, since p/q > 1. Are p and q "
        "swapped?": _with(accepts=lambda i, p, q, x, u: u[i] < q[i, x] / p[i, x]),
        "Draft i is judged by row i of p and row i of q. You took the row of p that follows it: "
        "is your row index off by one?": _with(
            accepts=lambda i, p, q, x, u: u[i] < p[i + 1, x] / q[i, x]
        ),
        "p/q = 0.5 and u = 0.4: accepted. You accept only if p ≥ q; the rule needs the uniform.": (
            _with(accepts=lambda i, p, q, x, u: p[i, x] >= q[i, x])
        ),
        "You accept every drafted token. p/q = 0.5 and u = 0.6: rejected.": _with(
            accepts=lambda i, p, q, x, u: True
        ),
        "You judge the drafts behind a rejection, too. The first rejection ends the round.": (
            _never_stops
        ),
        "You judge every draft by the first uniform. Compare draft i with uniforms[i].": _with(
            accepts=lambda i, p, q, x, u: u[0] < p[i, x] / q[i, x]
        ),
        "You judge draft i by uniforms[i + 1]. Compare it with uniforms[i]; the last uniform is "
        "for the token after the draft.": _with(
            accepts=lambda i, p, q, x, u: u[i + 1] < p[i, x] / q[i, x]
        ),
        OWN_GENERATOR: lambda *_, draw=count(): (next(draw) % 2, 0),
        "You accept where the uniform is above p/q. It is the low ones that accept: u < p/q.": (
            _with(accepts=lambda i, p, q, x, u: u[i] > p[i, x] / q[i, x])
        ),
        "You judge every draft by the first rows of p and q. Draft i has row i of both.": _with(
            accepts=lambda i, p, q, x, u: u[i] < p[0, x] / q[0, x]
        ),
        "You accept the target's likeliest token and no other. Any token may be drawn: accept x if "
        "u < p(x)/q(x).": _with(accepts=lambda i, p, q, x, u: x == p[i].argmax()),
        "You compare the uniform with q(x). What counts is how often the target says x, too: "
        "p(x)/q(x).": _with(accepts=lambda i, p, q, x, u: u[i] < q[i, x]),
        "You divide q by p, and accept u = q/p as well. It is u < p(x)/q(x).": _with(
            accepts=lambda i, p, q, x, u: u[i] <= q[i, x] / p[i, x]
        ),
        "You compare the uniform with p(x), and accept u = p as well. It is u < p(x)/q(x).": (
            _with(accepts=lambda i, p, q, x, u: u[i] <= p[i, x])
        ),
        "You count the rejected draft. Accepted are those before it: i of them.": (
            _counts_the_rejected
        ),
        "You count the bonus. Accepted are drafted tokens: len(drafted) of them.": (
            _counts_the_bonus
        ),
        "You compare the uniform with p(x). It is p(x)/q(x): what the draft offers rarely is "
        "accepted more often.": _with(accepts=lambda i, p, q, x, u: u[i] < p[i, x]),
        "You judge every draft by the last uniform, which is for the correction or the bonus.": (
            _with(accepts=lambda i, p, q, x, u: u[-1] < p[i, x] / q[i, x])
        ),
        "p(x) = 0 and u = 0 was accepted: the comparison must be strict, u < p/q.": _with(
            accepts=lambda i, p, q, x, u: u[i] <= p[i, x] / q[i, x]
        ),
        "After a rejection the draft x is gone: draw the correction from the residual.": (
            _keeps_the_draft
        ),
        "Your correction is always the likeliest token. It must be *drawn*, with sample(row, u).": (
            _with(correction=lambda i, p, q, u: residual(p[i], q[i]).argmax())
        ),
        "You take the likeliest token as the correction and as the bonus. Both must be *drawn*, "
        "with sample(row, u).": _with(
            correction=lambda i, p, q, u: residual(p[i], q[i]).argmax(),
            bonus=lambda p, u: p[-1].argmax(),
        ),
        "Your correction is the likeliest token of p. It must be *drawn*, from the residual.": (
            _with(correction=lambda i, p, q, u: p[i].argmax())
        ),
        "You drew the correction with uniforms[i], which the rejection has used up. The last "
        "uniform is for the correction.": _with(
            correction=lambda i, p, q, u: sample(residual(p[i], q[i]), u[i])
        ),
        "You drew the correction with uniforms[i + 1], which is for the next drafted token. The "
        "last uniform is for the correction.": _with(
            correction=lambda i, p, q, u: sample(residual(p[i], q[i]), u[i + 1])
        ),
        "You drew the correction from p. Accepted drafts have used up a part of p: draw from the "
        "residual of p and q.": _with(correction=lambda i, p, q, u: sample(p[i], u[-1])),
        "You drew the correction from norm(max(q - p, 0)), what q has too much of. The residual "
        "is what p still lacks.": _with(
            correction=lambda i, p, q, u: sample(residual(q[i], p[i]), u[-1])
        ),
        "You drew every correction from the first rows of p and q. Rejected at i, it is row i of "
        "both.": _with(correction=lambda i, p, q, u: sample(residual(p[0], q[0]), u[-1])),
        "You took the rejected token out of p and drew from the rest. Other tokens may be offered "
        "too often as well: draw from the residual.": _without_the_rejected,
        "You drew the correction from q, the draft's. It must come from what p still lacks, the "
        "residual.": _with(correction=lambda i, p, q, u: sample(q[i], u[-1])),
        "You drew the correction from |p − q|. Where q is larger nothing is lacking: use "
        "rules.residual.": _with(correction=lambda i, p, q, u: sample(abs(p[i] - q[i]), u[-1])),
        "You drew the correction from the last row of p, which is the bonus's. Rejected at i, it "
        "is the residual of row i.": _with(correction=lambda i, p, q, u: sample(p[-1], u[-1])),
        "You drew the correction from the last rows. Rejected at i, it is row i of p and of q.": (
            _with(correction=lambda i, p, q, u: sample(residual(p[-1], q[-1]), u[-1]))
        ),
        "You took row i + 1 of p for the correction. Rejected at i, it is row i of p and of q.": (
            _with(correction=lambda i, p, q, u: sample(residual(p[i + 1], q[i]), u[-1]))
        ),
        "You drew the bonus from a residual. Nothing was rejected, so no part of p is used up "
        "there: draw it from the last row of p itself.": _in_place_of_p(
            lambda p, q: residual(p[-1], q[-1])
        ),
        "You drew the bonus from the residual of the last draft. That draft was accepted: draw the "
        "bonus from the last row of p.": _in_place_of_p(lambda p, q: residual(p[-2], q[-1])),
        "You drew the bonus from q. It is the target's own: draw it from the last row of p.": (
            _in_place_of_p(lambda p, q: q[-1])
        ),
        "You drew the bonus from the first row of p. It follows all drafted tokens: draw it from "
        "the last row.": _with(bonus=lambda p, u: sample(p[0], u[-1])),
        "You drew the bonus with the first uniform, which has judged a draft. The last uniform is "
        "for the bonus.": _with(bonus=lambda p, u: sample(p[-1], u[0])),
        "You drew the bonus with the uniform of the last draft. Each uniform is used once: take "
        "the last one.": _with(bonus=lambda p, u: sample(p[-1], u[-2])),
        "Your bonus is always the likeliest token. It must be *drawn* from the last row of p.": (
            _with(bonus=lambda p, u: p[-1].argmax())
        ),
        "The bonus follows *all* drafted tokens: draw it from the last row of p, "
        "p[len(drafted)].": _with(bonus=lambda p, u: sample(p[-2], u[-1])),
        "Right for numbers, but you calculate with a uniform. Only compare it, u < p/q and not "
        "u * q < p: then a program can prove your rule.": _calculates,
    },
    insight="A loop with an early return, and one draw after it. The rule needs no model and no "
    "cache, so a program can walk every path of it.",
    ask=_asked,
    form=lambda answer, *_: answer if answer == OWN_GENERATOR else None,
    parts=("accepted", "token"),
    shown=_shown,
)
