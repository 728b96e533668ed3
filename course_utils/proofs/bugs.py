"""The bug zoo: the correct decoder with one thing wrong, each seen in the wild.

A specimen is a `Decoder` like any other, so whatever proves the correct one can
be pointed at it.  A wrong rule is an edit of the token-wise one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from course_utils.decoding.batch import BatchModel, BatchSession
from course_utils.decoding.contracts import (
    LanguageModel,
    NoiseSource,
    RoundNoise,
    Rows,
    Rule,
    Session,
    Uniforms,
)
from course_utils.decoding.rules import RECURSIVE_REJECTION, token_wise
from course_utils.edits import Edit, slip
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


class Misled:
    """A model, or a BatchModel, whose sessions are run by `session`, which is handed those."""

    def __init__(self, model: LanguageModel | BatchModel, session: Callable):
        self.model, self._session = model, session

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)

    def start(self, prompt: Sequence[int]) -> Session:
        return self._session(self.model.start(prompt))

    def start_batch(self, slots: int) -> BatchSession:
        return self._session(self.model.start_batch(slots))


class KeptSession:
    """Counts tokens back at a rollback, but what was rejected is still read."""

    def __init__(self, session: Session):
        self._session = session
        self.length = session.length

    def extend(self, tokens: Sequence[int]) -> Rows:
        self.length += len(tokens)
        return self._session.extend(tokens)

    def rollback(self, length: int) -> None:
        self.length = length


class StaleSlotSession(KeptSession):
    """States lie in a slot for each token of the last window.  A round without a draft goes on
    from the first slot, whichever token was the last accepted one."""

    def __init__(self, session: Session):
        super().__init__(session)
        self._first = session.length

    def extend(self, tokens: Sequence[int]) -> Rows:
        if len(tokens) == 1 and self._session.length > self._first:
            self._session.rollback(self._first)
        self._first = self._session.length + 1
        return super().extend(tokens)

    def rollback(self, length: int) -> None:
        self._session.rollback(self._session.length - self.length + length)
        self.length = length


@dataclass(frozen=True)
class Bug:
    """A specimen: what it is called, what is wrong, where it was seen."""

    name: str
    what: str
    origin: str
    decoder: Decoder
    edits: tuple[Edit, ...] = ()  # of `token_wise`, if it is a wrong rule of chains


def _edited(name: str, what: str, origin: str, *edits: Edit) -> Bug:
    rule = Rule(name, slip(token_wise, *edits), False, origin)
    return Bug(name, what, origin, Decoder(rule), edits)


# Pieces of `token_wise`.
RATIO = "p[i, x] / q[i, x]"
RESIDUAL = "without(p[i], x) if q is None else residual(p[i], q[i])"
CORRECTION = "sample(row, uniforms[-1])"
BONUS = "sample(p[len(drafted)], uniforms[-1])"

BUGS = (
    _edited(
        "argmax residual", "the correction is the likeliest token of the residual",
        "article 000", (CORRECTION, "int(row.argmax(-1))"),
    ),
    _edited(
        "argmax correction", "the correction is the likeliest token of p",
        "article 000", (CORRECTION, "int(p[i].argmax(-1))"),
    ),
    _edited(
        "resample from p", "the correction is drawn from p, not from the residual",
        "common", (RESIDUAL, "p[i]"),
    ),
    _edited(
        "no uniform", "a draft is accepted if p >= q, whatever the uniform",
        "articles 001 and 003", ("not uniforms[i] < float(ratio)", "not float(ratio) >= 1"),
    ),
    _edited(
        "argmax bonus", "the bonus is the likeliest token of p",
        "article 003", (BONUS, "int(p[len(drafted)].argmax(-1))"),
    ),
    _edited(
        "no bonus", "the last row of p is computed and thrown away", "common",
        (
            f"    return Verdict(len(drafted), {BONUS})",
            "    if drafted:\n"
            "        return Verdict(len(drafted), drafted[-1], (*range(len(drafted) - 1),))\n"
            f"    return Verdict(len(drafted), {BONUS})",
        ),
    ),
    _edited(
        "one uniform for all", "the seed is reset: one uniform judges every drafted token",
        "common", ("uniforms[i] <", "uniforms[0] <"),
    ),
    _edited(
        "uniform used twice", "the uniform that rejected the draft also draws the correction",
        "common", (CORRECTION, "sample(row, uniforms[i])"),
    ),
    _edited(
        "p and q swapped", "a draft is accepted with probability q/p",
        "common", (RATIO, "q[i, x] / max(p[i, x], 1e-38)"),
    ),
    _edited(
        "residual swapped", "the correction is drawn from norm(max(q - p, 0))",
        "common", ("residual(p[i], q[i])", "residual(q[i], p[i])"),
    ),
    _edited(
        "row off by one", "token i is judged by the row that follows it",
        "common", (RATIO, "p[i + 1, x] / q[i, x]"),
    ),
    _edited(
        "first token unverified", "the first drafted token is always accepted",
        "common", ("if not uniforms[i]", "if i > 0 and not uniforms[i]"),
    ),
    _edited(
        "not strict", "u <= p/q: a uniform of exactly 0 lets a token with p = 0 pass",
        "article 003", ("uniforms[i] <", "uniforms[i] <="),
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
        "common", Decoder(target=partial(Misled, session=KeptSession)),
    ),
    Bug(
        "stale slot", "a round without a draft reads the state before the last accepted guesses",
        "vLLM #39273", Decoder(target=partial(Misled, session=StaleSlotSession)),
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
