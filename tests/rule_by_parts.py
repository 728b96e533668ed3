"""The token-wise rule in three parts, for tests that exchange one."""

from course_utils.decoding.contracts import Verdict
from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import sample


def accepts(i, p, q, x, uniforms):
    """Return whether drafted token i is accepted."""
    return uniforms[i] < float(p[i, x] / q[i, x])


def correction(i, p, q, uniforms):
    """Return the token after a rejection at place i."""
    return sample(residual(p[i], q[i]), uniforms[-1])


def bonus(p, uniforms):
    """Return the token after a fully accepted draft."""
    return sample(p[-1], uniforms[-1])


def token_wise_from(accepts=accepts, correction=correction, bonus=bonus):
    def verify(p, q, drafted, uniforms):
        for i, x in enumerate(drafted):
            if not accepts(i, p, q, x, uniforms):
                return Verdict(i, correction(i, p, q, uniforms))
        return Verdict(len(drafted), bonus(p, uniforms))

    return verify
