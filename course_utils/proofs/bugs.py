"""The bug zoo: the correct decoder with one thing wrong, each seen in the wild.

A specimen is a `Decoder` like any other, so whatever proves the correct one can
be pointed at it.  Rules are built from the parts of the token-wise rule; one
part is replaced.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from course_utils.decoding.contracts import (
    LanguageModel,
    NoiseSource,
    RoundNoise,
    Rows,
    Rule,
    Session,
    Uniforms,
    Verdict,
    Verify,
)
from course_utils.decoding.rules import RECURSIVE_REJECTION, ratio_threshold, residual
from course_utils.decoding.sampling import sample
from course_utils.proofs import broken_drafters
from course_utils.proofs.decoders import Decoder


@dataclass(frozen=True)
class OneStream:
    """The uniform of a round's first guess will also draw the correction."""

    source: NoiseSource

    def round(self, index: int) -> "OneStreamRound":
        return OneStreamRound(self.source.round(index))


@dataclass(frozen=True)
class OneStreamRound:
    noise: RoundNoise

    def uniforms(self, purpose: str, count: int) -> Uniforms:
        numbers = self.noise.uniforms(purpose, count)
        if purpose != "draft" or not count:
            return numbers
        correction = self.noise.uniforms("verify", count + 1)[-1]
        return [correction, *numbers[1:]]


class NeverForgets:
    """Counts tokens back at a rollback, but what was rejected is still read."""

    def __init__(self, model: LanguageModel):
        self.model = model
        self.vocabulary_size = model.vocabulary_size
        self.context = model.context

    def start(self, prompt: Sequence[int]) -> "KeptSession":
        return KeptSession(self.model.start(prompt))


class KeptSession:
    """Rejected tokens stay in the inner session for ever."""

    def __init__(self, session: Session):
        self._session = session
        self.length = session.length

    def extend(self, tokens: Sequence[int]) -> Rows:
        self.length += len(tokens)
        return self._session.extend(tokens)

    def rollback(self, length: int) -> None:
        self.length = length


@dataclass(frozen=True)
class Bug:
    """A specimen: what it is called, what is wrong, where it was seen."""

    name: str
    what: str
    origin: str
    decoder: Decoder


def accepts(i: int, p: Rows, q: Rows, x: int, uniforms: Uniforms) -> bool:
    """Is drafted token i accepted?"""
    return uniforms[i] < float(p[i, x] / q[i, x])


def correction(i: int, p: Rows, q: Rows, uniforms: Uniforms) -> int:
    """The token after a rejection at place i."""
    return sample(residual(p[i], q[i]), uniforms[-1])


def bonus(p: Rows, uniforms: Uniforms) -> int:
    """The token after a fully accepted draft."""
    return sample(p[-1], uniforms[-1])


def token_wise_from(
    accepts: Callable = accepts, correction: Callable = correction, bonus: Callable = bonus
) -> Verify:
    """The token-wise rule, assembled from its three parts."""

    def verify(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> Verdict:
        for i, x in enumerate(drafted):
            if not accepts(i, p, q, x, uniforms):
                return Verdict(i, correction(i, p, q, uniforms))
        return Verdict(len(drafted), bonus(p, uniforms))

    return verify


def no_bonus(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> Verdict:
    """Correct but wasteful: a fully accepted draft ends with its own last token."""
    verdict = token_wise_from()(p, q, drafted, uniforms)
    if drafted and verdict.accepted == len(drafted):
        return Verdict(len(drafted) - 1, drafted[-1])
    return verdict


def _rule(name: str, what: str, origin: str, verify: Verify) -> Bug:
    return Bug(name, what, origin, Decoder(Rule(name, verify, False, origin)))


def _parts(name: str, what: str, origin: str, **parts: Callable) -> Bug:
    return _rule(name, what, origin, token_wise_from(**parts))


BUGS = (
    _parts(
        "argmax residual", "the correction is the likeliest token of the residual",
        "article 000",
        correction=lambda i, p, q, u: int(residual(p[i], q[i]).argmax(-1)),
    ),
    _parts(
        "argmax correction", "the correction is the likeliest token of p",
        "article 000",
        correction=lambda i, p, q, u: int(p[i].argmax(-1)),
    ),
    _parts(
        "resample from p", "the correction is drawn from p, not from the residual",
        "common",
        correction=lambda i, p, q, u: sample(p[i], u[-1]),
    ),
    Bug(
        "no uniform", "a draft is accepted if p >= q, whatever the uniform",
        "articles 001 and 003", Decoder(ratio_threshold(1.0)),
    ),
    _parts(
        "argmax bonus", "the bonus is the likeliest token of p",
        "article 003",
        bonus=lambda p, u: int(p[-1].argmax(-1)),
    ),
    _rule("no bonus", "the last row of p is computed and thrown away", "common", no_bonus),
    _parts(
        "one uniform for all", "the seed is reset: one uniform judges every drafted token",
        "common",
        accepts=lambda i, p, q, x, u: u[0] < float(p[i, x] / q[i, x]),
    ),
    _parts(
        "uniform used twice", "the uniform that rejected the draft also draws the correction",
        "common",
        correction=lambda i, p, q, u: sample(residual(p[i], q[i]), u[i]),
    ),
    _parts(
        "p and q swapped", "a draft is accepted with probability q/p",
        "common",
        accepts=lambda i, p, q, x, u: u[i] < float(q[i, x]) / max(float(p[i, x]), 1e-38),
    ),
    _parts(
        "residual swapped", "the correction is drawn from norm(max(q - p, 0))",
        "common",
        correction=lambda i, p, q, u: sample(residual(q[i], p[i]), u[-1]),
    ),
    _parts(
        "row off by one", "token i is judged by the row that follows it",
        "common",
        accepts=lambda i, p, q, x, u: u[i] < float(p[i + 1, x] / q[i, x]),
    ),
    _parts(
        "first token unverified", "the first drafted token is always accepted",
        "common",
        accepts=lambda i, p, q, x, u: i == 0 or accepts(i, p, q, x, u),
    ),
    _parts(
        "not strict", "u <= p/q: a uniform of exactly 0 lets a token with p = 0 pass",
        "article 003",
        accepts=lambda i, p, q, x, u: u[i] <= float(p[i, x] / q[i, x]),
    ),
    Bug(
        "q at another temperature", "the draft is drawn at 0.7 of the temperature of the q in p/q",
        "article 000", Decoder(drafter=broken_drafters.Colder),
    ),
    Bug(
        "argmax draft, soft q", "the draft is the likeliest token of q, yet p is divided by q",
        "article 003", Decoder(drafter=broken_drafters.Likeliest),
    ),
    Bug(
        "q rounded", "the draft is drawn from q, and judged by q in half precision",
        "common", Decoder(drafter=broken_drafters.Rounded),
    ),
    Bug(
        "unlikely drafts dropped", "a token drawn from q is not drafted if q finds it unlikely",
        "common", Decoder(drafter=broken_drafters.Dropping),
    ),
    Bug(
        "one noise stream", "the uniform that drew the first guess also draws the correction",
        "common", Decoder(noise=OneStream),
    ),
    Bug(
        "draft cache lags", "after a fully accepted draft the draft model skips its last token",
        "common", Decoder(drafter=broken_drafters.Lagging),
    ),
    Bug(
        "target cache kept", "rejected tokens stay in the target's cache",
        "common", Decoder(target=NeverForgets),
    ),
    Bug(
        "fixed set, soft q", "the likeliest candidates are verified as if drawn from q",
        "common", Decoder(RECURSIVE_REJECTION, broken_drafters.SoftSet),
    ),
)  # fmt: skip


def bug(name: str, among: Sequence[Bug] = BUGS) -> Bug:
    """The specimen of that name.

    Raises:
        ValueError: there is none.
    """
    for specimen in among:
        if specimen.name == name:
            return specimen
    raise ValueError(f"no bug is called {name!r}; there are {', '.join(b.name for b in among)}")
