"""What there is to see of one round: the guesses with p, q and uniform, the outcome, the caches."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest

from course_utils.classroom.tokens import Decode, pieces
from course_utils.decoding.contracts import Round, Rows
from course_utils.decoding.rules import residual, token_wise, without

LIKELIEST = 5  # entries shown of a distribution


@dataclass(frozen=True)
class Guess:
    """One drafted token and what became of it."""

    text: str
    q: float
    p: float
    uniform: float
    fate: str  # "accepted", "rejected" or "not examined"


@dataclass(frozen=True)
class RoundView:
    """What there is to see of one round."""

    number: int
    rounds: int
    before: str  # the text so far
    guesses: tuple[Guess, ...]
    uniforms: bool  # does u < p/q decide in every round, as in the token-wise rule?
    emitted: tuple[tuple[str, str], ...]  # (text, kind)
    # what the last token was drawn from: its likeliest tokens
    distribution: tuple[tuple[str, float], ...]
    target_cache: tuple[int, int]  # tokens before and after the round
    draft_cache: tuple[int, int] | None  # after drafting, and after the rollback; None: no model


def round_view(
    rounds: Sequence[Round], index: int, decode: Decode, uniforms: bool | None = None
) -> RoundView:
    """Round `index` of a run, whatever model, drafter and rule it came from.

    Args:
        uniforms: does u < p/q decide in every round?  None: found out.

    Raises:
        IndexError: there is no such round.
    """
    r = rounds[index]
    before = [token for earlier in rounds[:index] for token in earlier.emitted]
    uniforms = by_uniforms(rounds) if uniforms is None else uniforms
    return RoundView(
        number=index + 1,
        rounds=len(rounds),
        before="".join(pieces(before, decode)),
        guesses=guesses(r, decode),
        uniforms=uniforms,
        emitted=tuple(zip(pieces(r.emitted, decode), r.kinds, strict=True)),
        distribution=_likeliest(_last_distribution(r), decode)
        if uniforms and r.accepted < len(r.emitted)
        else (),
        target_cache=(r.cache_before, r.cache_after),
        draft_cache=_draft_cache(r),
    )


def by_uniforms(rounds: Sequence[Round]) -> bool:
    """Does u < p/q, token by token, explain every verdict?"""
    return all(
        r.parents is None and token_wise(r.p, r.q, r.drafted, r.uniforms) == r.verdict
        for r in rounds
    )


def guesses(r: Round, decode: Decode) -> tuple[Guess, ...]:
    """What became of each drafted token; where nothing was drawn (q is None) its q is 1."""
    accepted = range(r.verdict.accepted) if r.verdict.path is None else r.verdict.path
    seen = len(r.drafted) if r.parents else r.verdict.accepted + 1
    return tuple(
        Guess(
            text,
            1.0 if r.q is None else float(r.q[i, x]),
            float(r.p[i if r.parents is None else r.parents[i] + 1, x]),
            float(r.uniforms[i]),
            "accepted" if i in accepted else "rejected" if i < seen else "not examined",
        )
        for i, (x, text) in enumerate(zip(r.drafted, _texts(r, decode), strict=True))
    )


def _texts(r: Round, decode: Decode) -> list[str]:
    if r.parents is None:
        return pieces(r.drafted, decode)
    return [decode([token]) for token in r.drafted]


def _last_distribution(r: Round) -> Rows:
    """What the correction or the bonus was drawn from."""
    i = r.verdict.accepted
    if i == len(r.drafted):
        return r.p[i]
    return without(r.p[i], r.drafted[i]) if r.q is None else residual(r.p[i], r.q[i])


def _likeliest(distribution: Rows, decode: Decode) -> tuple[tuple[str, float], ...]:
    values = distribution.tolist()
    best = nlargest(LIKELIEST, range(len(values)), key=values.__getitem__)
    return tuple((decode([token]), values[token]) for token in best if values[token] >= 0.005)


def _draft_cache(r: Round) -> tuple[int, int] | None:
    """A draft model has read all of its guesses but the last; what was rejected goes."""
    if r.q is None or not r.drafted or r.parents is not None:
        return None
    read = r.context + len(r.drafted) - 1
    return read, min(read, r.context + r.accepted)
