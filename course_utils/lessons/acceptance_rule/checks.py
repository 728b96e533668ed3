"""Checks of this lesson: shared mass and residual, the emitted token, the worst draft; and,
from modules of their own, the token-wise rule and the proof in order."""

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.contracts import Rows
from course_utils.decoding.rules import residual
from course_utils.decoding.theory import overlap
from course_utils.lessons.acceptance_rule.proof_check import check_whole_text_proof
from course_utils.lessons.acceptance_rule.token_wise_check import as_rule, check_token_wise

__all__ = [
    "as_rule",
    "check_emitted_row",
    "check_shared_and_residual",
    "check_token_wise",
    "check_whole_text_proof",
    "check_worst_draft",
    "emitted",
]

P = np.array([0.4, 0.3, 0.1, 0.2])
Q = np.array([0.1, 0.2, 0.4, 0.3])
SAME = np.array([0.25, 0.25, 0.5])


def _normalised(row: Rows, otherwise: Rows) -> Rows:
    return row / row.sum() if row.sum() > 0 else otherwise


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
        return f"Your residual sums to {total:.3g}. Did you forget to renormalise?"
    return None


check_shared_and_residual = Exercise(
    "shared_and_residual",
    cases=[(P, Q), (SAME, SAME)],
    right=lambda p, q: (overlap(p, q), residual(p, q)),
    mistakes={
        "That is the total variation, the probability of a REJECTION. Take what is left "
        "of 1.": lambda p, q: (abs(p - q).sum() / 2, residual(p, q)),
        "That is Σ p·q, the probability that two independent draws agree. Speculative "
        "sampling accepts more often: look at the smaller bar of each token.": (
            lambda p, q: (p @ q, residual(p, q))
        ),
        "1 − Σ|p − q| counts each difference twice, where p is the larger and where q is. Take "
        "half of the sum.": lambda p, q: (1 - abs(p - q).sum(), residual(p, q)),
        "You weighed min(1, p/q) by p, but tokens are drafted from q: weigh by q.": (
            lambda p, q: (p @ np.minimum(1, p / q), residual(p, q))
        ),
        "You added up min(1, p/q) as it is. A token is drafted with probability q: weigh by q.": (
            lambda p, q: (np.minimum(1, p / q).sum(), residual(p, q))
        ),
        "You added up the larger bar of each token; a draft is accepted under the smaller one.": (
            lambda p, q: (np.maximum(p, q).sum(), residual(p, q))
        ),
        "You averaged min(1, p/q) with equal weights, but tokens are drafted with probability "
        "q: weigh by q.": lambda p, q: (np.minimum(1, p / q).mean(), residual(p, q)),
        "You count only tokens with p ≥ q. The others are accepted, too, with probability "
        "p/q.": lambda p, q: (q[p >= q].sum(), residual(p, q)),
        TURNED: (lambda p, q: (overlap(p, q), residual(q, p))),
        "Your residual is p itself: then the tokens that q offers come out too often.": (
            lambda p, q: (overlap(p, q), p)
        ),
        "You took all of p where it is the larger. q gives a part of it: p − q is lacking.": (
            lambda p, q: (overlap(p, q), _normalised(np.where(p > q, p, 0), p))
        ),
        "That is what p and q share, the accepted part. The residual is what p has beyond it.": (
            lambda p, q: (overlap(p, q), _normalised(np.minimum(p, q), p))
        ),
        ABSOLUTE: (lambda p, q: (overlap(p, q), _normalised(abs(p - q), p))),
        "With p = q there is no mass left and you divide by 0. Return p then.": (
            lambda p, q: (overlap(p, q), (p - q).clip(min=0) / (p - q).clip(min=0).sum())
        ),
        "With p = q no mass is left, and your residual is 0 everywhere. Return p then.": (
            lambda p, q: (overlap(p, q), _normalised((p - q).clip(min=0), 0 * p))
        ),
    },
    insight="Both come from one picture: α is the area under both bars, and the residual is what "
    "sticks out of p above q.",
    form=_residual_form,
    parts=("shared mass", "residual"),
)


# ----------------------------------------------------------------------- the emitted token


def emitted(p: Rows, q: Rows, correction: Rows) -> Rows:
    """The distribution of one position's token, for rows (vocabulary,).

    Drafted from q, accepted with probability min(1, p/q), else drawn from `correction`.
    """
    return np.minimum(p, q) + (1 - overlap(p, q)) * correction


DIVIDED = (
    "Where q(y) is 0 you divide by 0. q·min(1, p/q) is the same as min(p, q), without a division."
)


def _ratio(p: Rows, q: Rows) -> Rows:
    """min(1, p/q), and 1 where q is 0."""
    return np.divide(np.minimum(p, q), q, out=np.ones(len(p)), where=q > 0)


def _emitted_form(answer: object, p: Rows, q: Rows, correction: Rows) -> str | None:
    if said := _no_distribution(answer, len(p)):
        return said
    return DIVIDED if np.isnan(np.asarray(answer, float)).any() else None


check_emitted_row = Exercise(
    "emitted_row",
    cases=[
        (P, Q, residual(P, Q)),
        (P, Q, P),
        # neither model says the last word: p/q is 0/0 there
        (np.array([0.5, 0.5, 0, 0]), np.array([0.2, 0, 0.8, 0]), np.full(4, 0.25)),
    ],
    right=emitted,
    mistakes={
        "That is p, whatever `correction` holds. It is right for one correction only, the "
        "residual; here it may be any distribution.": lambda p, q, correction: p,
        "That is the accepted part alone. After a rejection a correction comes out.": (
            lambda p, q, correction: np.minimum(p, q)
        ),
        "That adds up to more than 1. A correction is drawn only after a rejection: multiply it "
        "by the probability of one.": lambda p, q, correction: np.minimum(p, q) + correction,
        "You multiplied the correction by α, the probability that the draft is accepted. A "
        "correction needs a rejection.": (
            lambda p, q, correction: np.minimum(p, q) + overlap(p, q) * correction
        ),
        "You take accepted tokens to be distributed as p is. Of y no more than min(p, q) is "
        "accepted.": lambda p, q, correction: overlap(p, q) * p + (1 - overlap(p, q)) * correction,
        "Σ|p − q| is twice the probability of a rejection. It is 1 − Σ min(p, q).": (
            lambda p, q, correction: np.minimum(p, q) + abs(p - q).sum() * correction
        ),
        "You count every drafted token. Only min(1, p/q) of them are accepted.": (
            lambda p, q, correction: q + (1 - overlap(p, q)) * correction
        ),
        "You take accepted tokens to be distributed as q is. A token that q offers too often is "
        "rejected more often: min(p, q) of each is accepted.": (
            lambda p, q, correction: overlap(p, q) * q + (1 - overlap(p, q)) * correction
        ),
        "The token is drafted from q, and you weighed min(1, p/q) by p.": (
            lambda p, q, correction: p * _ratio(p, q) + (1 - overlap(p, q)) * correction
        ),
        DIVIDED: (
            lambda p, q, correction: q * np.minimum(1, p / q) + (1 - overlap(p, q)) * correction
        ),
        "You took the rejection of y itself. The correction can be y whatever was rejected: the "
        "probability of a rejection is one number, added up over all tokens.": (
            lambda p, q, correction: np.minimum(p, q) + (q - np.minimum(p, q)) * correction
        ),
        "You weigh the correction to y by the rejection of y. A rejection of any token leads to "
        "this draw: use one number, 1 minus the sum of what is accepted.": (
            lambda p, q, correction: np.minimum(p, q) + (1 - _ratio(p, q)) * correction
        ),
        "1 minus what is accepted of y alone is not the probability of a rejection. A rejection of "
        "any token leads to this draw: use one number, 1 minus the sum.": (
            lambda p, q, correction: np.minimum(p, q) + (1 - np.minimum(p, q)) * correction
        ),
    },
    insight="Put the residual in, and the factor 1 − α cancels: that is the whole proof.",
    form=_emitted_form,
    shown=lambda p, q, correction: f"p = {p}, q = {q}, correction = {correction}",
)


# ------------------------------------------------------------------------- the worst draft


def _draft_form(answer: object, p: Rows) -> str | None:
    if said := _no_distribution(answer, len(p)):
        return said
    total = float(np.sum(answer))
    return None if np.isclose(total, 1) else f"Your row sums to {total:.3g}, not to 1."


check_worst_draft = Exercise(
    "worst_draft",
    # one token each that is least likely, so that one row alone is right
    cases=[(P,), (np.array([0.5, 0.3, 0.2]),), (np.array([0.6, 0.0, 0.4]),)],
    right=lambda p: np.eye(len(p))[np.argmin(p)],
    mistakes={
        "That is p itself, the best draft: α is 1.": lambda p: p,
        "Certain of the target's likeliest token: of all certain drafts this one is accepted most "
        "often.": lambda p: np.eye(len(p))[np.argmax(p)],
        "An even draft shares something with every likely token. Put no mass on those.": (
            lambda p: np.full(len(p), 1 / len(p))
        ),
        "More mass where p has less is the right direction. Go on: is any mass on likely tokens "
        "of use?": lambda p: (1 - p) / (1 - p).sum(),
        "You turned the order around: the least likely token got the largest probability. The "
        "others still share what they have.": (
            lambda p: np.sort(p)[::-1][np.argsort(np.argsort(p))]
        ),
    },
    insight="α is the smallest probability in p, and no draft has less. Only where p leaves a "
    "token out can α be 0.",
    form=_draft_form,
    told=lambda row, p: (
        f"your row has α = {overlap(p, np.asarray(row)):.3g}, and {p.min():.3g} is possible. Where "
        "is least shared? Put all mass there."
    ),
    shown=lambda p: f"p = {p}",
)
