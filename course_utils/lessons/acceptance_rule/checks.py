"""Checks of this lesson: a round by hand, shared mass and residual, the rule, the proof in steps,
and the loop from an empty cell."""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from itertools import count

import numpy as np

from course_utils.classroom.exercise import Exercise, alike
from course_utils.decoding import rules
from course_utils.decoding.contracts import Rows, Rule, Uniforms, Verdict
from course_utils.decoding.sampling import sample
from course_utils.lessons.acceptance_rule.by_hand import check_round_by_hand
from course_utils.lessons.acceptance_rule.rebuilt import check_rebuilt_loop
from course_utils.proofs.enumeration import CALCULATES, Path, Uniform
from course_utils.refused import Refused

__all__ = [
    "check_proof_steps",
    "check_rebuilt_loop",
    "check_round_by_hand",
    "check_shared_and_residual",
    "check_token_wise",
]

P = np.array([0.4, 0.3, 0.1, 0.2])
Q = np.array([0.1, 0.2, 0.4, 0.3])
SAME = np.array([0.25, 0.25, 0.5])
TENTHS = np.array([0.7, 0.2, 0.1])  # the sum of these floats is below 1
CLOSE = np.array([0.501, 0.299, 0.2]), np.array([0.499, 0.301, 0.2])


def _no_distribution(row: object, size: int) -> str | None:
    """What keeps `row` from being a distribution over `size` tokens."""
    row = np.asarray(row, float)
    if row.shape != (size,):
        return f"One probability per token has the shape {(size,)}, not {row.shape}."
    if (row < -1e-9).any():
        return "Some probabilities are negative."
    return None


# ------------------------------------------------------------- shared mass and residual


TURNED = "You took what q has too much of. The residual is what p still lacks: p − q."
ABSOLUTE = "You took |p − q|. Where q is larger nothing is lacking: set it to 0."


def _proportional(row: object, to: Rows) -> bool:
    """Is the row a positive multiple of the other?"""
    row = np.asarray(row, float)
    return row.shape == to.shape and np.allclose(row / abs(row).sum(), to / abs(to).sum())


CHANGED = "You change a row that you were given: `p -= q` works in place. Write `p - q` instead."


def _untouched_rows(attempt: Callable, p: Rows, q: Rows) -> object:
    before = np.array([p, q])
    answer = attempt(p, q)
    if not np.array_equal(before, [p, q]):
        raise Refused(CHANGED)
    return answer


def _residual_form(answer: object, p: Rows, q: Rows) -> str | None:
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        return "Return two things, in this order: the shared mass, and the residual."
    mass, row = answer
    if mass is None or row is None or row is ...:
        return "Return two things: one of them is still open."
    if np.shape(mass) != ():
        return "The shared mass is one number: add up over the vocabulary."
    for sentence, excess in ((TURNED, q - p), (ABSOLUTE, abs(p - q))):
        if excess.any() and any(_proportional(row, e) for e in (excess, excess.clip(min=0))):
            return sentence
    if said := _no_distribution(row, len(p)):
        return f"Residual: {said} Cut p − q off at 0." if "negative" in said else said
    total = float(np.sum(row))
    if len(p) == len(P) and not np.isclose(total, 1):  # where p = q a mistake has its sentence
        return f"Your residual sums to {total:.3g}. Renormalise it: divide by the row's own sum."
    return None


def shared_and_residual(p: Rows, q: Rows) -> tuple[float, Rows]:
    """Rows p and q (vocabulary,) -> alpha, and the residual (vocabulary,)."""
    excess = (p - q).clip(min=0)
    mass = excess.sum()
    return np.minimum(p, q).sum(), excess / mass if mass > 0 else p


EXCESS, SHARED = "(p - q).clip(min=0)", "np.minimum(p, q).sum()"
check_shared_and_residual = Exercise(
    "shared_and_residual",
    cases=[(P, Q), CLOSE, (SAME, SAME), (TENTHS, TENTHS)],
    solution=shared_and_residual,
    mistakes={
        "That is the total variation, the probability of a REJECTION. Take what is left of 1.": (
            (SHARED, "abs(p - q).sum() / 2")
        ),
        "That is Σ p·q, the probability that two independent draws agree. Speculative "
        "sampling accepts more often: look at the smaller bar of each token.": (SHARED, "p @ q"),
        "1 − Σ|p − q| counts each difference twice, where p is the larger and where q is. Take "
        "half of the sum.": (SHARED, "1 - abs(p - q).sum()"),
        "You weighed min(1, p/q) by p, but tokens are drafted from q: weigh by q.": (
            (SHARED, "p @ np.minimum(1, p / q)")
        ),
        "You added up min(1, p/q) as it is. A token is drafted with probability q: weigh by q.": (
            (SHARED, "np.minimum(1, p / q).sum()")
        ),
        "You added up the larger bar of each token; a draft is accepted under the smaller one.": (
            ("np.minimum", "np.maximum")
        ),
        "You averaged min(1, p/q) with equal weights, but tokens are drafted with probability "
        "q: weigh by q.": (SHARED, "np.minimum(1, p / q).mean()"),
        "You count only tokens with p ≥ q. The others are accepted, too, with probability p/q.": (
            (SHARED, "q[p >= q].sum()")
        ),
        TURNED: ("p - q", "q - p"),
        "Your residual is p itself: then the tokens that q offers come out too often.": (
            ("excess / mass if mass > 0 else p", "p")
        ),
        "You took all of p where it is the larger. q gives a part of it: p − q is lacking.": (
            (EXCESS, "np.where(p > q, p, 0)")
        ),
        "That is what p and q share, the accepted part. The residual is what p has beyond it.": (
            (EXCESS, "np.minimum(p, q)")
        ),
        ABSOLUTE: (EXCESS, "abs(p - q)"),
        CHANGED: (EXCESS, "np.subtract(p, q, out=p).clip(min=0)"),
        "With p = q there is no mass left and you divide by 0. Return p then.": (
            (" if mass > 0 else p", "")
        ),
        "With p = q no mass is left, and your residual is 0 everywhere. Return p then.": (
            ("else p", "else 0 * p")
        ),
        f"With p = q your α can be {TENTHS.sum()}, by rounding, and you divide by 0. Ask whether "
        "anything is left of p, not whether α is 1.": (
            ("if mass > 0", "if np.minimum(p, q).sum() < 1")
        ),
        f"With p = q your α can be {TENTHS.sum()}, by rounding, and then your residual is 0 "
        "everywhere. Ask whether anything is left of p, not whether α is 1.": (
            "excess / mass if mass > 0",
            "excess / (1 - np.minimum(p, q).sum()) if np.minimum(p, q).sum() < 1",
        ),
    },
    insight="Both come from one picture: α is the area under both bars, and the residual is what "
    "sticks out of p above q.",
    call=_untouched_rows,
    validate=_residual_form,
    parts=("shared mass", "residual"),
)


# ----------------------------------------------------------------- the three steps of the proof


def emitted(p: Rows, q: Rows, correction: Rows) -> Rows:
    """The distribution of one position's token, for rows (vocabulary,).

    Drafted from q, accepted with probability min(1, p/q), else drawn from `correction`.
    """
    accepted = np.minimum(p, q)
    return accepted + (1 - accepted.sum()) * correction


def proof_steps(p: Rows, q: Rows) -> tuple[Rows, float, Rows]:
    """-> drafted and accepted (vocabulary,), rejected (a number), corrected (vocabulary,)"""
    accepted = np.minimum(p, q)
    rejected = 1 - accepted.sum()
    left = p - accepted
    corrected = rejected * left / left.sum() if left.any() else 0 * p
    return accepted, rejected, corrected


def _ratio(p: Rows, q: Rows) -> Rows:
    """min(1, p/q), and 1 where q is 0."""
    return np.divide(np.minimum(p, q), q, out=np.ones(len(p)), where=q > 0)


DIVIDED = (
    "Where q(y) is 0 you divide by 0. q·min(1, p/q) is the same as min(p, q), without a division."
)
EMPTY = (
    "Where p = q nothing is left over and you divide 0 by 0. Nothing is rejected there either: the "
    "probability of a correction is 0."
)


ONCE_DRAFTED = (
    "That is how often y is accepted once it was drafted. It is drafted with probability q(y): "
    "multiply."
)


def _steps_form(answer: object, p: Rows, q: Rows) -> str | None:
    if not isinstance(answer, tuple | list) or len(answer) != 3:
        return "Return three things, in this order: accepted, rejected, corrected."
    if any(part is None or part is ... for part in answer):
        return "Return three things: one of them is still open."
    accepted, rejected, corrected = answer
    if said := _no_distribution(accepted, len(p)):
        return f"accepted: {said}"
    if not np.array_equal(p, q) and alike(np.asarray(accepted)[q > 0], _ratio(p, q)[q > 0]):
        return f"accepted: {ONCE_DRAFTED}"
    if np.isnan(np.asarray(accepted, float)).any():
        return f"accepted: {DIVIDED}"
    if np.shape(rejected) != ():
        return (
            "rejected: one number is asked for. The correction can be y whatever was rejected: add "
            "up over all tokens."
        )
    if said := _no_distribution(corrected, len(p)):
        return f"corrected: {said}"
    return f"corrected: {EMPTY}" if np.isnan(np.asarray(corrected, float)).any() else None


def _tables() -> Iterator[tuple]:
    yield P, Q
    yield np.array([0.4, 0.3, 0.3, 0]), np.array([0.2, 0, 0.8, 0])  # p/q is 0/0 at the last word
    yield SAME, SAME
    rng = np.random.default_rng(1)
    for size in rng.integers(2, 50, 200):
        rows = rng.dirichlet(np.full(size, 0.3), 2)
        yield rows[0], rows[1]


ACCEPTED_PART, REJECTED_PART = "return accepted,", "1 - accepted.sum()"
CORRECTED_PART = "rejected * left / left.sum() if left.any() else 0 * p"
check_proof_steps = Exercise(
    "proof_steps",
    cases=list(_tables()),
    solution=proof_steps,
    mistakes={
        "You count every drafted token. Only min(1, p/q) of them are accepted.": (
            (ACCEPTED_PART, "return q,")
        ),
        ONCE_DRAFTED: (ACCEPTED_PART, "return np.minimum(1, p / q),"),
        "You take all of p. Where q is below p, the draft offers y no more often than q(y).": (
            (ACCEPTED_PART, "return p,")
        ),
        "The token is drafted from q, and you weighed min(1, p/q) by p.": (
            (ACCEPTED_PART, "return p * _ratio(p, q),")
        ),
        f"accepted: {DIVIDED}": (ACCEPTED_PART, "return q * np.minimum(1, p / q),"),
        "That is α, the probability that the drafted token is accepted. What is left of 1?": (
            ("return accepted, rejected,", "return accepted, 1 - rejected,")
        ),
        "Σ|p − q| counts what is lacking and what is too much: twice the probability of a "
        "rejection.": (REJECTED_PART, "abs(p - q).sum()"),
        "rejected: one number is asked for. The correction can be y whatever was rejected: add "
        "up over all tokens.": (REJECTED_PART, "q - accepted"),
        "That is the residual alone. A correction is drawn only after a rejection: multiply by "
        "that probability.": (CORRECTED_PART, "left / left.sum() if left.any() else 0 * p"),
        "That is `residual(p, q)` alone. A correction is drawn only after a rejection: multiply by "
        "its probability.": (CORRECTED_PART, "left / left.sum() if left.any() else p"),
        "You multiplied by α. A correction needs a rejection: multiply by 1 − α.": (
            (CORRECTED_PART, "(1 - rejected) * left / left.sum() if left.any() else 0 * p")
        ),
        "You drew the correction from p. It comes from the residual, norm((p − q)+).": (
            (CORRECTED_PART, "rejected * p")
        ),
        "You multiply by how often y itself is rejected. The correction can be y whatever was "
        "rejected: multiply by the probability of any rejection.": (
            CORRECTED_PART,
            "(q - accepted) * left / left.sum() if left.any() else 0 * p",
        ),
        "That is all of p, what both ways give together. Accepted drafts give a part of it.": (
            (CORRECTED_PART, "p")
        ),
        CHANGED: ("left = p - accepted", "left = np.subtract(p, accepted, out=p)"),
        "That is what q has too much of. A correction gives what p still lacks.": (
            (CORRECTED_PART, "q - accepted")
        ),
        "You multiply what p lacks, p − min(p, q), by the probability of a rejection, and forget "
        "that the residual is made to sum to one.": (CORRECTED_PART, "rejected * left"),
        f"corrected: {EMPTY}": (CORRECTED_PART, "rejected * left / left.sum()"),
    },
    insight="left.sum() and the probability of a rejection are the same number, so they cancel: "
    "corrected is p − min(p, q), and accepted + corrected is p.",
    call=_untouched_rows,
    validate=_steps_form,
    parts=("accepted", "rejected", "corrected"),
)


# ---------------------------------------------------------------------- the token-wise rule
# Cases worked out by hand, each of which gives a mistake away; random rows of other
# shapes; and uniforms that can only be compared, as those of an enumeration.

OTHER_SHAPES = ((1, 2), (3, 5), (5, 3))  # (gamma, vocabulary) of random rows
HAND_WORKED = (2, 4)  # the shape of q
OF_EACH = 20  # enough that each uniform accepts and rejects, and all mistakes run in 0.1 s


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
            return i, sample(rules.residual(p[i], q[i]), uniforms[-1])
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
    yield p, q, (0, 0), [Uniform(Path(), u, u) for u in (0.2, 0.5, 0.6)]  # all is settled
    yield p[:1], q[:0], (), [0.75]  # nothing drafted: a bonus


def _shown(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> str:
    if any(isinstance(u, Uniform) for u in uniforms):
        return "uniforms that can only be compared"
    if not drafted:
        return "a draft of no token"
    if q.shape != HAND_WORKED:
        return f"{len(drafted)} drafted and {p.shape[-1]} words (are such numbers in your code?)"
    return f"drafted = {drafted}, uniforms = {uniforms}, p = {p.tolist()}, q = {q.tolist()},"


OWN_GENERATOR = (
    "Your answer to the same question differs from call to call: you draw numbers of your own. "
    "Use the uniforms that are given; then a run can be repeated and a program can prove the rule."
)
REPEATS = 8  # each of the cases below that number is asked again; a true draw rarely passes


def _asked(attempt: Callable, *case: object) -> object:
    """An answer, if it is the same the next time."""
    answer = attempt(*deepcopy(case))
    if case[1].shape == HAND_WORKED:
        again = [attempt(*deepcopy(case)) for _ in range(REPEATS)]
        if any(not alike(other, answer) for other in again):
            raise Refused(OWN_GENERATOR)
    return answer


# Pieces of the solution.
RATIO, RESIDUAL = "p[i, x] / q[i, x]", "rules.residual(p[i], q[i])"
ACCEPTS, CORRECTION = f"uniforms[i] < {RATIO}", f"sample({RESIDUAL}, uniforms[-1])"
BONUS = "sample(p[-1], uniforms[-1])"
check_token_wise = Exercise(
    "token_wise",
    cases=list(_cases()),
    solution=token_wise,
    mistakes={
        "For a draft that is accepted as a whole you return nothing. After the loop there is a "
        "bonus to draw.": ("return len(drafted), sample(p[-1], uniforms[-1])", "return None"),
        "After a rejection you return nothing: say how many are accepted, and the correction.": (
            ("return i, sample(rules.residual(p[i], q[i]), uniforms[-1])", "return None")
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
            (ACCEPTS, "p[i, x] >= q[i, x]")
        ),
        "You accept every drafted token. p/q = 0.5 and u = 0.6: rejected.": (ACCEPTS, "True"),
        "You judge the drafts behind a rejection, too. The first rejection ends the round.": (
            (ACCEPTS, "True"),
            ("len(drafted)", f"sum({ACCEPTS} for i, x in enumerate(drafted))"),
        ),
        "You judge every draft by the first uniform. Compare draft i with uniforms[i].": (
            ("uniforms[i]", "uniforms[0]")
        ),
        "You judge draft i by uniforms[i + 1]. Compare it with uniforms[i]; the last uniform is "
        "for the token after the draft.": ("uniforms[i]", "uniforms[i + 1]"),
        OWN_GENERATOR: lambda *_, draw=count(): (next(draw) % 2, 0),
        "You accept where the uniform is above p/q. It is the low ones that accept: u < p/q.": (
            ("uniforms[i] <", "uniforms[i] >")
        ),
        "You reject where u < p/q. That is where a token is accepted.": ("if not ", "if "),
        "Your last return stands inside the loop, so one accepted token ends the round. The others "
        "have to be judged first.": ("    return len(drafted)", "        return len(drafted)"),
        "You judge every draft by the first rows of p and q. Draft i has row i of both.": (
            (RATIO, "p[0, x] / q[0, x]")
        ),
        "You accept the target's likeliest token and no other. Any token may be drawn: accept x if "
        "u < p(x)/q(x).": (ACCEPTS, "x == p[i].argmax()"),
        "You compare the uniform with q(x). What counts is how often the target says x, too: "
        "p(x)/q(x).": (RATIO, "q[i, x]"),
        "You divide q by p, and accept u = q/p as well. It is u < p(x)/q(x).": (
            (ACCEPTS, "uniforms[i] <= q[i, x] / p[i, x]")
        ),
        "You compare the uniform with p(x), and accept u = p as well. It is u < p(x)/q(x).": (
            (ACCEPTS, "uniforms[i] <= p[i, x]")
        ),
        "You count the rejected draft. Accepted are those before it: i of them.": (
            ("return i", "return i + 1")
        ),
        "You count the bonus. Accepted are drafted tokens: len(drafted) of them.": (
            ("len(drafted)", "len(drafted) + 1")
        ),
        "You compare the uniform with p(x). It is p(x)/q(x): what the draft offers rarely is "
        "accepted more often.": (RATIO, "p[i, x]"),
        "You judge every draft by the last uniform, which is for the correction or the bonus.": (
            ("uniforms[i]", "uniforms[-1]")
        ),
        "p(x) = 0 and u = 0 was accepted: the comparison must be strict, u < p/q.": (
            ("uniforms[i] <", "uniforms[i] <=")
        ),
        "After a rejection the draft x is gone: draw the correction from the residual.": (
            (CORRECTION, "x")
        ),
        "Your correction is always the likeliest token. It must be *drawn*, with sample(row, u).": (
            (CORRECTION, "rules.residual(p[i], q[i]).argmax()")
        ),
        "You take the likeliest token as the correction and as the bonus. Both must be *drawn*, "
        "with sample(row, u).": (
            (CORRECTION, "rules.residual(p[i], q[i]).argmax()"),
            (BONUS, "p[-1].argmax()"),
        ),
        "Your correction is the likeliest token of p. It must be *drawn*, from the residual.": (
            (CORRECTION, "p[i].argmax()")
        ),
        "You drew the correction with uniforms[i], which the rejection has used up. The last "
        "uniform is for the correction.": (
            CORRECTION,
            "sample(rules.residual(p[i], q[i]), uniforms[i])",
        ),
        "You drew the correction with uniforms[i + 1], which is for the next drafted token. The "
        "last uniform "
        "is for the correction.": (
            CORRECTION,
            "sample(rules.residual(p[i], q[i]), uniforms[i + 1])",
        ),
        "You drew the correction from p. Accepted drafts have used up a part of p: draw from the "
        "residual of p and q.": (RESIDUAL, "p[i]"),
        "You drew the correction from norm(max(q - p, 0)), what q has too much of. The residual "
        "is what p still lacks.": (RESIDUAL, "rules.residual(q[i], p[i])"),
        "You drew every correction from the first rows of p and q. Rejected at i, it is row i of "
        "both.": (RESIDUAL, "rules.residual(p[0], q[0])"),
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
            (RESIDUAL, "rules.residual(p[-1], q[-1])")
        ),
        "You took row i + 1 of p for the correction. Rejected at i, it is row i of p and of q.": (
            (RESIDUAL, "rules.residual(p[i + 1], q[i])")
        ),
        "You drew the bonus from a residual. Nothing was rejected, so no part of p is used up "
        "there: draw it from "
        "the last row of p itself.": (BONUS, "sample(rules.residual(p[-1], q[-1]), uniforms[-1])"),
        "You drew the bonus from the residual of the last draft. That draft was accepted: draw the "
        "bonus from the last row of p.": (
            BONUS,
            "sample(rules.residual(p[-2], q[-1]), uniforms[-1])",
        ),
        "You drew the bonus from q. It is the target's own: draw it from the last row of p.": (
            (BONUS, "sample(q[-1], uniforms[-1])")
        ),
        "You drew the bonus from the first row of p. It follows all drafted tokens: draw it from "
        "the last row.": (BONUS, "sample(p[0], uniforms[-1])"),
        "You drew the bonus with the first uniform, which has judged a draft. The last uniform is "
        "for the bonus.": (BONUS, "sample(p[-1], uniforms[0])"),
        "You drew the bonus with the uniform of the last draft. Each uniform is used once: take "
        "the last one.": (BONUS, "sample(p[-1], uniforms[-2])"),
        "Your bonus is always the likeliest token. It must be *drawn* from the last row of p.": (
            (BONUS, "p[-1].argmax()")
        ),
        "The bonus follows *all* drafted tokens: draw it from the last row of p, "
        "p[len(drafted)].": (BONUS, "sample(p[-2], uniforms[-1])"),
        f"Right for numbers. {CALCULATES}": (ACCEPTS, f"uniforms[i] - {RATIO} < 0"),
    },
    insight="A loop with an early return, and one draw after it. The rule needs no model and no "
    "cache, so a program can walk every path of it.",
    call=_asked,
    parts=("accepted", "token"),
    describe_case=_shown,
)
