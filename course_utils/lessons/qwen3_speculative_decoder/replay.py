"""A recorded round, replayed: do its guesses and its verdict follow from what it states?"""

from collections.abc import Iterable
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Replayed:
    """A run, round by round, so that one round's rows are held at a time."""

    rounds: int
    follow: int  # of them: guesses and verdict are what rows and uniforms say
    gap: float  # the largest TV, at any drafted position, from p to what the rule makes of p and q


def replayed(rounds: Iterable[Round], seed: int) -> Replayed:
    """Replay a run that `seed` made."""
    told = [(follows(r, seed), _by_arithmetic(r)) for r in rounds]
    return Replayed(len(told), sum(f for f, _ in told), max(gap for _, gap in told))


def _by_arithmetic(r: Round) -> float:
    if not r.drafted:
        return 0.0
    p, q = (as_numpy(x).astype(float) for x in (r.p[:-1], r.q))
    return float(total_variation(emitted_row(p, q, q, residual(p, q)), p).max())


def follows(r: Round, seed: int) -> bool:
    """Is each guess what its uniform draws from q, and the verdict what the rule says?"""
    uniforms = Noise(seed).round(r.index).uniforms("draft", len(r.drafted))
    rows = [] if r.q is None else r.q
    drawn = tuple(sample(row, u) for row, u in zip(rows, uniforms, strict=True))
    verdict = TOKEN_WISE.verify(r.p, r.q, r.drafted, r.uniforms)
    return drawn == r.drafted and verdict == r.verdict
