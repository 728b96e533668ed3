"""The bug zoo: the correct decoder with one fault each, all seen in the wild.

A specimen is a `Decoder` like any other, so every test of the correct decoder applies to it.
A wrong rule is an edit of the correct one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import SimpleNamespace
from typing import Any

from course_utils.decoding.contracts import (
    LanguageModel,
    NoiseSource,
    RoundNoise,
    Rows,
    Rule,
    Session,
    TreeSession,
    Uniforms,
)
from course_utils.decoding.rules import RECURSIVE_REJECTION, recursive_rejection, token_wise
from course_utils.drafters.candidates import without_replacement
from course_utils.drafters.tree import Tree
from course_utils.edits import Edit, slip
from course_utils.proofs.broken_drafters import (
    Colder,
    Dropping,
    Lagging,
    Likeliest,
    Rounded,
    SoftSet,
)
from course_utils.proofs.decoders import Decoder

DISTRIBUTION = "the distribution of the text"
SPEED, ZERO = "tokens per round", "a uniform of exactly 0"


@dataclass(frozen=True)
class Bug:
    """A specimen of the zoo."""

    name: str
    what: str  # the fault
    origin: str  # where it was seen
    decoder: Decoder
    edits: tuple[Edit, ...] = ()  # applied to `token_wise`, for a wrong rule of chains
    seen_by: str = DISTRIBUTION  # what differs, if the distribution of the text does not


def bug(name: str, among: Sequence[Bug] | None = None) -> Bug:
    """Return the specimen with this name.

    Raises:
        ValueError: there is none.
    """
    among = BUGS if among is None else among
    for specimen in among:
        if specimen.name == name:
            return specimen
    raise ValueError(f"no bug is called {name!r}; choose {', '.join(b.name for b in among)}")


# --- faults of sessions, sources of uniforms and trees -------------------------------------


class WithSession:
    """A model with sessions wrapped by `session`."""

    def __init__(self, model: LanguageModel, session: Callable[[Any], Any]):
        self.model, self._session = model, session

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)

    def start(self, prompt: Sequence[int]) -> Session:
        return self._session(self.model.start(prompt))


class UnrolledSession:
    """A session whose rollback only changes the length; rejected tokens are still read."""

    def __init__(self, session: Session):
        self._session = session
        self.length = session.length

    def extend(self, tokens: Sequence[int]) -> Rows:
        self.length += len(tokens)
        return self._session.extend(tokens)

    def rollback(self, length: int) -> None:
        self.length = length


class StaleSlotSession(UnrolledSession):
    """A session with a state per token of the last pass.  A round without a draft continues from
    the first state instead of that of the last accepted token."""

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


class UnmovedSession:
    """A session that keeps the first nodes of a tree instead of the accepted path."""

    def __init__(self, session: TreeSession):
        self.session = session

    def __getattr__(self, name: str) -> Any:
        return getattr(self.session, name)

    def keep(self, length: int, path: Sequence[int]) -> None:
        self.session.rollback(length + len(path))


def one_stream(source: NoiseSource) -> NoiseSource:
    """Let the first guess use the uniform that also draws the correction."""

    def edited_round(index: int) -> RoundNoise:
        noise = source.round(index)

        def uniforms(purpose: str, count: int) -> Uniforms:
            drawn = noise.uniforms(purpose, count)
            if purpose != "draft" or not count:
                return drawn
            correction = noise.uniforms("verify", count + 1)[-1]
            return [correction, *drawn[1:]]

        return SimpleNamespace(uniforms=uniforms)

    return SimpleNamespace(round=edited_round)


# --- the specimens ------------------------------------------------------------------------

# Pieces of `token_wise`.
RATIO = "p[i, x] / q[i, x]"
RESIDUAL = "one_hot_residual(p[i], x) if q is None else residual(p[i], q[i])"
CORRECTION = "sample(row, uniforms[-1])"
BONUS = "sample(p[len(drafted)], uniforms[-1])"


def _rule(name: str, what: str, origin: str, *edit: str, seen_by: str = DISTRIBUTION) -> Bug:
    edits = ((edit[0], edit[1]),)
    rule = Rule(name, slip(token_wise, *edits), False, origin)
    return Bug(name, what, origin, Decoder(rule), edits, seen_by)


BUGS = (
    _rule("argmax residual", "the correction is the likeliest token of the residual",
          "article 000", CORRECTION, "int(row.argmax(-1))"),
    _rule("argmax correction", "the correction is the likeliest token of p",
          "article 000", CORRECTION, "int(p[i].argmax(-1))"),
    _rule("resample from p", "the correction is drawn from p, not from the residual",
          "common", RESIDUAL, "p[i]"),
    _rule("no uniform", "a draft is accepted if p >= q, whatever the uniform",
          "articles 001 and 003", "uniforms[i] < float(ratio)", "float(ratio) >= 1"),
    _rule("argmax bonus", "the bonus is the likeliest token of p",
          "article 003", BONUS, "int(p[len(drafted)].argmax(-1))"),
    _rule("no bonus", "the last row of p is computed and thrown away", "common",
          f"    return Verdict(len(drafted), {BONUS}, judged=judged)",
          "    if drafted:\n"
          "        return Verdict(len(drafted), drafted[-1], (*range(len(drafted) - 1),))\n"
          f"    return Verdict(len(drafted), {BONUS}, judged=judged)", seen_by=SPEED),
    _rule("one uniform for all", "the seed is reset: one uniform judges every drafted token",
          "common", "uniforms[i] <", "uniforms[0] <"),
    _rule("uniform used twice", "the uniform that rejected the draft also draws the correction",
          "common", CORRECTION, "sample(row, uniforms[i])"),
    _rule("p and q swapped", "a draft is accepted with probability q/p",
          "common", RATIO, "q[i, x] / max(p[i, x], 1e-38)"),
    _rule("residual swapped", "the correction is drawn from norm(max(q - p, 0))",
          "common", "residual(p[i], q[i])", "residual(q[i], p[i])"),
    _rule("row off by one", "token i is judged by the row that follows it",
          "common", RATIO, "p[i + 1, x] / q[i, x]"),
    _rule("first token unverified", "the first drafted token is always accepted",
          "common", "= uniforms[i]", "= i == 0 or uniforms[i]"),
    _rule("not strict", "u <= p/q: a uniform of exactly 0 lets a token with p = 0 pass",
          "article 003", "uniforms[i] <", "uniforms[i] <=", seen_by=ZERO),
    Bug("q at another temperature", "the draft is drawn at 0.7 of the temperature of the q in p/q",
        "article 000", Decoder(drafter=Colder)),
    Bug("argmax draft, soft q", "the draft is the likeliest token of q, yet p is divided by q",
        "article 003", Decoder(drafter=Likeliest)),
    Bug("q rounded", "the draft is drawn from q, and judged by q in half precision",
        "common", Decoder(drafter=Rounded)),
    Bug("unlikely drafts dropped", "a token drawn from q is not submitted if it is unlikely in q",
        "common", Decoder(drafter=Dropping)),
    Bug("one noise stream", "the uniform that drew the first guess also draws the correction",
        "common", Decoder(noise=one_stream)),
    Bug("draft cache lags", "after a fully accepted draft the draft model skips its last token",
        "common", Decoder(drafter=Lagging), seen_by=SPEED),
    Bug("target cache kept", "rejected tokens stay in the target's cache",
        "common", Decoder(target=partial(WithSession, session=UnrolledSession))),
    Bug("stale slot", "a round without a draft reads the state before the last accepted guesses",
        "vLLM #39273", Decoder(target=partial(WithSession, session=StaleSlotSession))),
    Bug("fixed set, soft q", "the likeliest candidates are verified as if drawn from q",
        "common", Decoder(RECURSIVE_REJECTION, SoftSet)),
)  # fmt: skip

SHAPE = (-1, -1, 0, 1, 2)


def tree_decoder(draw: Callable = without_replacement, rule: Rule = RECURSIVE_REJECTION) -> Decoder:
    """Return the decoder for trees of `SHAPE`."""
    return Decoder(rule, lambda model: Tree(model, SHAPE, draw=draw))


def _tree_rule(name: str, what: str, *edit: str) -> Bug:
    verify = slip(recursive_rejection, (edit[0], edit[1]))
    return Bug(name, what, "common", tree_decoder(rule=Rule(name, verify, False, "", trees=True)))


CORRECT_TREE = tree_decoder()
TREE_BUGS = (
    _tree_rule("siblings judged by p", "a rejected sibling leaves p as it was for the next one",
               "ratio = left[x] if q is None else left[x] / q[i, x]",
               "ratio = p[at + 1, x] if q is None else p[at + 1, x] / q[i, x]"),
    _tree_rule("row found by token", "the row after a node is that after the first with its token",
               "left = p[at + 1]",
               "left = p[tuple(drafted).index(drafted[at]) + 1 if path else 0]"),
    Bug("target path not moved", "the target's cache holds the first nodes, whatever was accepted",
        "common", replace(CORRECT_TREE, target=partial(WithSession, session=UnmovedSession))),
)  # fmt: skip
