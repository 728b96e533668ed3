"""A recorded round, replayed: do its guesses and its verdict follow from what it states?"""

from collections.abc import Iterable

from course_utils.decoding.contracts import Round
from course_utils.decoding.noise import Noise
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.rules import TOKEN_WISE, residual
from course_utils.decoding.sampling import sample
from course_utils.decoding.theory import total_variation


def emitted_row(p, drawn, q, correction):
    """The distribution (..., V) of the emitted token: x ~ `drawn` is accepted with
    probability min(1, p(x) / q(x)), and else the token comes from `correction`."""
    accepted = drawn * (p / q.clip(min=1e-300)).clip(max=1)
    return accepted + (1 - accepted.sum(-1)[..., None]) * correction


def by_arithmetic(rounds: Iterable[Round]) -> float:
    """The largest TV, over all drafted positions, from p to what the rule makes of p and q."""
    gaps = []
    for r in rounds:
        if r.drafted:
            p, q = (as_numpy(x).astype(float) for x in (r.p[:-1], r.q))
            row = emitted_row(p, q, q, residual(p, q))
            gaps.append(float(total_variation(row, p).max()))
    return max(gaps)


def follows(r: Round, seed: int) -> bool:
    """Is each guess what its uniform draws from q, and the verdict what the rule says?"""
    uniforms = Noise(seed).round(r.index).uniforms("draft", len(r.drafted))
    rows = [] if r.q is None else r.q
    drawn = tuple(sample(row, u) for row, u in zip(rows, uniforms, strict=True))
    verdict = TOKEN_WISE.verify(r.p, r.q, r.drafted, r.uniforms)
    return drawn == r.drafted and verdict == r.verdict
