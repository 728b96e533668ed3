"""The bug zoo: the correct decoder with one fault each, all seen in the wild.

A specimen is a decoder like any other, so every test of the correct decoder applies to it.  A wrong
rule is an edit of the correct one.  Specimens of a single lesson are in its room.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from course_utils.decoding.contracts import (
    Draft,
    LanguageModel,
    NoiseSource,
    RoundNoise,
    Rows,
    Rule,
    Session,
    TreeSession,
    Uniforms,
)
from course_utils.decoding.proposal import CommittedText, sampling_of
from course_utils.decoding.rows import namespace
from course_utils.decoding.rules import RECURSIVE_REJECTION, recursive_rejection, token_wise
from course_utils.drafters.candidates import Candidates, likeliest, without_replacement
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.tree import Tree
from course_utils.edits import Edit, slip
from course_utils.proofs.decoders import Decoder
from course_utils.proofs.likelihood import rows_along

# The part of a round that a specimen gets wrong
DRAFT, RATIO, TEST = "the draft", "the ratio p/q", "other tests"
TOKEN, MEMORY = "correction, bonus", "memory"
ENUMERATION = "exact distribution"  # the killer of a specimen with a wrong text


@dataclass(frozen=True)
class Bug:
    """A specimen of the zoo."""

    name: str
    part: str  # of the round
    what: str  # the fault
    decoder: Any  # a Decoder; of a batch, a BatchDecoder
    origin: str = "common"  # where it was seen
    edits: tuple[Edit, ...] = ()  # applied to `token_wise`, for a wrong rule of chains
    killer: str = ENUMERATION  # the name of a test that it fails


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


# --- faults of drafters --------------------------------------------------------------------


class Colder(Sampled):
    """Draw at 0.7 of the temperature, but report q at the full one."""

    share = 0.7

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        reported = sampling_of(tokens)
        self.sampling = replace(reported, temperature=self.share * reported.temperature)
        draft = super().propose(tokens, gamma, noise)
        return replace(draft, q=rows_along(self.model, tokens, draft.tokens, reported))


class Likeliest(Colder):
    """Guess the likeliest token, but report a distribution that it was not drawn from."""

    share = 0.0


class Changed(Sampled):
    """A drafter that submits `change(draft, q)` wherever q is sampled."""

    def __init__(self, model: LanguageModel, change: Callable[[Draft, Rows], Draft]):
        super().__init__(model)
        self._change = change

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        return draft if draft.q is None else self._change(draft, draft.q)


def in_half_precision(draft: Draft, q: Rows) -> Draft:
    """Report q in half precision."""
    xp = namespace(q)
    return replace(draft, q=xp.astype(xp.astype(q, xp.float16), q.dtype))


def without_unlikely(draft: Draft, q: Rows) -> Draft:
    """Withhold a guess, and those after it, if another token is more than twice as likely."""
    likely = [2 * row[x] >= row.max() for row, x in zip(q, draft.tokens, strict=True)]
    length = [*likely, False].index(False)
    return Draft(draft.tokens[:length], q[:length])


class Lagging(Sampled):
    """Assume that the last guess is in the cache, although it was never processed.

    Guesses are still drawn from the reported q, so the text's distribution is right.
    """

    _last: tuple[int, ...] = ()

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        text = list(tokens)
        if self._last and tuple(tokens[: len(self._last)]) == self._last:
            del text[len(self._last) - 1]
        draft = super().propose(CommittedText(text, sampling_of(tokens)), gamma, noise)
        self._last = (*tokens, *draft.tokens)
        return draft


class SoftSet(Candidates):
    """Take the likeliest tokens, but report q as if they had been drawn."""

    def __init__(self, model: LanguageModel):
        super().__init__(model, likeliest)

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        row = rows_along(self.model, tokens, draft.tokens[:1], sampling_of(tokens))
        possible = [x for x in draft.tokens if row[0, x] > 0]
        return Draft(tuple(possible), np.repeat(row, len(possible), 0), (-1,) * len(possible))


# --- the specimens ------------------------------------------------------------------------

# Pieces of `token_wise`.
P_OVER_Q = "p[i, x] / q[i, x]"
RESIDUAL = "one_hot_residual(p[i], x) if q is None else residual(p[i], q[i])"
CORRECTION = "sample(row, uniforms[-1])"
BONUS = "sample(p[len(drafted)], uniforms[-1])"
FULL = f"return Verdict(len(drafted), {BONUS}, judged=judged)"
LAST_GUESS = "return Verdict(len(drafted), drafted[-1], (*range(len(drafted) - 1),))"
NO_BONUS = f"if drafted:\n        {LAST_GUESS}\n    {FULL}"


def _rule(
    name: str, part: str, what: str, old: str, new: str,
    origin: str = "common", killer: str = ENUMERATION,
) -> Bug:  # fmt: skip
    rule = Rule(name, slip(token_wise, (old, new)), False, origin)
    return Bug(name, part, what, Decoder(rule), origin, ((old, new),), killer)


def _session(session: Callable[[Any], Any], decoder: Decoder = Decoder()) -> Decoder:
    return replace(decoder, target=partial(WithSession, session=session))


BUGS = (
    _rule("argmax residual", TOKEN, "the correction is the likeliest token of the residual",
          CORRECTION, "int(row.argmax(-1))", "article 000"),
    _rule("argmax correction", TOKEN, "the correction is the likeliest token of p",
          CORRECTION, "int(p[i].argmax(-1))", "article 000"),
    _rule("resample from p", TOKEN, "the correction is drawn from p, not from the residual",
          RESIDUAL, "p[i]"),
    _rule("no uniform", TEST, "a draft is accepted if p >= q, whatever the uniform",
          "uniforms[i] < float(ratio)", "float(ratio) >= 1", "articles 001 and 003"),
    _rule("argmax bonus", TOKEN, "the bonus is the likeliest token of p",
          BONUS, "int(p[len(drafted)].argmax(-1))", "article 003"),
    _rule("no bonus", TOKEN, "the last row of p is computed and thrown away",
          FULL, NO_BONUS, killer="expected_tokens"),
    _rule("one uniform for all", MEMORY,
          "the seed is reset: one uniform judges every drafted token", "uniforms[i] <",
          "uniforms[0] <"),
    _rule("uniform used twice", MEMORY,
          "the uniform that rejected the draft also draws the correction", CORRECTION,
          "sample(row, uniforms[i])"),
    _rule("p and q swapped", RATIO, "a draft is accepted with probability q/p",
          P_OVER_Q, "q[i, x] / max(p[i, x], 1e-38)"),
    _rule("residual swapped", TOKEN, "the correction is drawn from norm(max(q - p, 0))",
          "residual(p[i], q[i])", "residual(q[i], p[i])"),
    _rule("row off by one", RATIO, "token i is judged by the row that follows it",
          P_OVER_Q, "p[i + 1, x] / q[i, x]"),
    _rule("first token unverified", TEST, "the first drafted token is always accepted",
          "= uniforms[i]", "= i == 0 or uniforms[i]"),
    _rule("not strict", TEST, "u <= p/q: a uniform of exactly 0 lets a token with p = 0 pass",
          "uniforms[i] <", "uniforms[i] <=", "article 003", "excluded_tokens_stay_out"),
    Bug("q at another temperature", DRAFT,
        "the draft is drawn at 0.7 of the temperature of the q in p/q", Decoder(drafter=Colder),
        "article 000"),
    Bug("argmax draft, soft q", DRAFT,
        "the draft is the likeliest token of q, yet p is divided by q",
        Decoder(drafter=Likeliest), "article 003"),
    Bug("q rounded", DRAFT, "the draft is drawn from q, and judged by q in half precision",
        Decoder(drafter=partial(Changed, change=in_half_precision))),
    Bug("unlikely drafts dropped", DRAFT,
        "a token drawn from q is not submitted if it is unlikely in q",
        Decoder(drafter=partial(Changed, change=without_unlikely))),
    Bug("one noise stream", MEMORY,
        "the uniform that drew the first guess also draws the correction",
        Decoder(noise=one_stream)),
    Bug("draft cache lags", MEMORY,
        "after a fully accepted draft the draft model skips its last token",
        Decoder(drafter=Lagging), killer="rows_are_those_of_the_text"),
    Bug("target cache kept", MEMORY, "rejected tokens stay in the target's cache",
        _session(UnrolledSession)),
    Bug("stale slot", MEMORY,
        "a round without a draft reads the state before the last accepted guesses",
        _session(StaleSlotSession), "vLLM #39273"),
    Bug("fixed set, soft q", DRAFT, "the likeliest candidates are verified as if drawn from q",
        Decoder(RECURSIVE_REJECTION, SoftSet)),
)  # fmt: skip

SHAPE = (-1, -1, 0, 1, 2)


def tree_decoder(draw: Callable = without_replacement, rule: Rule = RECURSIVE_REJECTION) -> Decoder:
    """Return the decoder for trees of `SHAPE`."""
    return Decoder(rule, lambda model: Tree(model, SHAPE, draw=draw))


CORRECT_TREE = tree_decoder()
JUDGED_BY_P = (
    "ratio = left[x] if q is None else left[x] / q[i, x]",
    "ratio = p[at + 1, x] if q is None else p[at + 1, x] / q[i, x]",
)
BY_TOKEN = ("left = p[at + 1]", "left = p[tuple(drafted).index(drafted[at]) + 1 if path else 0]")


def _tree_rule(edit: Edit) -> Decoder:
    return tree_decoder(rule=replace(RECURSIVE_REJECTION, verify=slip(recursive_rejection, edit)))


TREE_BUGS = (
    Bug("siblings judged by p", RATIO, "a rejected sibling leaves p as it was for the next one",
        _tree_rule(JUDGED_BY_P)),
    Bug("row found by token", RATIO, "the row after a node is that after the first with its token",
        _tree_rule(BY_TOKEN), killer="long_greedy_text"),
    Bug("target path not moved", MEMORY,
        "the target's cache holds the first nodes, whatever was accepted",
        _session(UnmovedSession, CORRECT_TREE), killer="long_greedy_text"),
)  # fmt: skip
