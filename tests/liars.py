"""Decoders that mean to pass for lossless.  A certificate is as good as the liars it has met.

Each bends the output in a way that is rare, late, or out of sight of the usual checks.
Each says which part of a certificate is expected to see it (`seen_by`); none may be called
free of defects.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from course_utils.decoding.contracts import Draft, Rule, Verdict
from course_utils.decoding.rows import namespace
from course_utils.decoding.rules import TOKEN_WISE, token_wise
from course_utils.decoding.sampling import sample
from course_utils.drafters.sampled import Sampled
from course_utils.edits import slip
from course_utils.proofs.bugs import RATIO, WithSession, bug
from course_utils.proofs.decoders import Decoder


@dataclass(frozen=True)
class Liar:
    name: str
    decoder: Decoder
    seen_by: str  # part of the name of a check that fails, or of what could not be run


# --- drafters that withhold, or misreport, under some condition ---------------------


def withholding(name, condition, seen_by):
    """Drops a guess, and what follows it, when condition(drafter, tokens, q row, guess)."""

    class Withholding(Sampled):
        proposals = 0

        def propose(self, tokens, gamma, noise):
            self.proposals += 1
            self.asked = gamma
            draft = super().propose(tokens, gamma, noise)
            for i, x in enumerate(draft.tokens):
                if condition(self, tokens, draft.q[i], x):
                    return Draft(draft.tokens[:i], draft.q[:i])
            return draft

    return Liar(name, Decoder(drafter=Withholding), seen_by)


def misreporting(name, condition, seen_by):
    """Reports q at 0.8 of the temperature when condition(drafter, tokens)."""

    class Misreporting(Sampled):
        proposals = 0

        def propose(self, tokens, gamma, noise):
            self.proposals += 1
            draft = super().propose(tokens, gamma, noise)
            if not draft.tokens or not condition(self, tokens):
                return draft
            xp = namespace(draft.q)
            q = xp.where(draft.q > 0, draft.q, 0.0) ** 1.25
            return replace(draft, q=q / xp.sum(q, axis=-1, keepdims=True))

    return Liar(name, Decoder(drafter=Misreporting), seen_by)


class BestOfTwo(Sampled):
    """Draws its last guess twice, submits the likelier of the two, reports q."""

    def propose(self, tokens, gamma, noise):
        draft = super().propose(tokens, gamma, noise)
        if not draft.tokens:
            return draft
        row = draft.q[-1]
        other = sample(row, noise.uniforms("draft", gamma)[0])
        best = max(draft.tokens[-1], other, key=lambda x: float(row[x]))
        return replace(draft, tokens=(*draft.tokens[:-1], best))


class DraftingWhenItWillPass(Sampled):
    """Drafts only if the first uniform of the verdict is small."""

    def propose(self, tokens, gamma, noise):
        if noise.uniforms("verify", 1)[0] >= 0.5:
            return Draft((), None)
        return super().propose(tokens, gamma, noise)


class OwnDice(Sampled):
    """Draws with random numbers of its own and reports q truly: nothing can be replayed."""

    def __init__(self, model):
        super().__init__(model)
        self.dice = np.random.default_rng()

    def propose(self, tokens, gamma, noise):
        return super().propose(tokens, gamma, self)

    def uniforms(self, purpose, count):
        return self.dice.random(count).tolist()


DRAFTERS = (
    withholding("withholds q < 0.02", lambda d, t, q, x: q[x] < 0.02, "exact distribution"),
    withholding("withholds a stop token", lambda d, t, q, x: x == 0 and len(q) > 40, "saw"),
    withholding(
        "withholds in long contexts", lambda d, t, q, x: len(t) > 600 and q[x] < 0.05, "saw"
    ),
    misreporting("misreports after 200 proposals", lambda d, t: d.proposals > 200, "not from q"),
    misreporting(
        "misreports under top-p",
        lambda d, t: t.sampling.top_p < 1 and d.model.vocabulary_size > 40,
        "not from q",
    ),
    Liar("best of two", Decoder(drafter=BestOfTwo), "exact distribution"),
    Liar("drafts when it will pass", Decoder(drafter=DraftingWhenItWillPass), "those of its own"),
    Liar("dice of its own", Decoder(drafter=OwnDice), "random numbers of its own"),
)


# --- rules that cheat rarely ---------------------------------------------------------


def cheating(name, condition, seen_by, cheat=None):
    """Token-wise, but everything is kept when condition(rule's calls, p, drafted)."""
    calls = [0]

    def verify(p, q, drafted, uniforms):
        calls[0] += 1
        if drafted and condition(calls[0], p, drafted):
            if cheat:
                return cheat(p, q, drafted, uniforms)
            return Verdict(len(drafted), sample(p[-1], uniforms[-1]))
        return token_wise(p, q, drafted, uniforms)

    return Liar(name, Decoder(Rule(TOKEN_WISE.name, verify, True, "tests")), seen_by)


timid = slip(token_wise, (RATIO, "p[i, x] / max(float(q[i, x]), 0.01)"))

RULES = (
    cheating("keeps all, one call in a hundred", lambda n, p, d: n % 100 == 0, ""),
    cheating(
        "corrects from p where V > 40",
        lambda n, p, d: p.shape[-1] > 40, "decided otherwise",
        bug("resample from p").decoder.rule.verify,
    ),
    Liar(
        "divides by max(q, 0.01)",
        Decoder(Rule(TOKEN_WISE.name, timid, True, "tests")), "exact distribution",
    ),
)  # fmt: skip


# --- targets whose rows depend on how they are asked ----------------------------------


class Asked(WithSession):
    """The model, its rows changed by change(logits, session)."""

    def __init__(self, model, change):
        super().__init__(model, lambda session: AskedSession(session, change))


class AskedSession:
    def __init__(self, session, change):
        self._session, self._change = session, change
        self.rollbacks = 0

    @property
    def length(self):
        return self._session.length

    def extend(self, tokens: Sequence[int]):
        return self._change(self._session.extend(tokens), self)

    def rollback(self, length):
        self.rollbacks += 1
        self._session.rollback(length)


def at(temperature, when=lambda rows, session: len(rows) > 1):
    """Rows at another temperature than asked for, when(rows, session)."""
    return lambda rows, session: rows / temperature if when(rows, session) else rows


def asked(name, change, seen_by):
    """A target that is itself so: what decodes and what is compared with it are one model."""
    return name, change, seen_by


class Forgetful(AskedSession):
    """Every twentieth rollback moves the length and leaves what was rejected in place."""

    ahead = 0

    @property
    def length(self):
        return self._session.length - self.ahead

    def rollback(self, length):
        self.rollbacks += 1
        if self.rollbacks % 20:
            self._session.rollback(length + self.ahead)
        else:
            self.ahead += self.length - length


def forgetting(model):
    return WithSession(model, lambda session: Forgetful(session, lambda rows, session: rows))


REACHED = (Liar("a rollback in twenty forgets nothing", Decoder(target=forgetting), "mean TV"),)

TARGETS = (
    asked("several rows at T = 0.9", at(0.9), "mean TV"),
    asked("five rows at T = 0.97", at(0.97, lambda rows, s: len(rows) == 5), "TV"),
    asked(
        "rows drift with each rollback",
        lambda rows, s: rows * (1 + 2e-3 * min(s.rollbacks, 50)), "TV",
    ),
)  # fmt: skip
