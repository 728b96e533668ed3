"""Rules that change the text's distribution, labelled as lossy.

Their distribution at one position has a closed form; tests compare the loop with it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp

from course_utils.decoding.contracts import Rows, Rule, Uniforms, Verdict
from course_utils.decoding.rows import namespace
from course_utils.decoding.rules.block import BLOCK
from course_utils.decoding.rules.chain import (
    GREEDY_MATCH,
    TOKEN_WISE,
    one_hot_rows,
    residual,
    token_wise,
)
from course_utils.decoding.sampling import sample


def ensemble(w: float) -> Rule:
    """Verify against w p + (1 - w) q, which becomes the distribution of drafted positions.

    Its distance from p is (1 - w) TV(p, q), so w trades quality for speed directly.
    w = 1 is the token-wise rule.

    Raises:
        ValueError: w outside [0, 1].
    """
    if not 0 <= w <= 1:
        raise ValueError(f"w is {w}; give the target's share, from 0 to 1")

    def verify(p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms) -> Verdict:
        if not drafted:
            return token_wise(p, q, drafted, uniforms)
        q = one_hot_rows(p, drafted) if q is None else q
        xp = namespace(p)
        mixed = xp.concat([w * p[:-1] + (1 - w) * q, p[-1:]])  # the bonus row has no q
        return token_wise(mixed, q, drafted, uniforms)

    return Rule(
        f"ensemble {w:g}", verify, lossless=False, source="a mixture; w is p's share",
        what=f"verifies against {w:g} p + {1 - w:g} q in place of p",
    )  # fmt: skip


def ratio_threshold(least: float) -> Rule:
    """Accept exactly the tokens with p >= least q, without a uniform.

    Raises:
        ValueError: `least` below 0.
    """
    if least < 0:
        raise ValueError(f"least is {least}; give a ratio of probabilities, at least 0")

    def accepts(p: Rows, q: Rows, x: int) -> bool:
        return float(p[x]) >= least * float(q[x])

    times = "" if least == 1 else f"{least:g} "
    return Rule(
        f"p >= {times}q", _without_uniforms(accepts, residual), lossless=False,
        source="two tutorials, REFERENCES.md: article-001, article-003",
        what=f"accepts a drafted token if p is at least {times}q, whatever the uniform",
    )  # fmt: skip


def typical(epsilon: float = 0.09, delta: float = 0.3) -> Rule:
    """Accept x if p(x) > min(epsilon, delta exp(-H(p))); else draw from p.

    H is the entropy in nats; delta is the square root of epsilon.  Cai et al.
    2024, "Medusa" (arXiv 2401.10774, section 2.3.1), with the defaults of
    `medusa_generate` in its repository: posterior_threshold=0.09 is epsilon,
    posterior_alpha=0.3 is delta.
    """

    def accepts(p: Rows, q: Rows, x: int) -> bool:
        xp = namespace(p)
        entropy = -float((p * xp.log(p.clip(min=1e-300 if p.dtype == xp.float64 else 1e-38))).sum())
        return float(p[x]) > min(epsilon, delta * exp(-entropy))

    return Rule(
        "typical", _without_uniforms(accepts, lambda p, q: p), lossless=False,
        source="Cai et al. 2024",
        what="accepts a drafted token that p finds plausible, else draws from p",
    )  # fmt: skip


def redraft(p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms) -> Verdict:
    """Accept as the token-wise rule does, but draft again instead of correcting.

    The tutorial ends the round at a rejection, without a correction.  Drafting again
    until something is accepted is the same as a correction from norm(min(p, q)).
    """
    verdict = token_wise(p, q, drafted, uniforms)
    i = verdict.accepted
    if i == len(drafted):
        return verdict
    row = (one_hot_rows(p, drafted) if q is None else q)[i]
    common = p[i] - (p[i] - row).clip(min=0)
    if float(common.sum()) == 0:  # no draft could ever be accepted
        common = p[i]
    return replace(verdict, token=sample(common, uniforms[-1]))


def _without_uniforms(
    accepts: Callable[[Rows, Rows, int], bool], correction: Callable[[Rows, Rows], Rows]
) -> Callable[[Rows, Rows | None, Sequence[int], Uniforms], Verdict]:
    """Return a chain rule that accepts by a yes or no of (p row, q row, token)."""

    def verify(p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms) -> Verdict:
        q = one_hot_rows(p, drafted) if q is None else q
        for i, x in enumerate(drafted):
            if not accepts(p[i], q[i], x):
                return Verdict(i, sample(correction(p[i], q[i]), uniforms[-1]))
        return Verdict(len(drafted), sample(p[len(drafted)], uniforms[-1]))

    return verify


TYPICAL = typical()
REDRAFT = Rule(
    "redraft", redraft, lossless=False,
    source='a tutorial, REFERENCES.md: article-003 ("stochastic")',
    what="accepts as the token-wise rule does, then drafts again in place of a correction",
)  # fmt: skip
RULES = (
    TOKEN_WISE,
    BLOCK,
    GREEDY_MATCH,
    ensemble(0.5),
    TYPICAL,
    # A tutorial (REFERENCES.md: article-003) calls these conservative, deterministic, stochastic:
    ratio_threshold(0.5),
    ratio_threshold(1.0),
    REDRAFT,
)
