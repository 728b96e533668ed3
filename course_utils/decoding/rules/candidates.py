"""Several candidates for one position: if one is rejected, the next has its turn.

One rule serves three ways of choosing candidates, because q is always the distribution a
candidate was *actually* drawn from: with replacement every row is the same;
without, each row lacks the tokens drawn before; a fixed set is certain (None).
SpecInfer (Miao et al. 2023, arXiv 2305.09781, algorithm 2) has the first,
Sequoia (Chen et al. 2024, arXiv 2402.12374) the second.
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import Rows, Rule, Uniforms, Verdict
from course_utils.decoding.rules.chain import residual, without
from course_utils.decoding.sampling import sample


def recursive_rejection(
    p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms
) -> Verdict:
    """Judge each candidate by what the rejected ones before it have left of p.

    All drafted tokens are candidates for the position after the text: p[0] is
    the distribution there, p[i + 1] the distribution after candidate i.  q is (candidates,
    vocabulary), or None for a set chosen without chance.
    """
    left = p[0]
    for i, x in enumerate(drafted):
        ratio = left[x] if q is None else left[x] / q[i, x]
        if uniforms[i] < float(ratio):
            return Verdict(1, sample(p[i + 1], uniforms[-1]), path=(i,))
        left = without(left, x) if q is None else residual(left, q[i])
    return Verdict(0, sample(left, uniforms[-1]), path=())


RECURSIVE_REJECTION = Rule(
    "recursive rejection",
    recursive_rejection,
    lossless=True,
    source="Miao et al. 2023, algorithm 2; Chen et al. 2024 (Sequoia)",
    what="offers several tokens for one position, judges each by what is left of p",
)
