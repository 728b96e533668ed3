"""Block verification: decide about the whole draft, not about each token.

Sun et al. 2024, "Block Verification Accelerates Speculative Decoding" (arXiv
2403.10444, algorithm 2).  A token that is too likely under q can use credit from
its predecessors: r, the running product of p/q, is capped at 1 only after each
step.  The longest prefix that passes is accepted, even if a shorter one fails.
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import Judgement, Rows, Rule, Uniforms, Verdict
from course_utils.decoding.rules.chain import judgement, one_hot_rows, residual
from course_utils.decoding.sampling import sample


def block(p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms) -> Verdict:
    """Accept the longest prefix i with u_i < h_i; correct from max(r_i p - q, 0).

    p is (gamma + 1, vocabulary); q is (gamma, vocabulary) or None (one-hot).
    In expectation over drafts and uniforms it accepts at least as many tokens as the
    token-wise rule (fewer in some rounds); at gamma = 1 the two are the same.
    It costs more: it sums a row for each drafted token except the last.
    """
    if q is None:
        q = one_hot_rows(p, drafted)
    gamma, accepted, r_accepted, r = len(drafted), 0, 1.0, 1.0
    judged: tuple[Judgement, ...] = ()
    for i, x in enumerate(drafted, start=1):
        left = r * float(p[i - 1, x])
        r = min(1.0, r * float(p[i - 1, x] / q[i - 1, x]))
        if i == gamma:
            h = r
        else:
            s = float((r * p[i] - q[i]).clip(min=0).sum())
            h = s / (s + 1 - r) if s + 1 > r else 1.0
        passes = uniforms[i - 1] < h
        judged += (judgement(i - 1, left, q, x, h, passes),)
        if passes:  # subtle: a failure here does not end the search
            accepted, r_accepted = i, r
    row = p[gamma] if accepted == gamma else residual(r_accepted * p[accepted], q[accepted])
    return Verdict(accepted, sample(row, uniforms[-1]), judged=judged)


BLOCK = Rule(
    "block", block, lossless=True, source="Sun et al. 2024, algorithm 2",
    what="judges the draft as a whole, accepts the longest prefix that passes",
)  # fmt: skip
