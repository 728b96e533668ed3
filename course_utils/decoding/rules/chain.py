"""Token by token: accept with probability p/q, correct the first rejection.

Token-wise speculative sampling is Leviathan et al. 2022 (arXiv 2211.17192,
algorithm 1) and Chen et al. 2023 (arXiv 2302.01318, algorithm 2).
"""

from collections.abc import Sequence
from typing import Any

from course_utils.decoding.contracts import Judgement, Rows, Rule, Uniforms, Verdict
from course_utils.decoding.sampling import sample


def residual(p: Rows, q: Rows) -> Rows:
    """Return the distribution of the correction after a rejection: norm(max(p - q, 0)).

    Rows of shape (..., vocabulary).  Where p = q up to rounding, no mass is left
    and nothing can be rejected; the result is then p.

        >>> residual(np.array([0.5, 0.5]), np.array([0.8, 0.2]))
        array([0., 1.])
    """
    excess = (p - q).clip(min=0)
    mass = excess.sum(axis=-1, keepdims=True)
    empty = mass <= 0
    return (excess + p * empty) / (mass + p.sum(axis=-1, keepdims=True) * empty)


def one_hot_residual(p: Rows, token: int) -> Rows:
    """Return the residual of a one-hot draft: p (vocabulary,) without one token.

    >>> one_hot_residual(np.array([0.5, 0.25, 0.25]), 0)
    array([0. , 0.5, 0.5])
    """
    return residual(p, one_hot_rows(p[None], [token])[0])


def one_hot_rows(p: Rows, drafted: Sequence[int]) -> Rows:
    """Return the q of a one-hot draft as rows: (len(drafted), vocabulary), in p's library.

    >>> one_hot_rows(np.array([[0.5, 0.5], [0.2, 0.8]]), [1])
    array([[0., 1.]])
    """
    q = p[: len(drafted)] * 0
    for row, x in zip(q, drafted, strict=True):
        row[x] = 1
    return q


def judgement(
    node: int, left: Any, q: Rows | None, x: int, ratio: Any, accepted: bool
) -> Judgement:
    """Return the judgement of drafted token x, in plain numbers; q as for a rule."""
    drawn = 1.0 if q is None else float(q[node, x])
    return Judgement(node, float(left), drawn, float(ratio), accepted)


def token_wise(p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms) -> Verdict:
    """Accept x_i while u_i < p_i(x_i)/q_i(x_i); correct the first rejection.

    p is (gamma + 1, vocabulary); q is (gamma, vocabulary), or None for one-hot
    guesses (greedy and lookup drafts): then q_i(x_i) = 1.
    """
    judged: tuple[Judgement, ...] = ()
    for i, x in enumerate(drafted):
        ratio = p[i, x] if q is None else p[i, x] / q[i, x]
        # strict: a uniform of exactly 0 must not accept a token with p = 0
        accepted = uniforms[i] < float(ratio)
        judged += (judgement(i, p[i, x], q, x, ratio, accepted),)
        if not accepted:
            row = one_hot_residual(p[i], x) if q is None else residual(p[i], q[i])
            return Verdict(i, sample(row, uniforms[-1]), judged=judged)
    return Verdict(len(drafted), sample(p[len(drafted)], uniforms[-1]), judged=judged)


def greedy_match(p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms) -> Verdict:
    """Draw y_i ~ p_i; accept x_i while y_i equals it, else emit y_i.

    At temperature 0, p is one-hot and this is "compare with the argmax", the
    limit of the token-wise rule (Stern et al. 2018, arXiv 1811.03115).  At other
    temperatures it is still lossless, since every emitted token is a y (Miao et
    al. 2023, arXiv 2305.09781, call it naive sampling), but it accepts only with
    probability sum(p q) <= sum(min(p, q)); for a one-hot q the two are equal.
    """
    for i, x in enumerate(drafted):
        y = sample(p[i], uniforms[i])
        if y != x:
            return Verdict(i, y)
    return Verdict(len(drafted), sample(p[len(drafted)], uniforms[-1]))


TOKEN_WISE = Rule(
    "token-wise", token_wise, lossless=True,
    source="Leviathan et al. 2022, algorithm 1",
    what="accepts a drafted token with probability min(1, p/q), corrects from the residual",
)  # fmt: skip
GREEDY_MATCH = Rule(
    "greedy match", greedy_match, lossless=True,
    source="Stern et al. 2018 at temperature 0; Miao et al. 2023, naive sampling",
    what="draws from p and accepts the drafted token if it is the same",
)  # fmt: skip
