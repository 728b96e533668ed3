"""What the author of a model, a drafter or a rule must read: the shapes that flow in the loop.

A plug-in is anything that fits one of these protocols; nothing is inherited and nothing is
registered.  Rows are NumPy arrays or torch tensors: the code above this file works on both.

Letters, everywhere: p is the target's distribution after temperature, top-k, top-p and
min-p; q is the distribution the draft was actually drawn from; gamma is the number of
drafted tokens.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from course_utils.decoding.rows import Rows as Rows
from course_utils.decoding.rows import SparseRows, namespace

Uniforms = Sequence[float]  # each in [0, 1); used in comparisons only


class SlotSession(Protocol):
    """The half of a session that moves an integer; in a batch, one slot's text."""

    @property
    def length(self) -> int:
        """Tokens processed so far."""

    def rollback(self, length: int) -> None:
        """Forget all but the first `length` tokens, at a cost that does not grow."""


class Session(SlotSession, Protocol):
    """One text being processed by one model: in practice, a key-value cache."""

    def extend(self, tokens: Sequence[int]) -> Rows:
        """Process `tokens`; logits of what follows each: (len(tokens), vocabulary)."""


class TreeSession(Session, Protocol):
    """A session that can also hold a tree of guesses behind its text: see `Draft`.

    After the verdict it gets `rollback` if the accepted path stands at the tree's first places,
    else `keep`; and neither if the whole tree was accepted, which was a chain then.
    """

    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Rows:
        """Process `tokens`; the last `len(parents)` tokens that it then holds are a tree.

        A token of the tree follows the text before the tree and its own ancestors, nothing
        else.  A tree may grow call by call: `parents` is always that of all of it.
        """

    def keep(self, length: int, path: Sequence[int]) -> None:
        """Forget all but the first `length` tokens, the text, and the tree's nodes at `path`."""


class LanguageModel(Protocol):
    """Gives logits for the next token; holds no text itself."""

    vocabulary_size: int
    context: int  # the most tokens a session can hold

    def start(self, prompt: Sequence[int]) -> Session:
        """A new session that has processed `prompt`, which may be empty."""


@dataclass(frozen=True)
class Draft:
    """Guessed tokens and the distribution of each guess: a chain, each after the one before, or a
    tree, in which several candidates for one position have the same parent."""

    tokens: tuple[int, ...]
    q: Rows | None  # (len(tokens), vocabulary), copied at once; None: the guesses were certain
    parents: tuple[int, ...] | None = None  # places, -1 for the text; None: a chain, (-1, 0, ...)


NO_DRAFT = Draft((), None)


class RoundNoise(Protocol):
    """The random numbers of one round."""

    def uniforms(self, purpose: str, count: int) -> Uniforms:
        """`count` numbers; the same purpose always gives the same numbers."""


class NoiseSource(Protocol):
    """The random numbers of one text."""

    def round(self, index: int) -> RoundNoise:
        """The random numbers of round `index`."""


class Drafter(Protocol):
    """Guesses what the target will say.

    The output is the target's whatever is guessed, if two things hold.  Guess i is
    drawn from row i of q, by `sampling.sample` with number i of `noise`, or is certain
    (q None).  And what is proposed depends only on what was known before it was drawn:
    a drafter may stop after an unlikely guess, but a guess that was drawn must be
    submitted, whatever it turned out to be.

    `proposal` makes the rest impossible: a drafter cannot see the uniforms that will
    judge its guesses, change the text, or change a proposal once it is made.

    A drafter that adapts also has `learn(done: Round)`: it sees the round before, with all
    its rows, once before the next `propose`.  All in it was known before the next guess is
    drawn, so whatever is learned from it, the output stays the target's.
    """

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        """Guess at most `gamma` tokens after the committed `tokens`; `NO_DRAFT` without a guess.

        `tokens` is the whole text so far; it can be read, not changed, and it is the same object
        in all rounds of a run.  `tokens.sampling` is the `Sampling` of the run: guesses drawn
        with the same settings are accepted most often.  A drafter that calls another hands it
        `tokens` itself, as a copy is a list without settings.  `noise` has one uniform for
        each guess: noise.uniforms("draft", gamma).
        """


@dataclass(frozen=True)
class Verdict:
    """What a rule decided: how many drafted tokens are accepted, and the token after them."""

    accepted: int
    token: int  # the bonus if nothing was drafted after the last accepted one, else the correction
    path: tuple[int, ...] | None = None  # places of the accepted ones; None: the first `accepted`

    @property
    def places(self) -> Sequence[int]:
        """Places of the accepted tokens in the draft."""
        return range(self.accepted) if self.path is None else self.path


# (p, q, drafted, uniforms), and of a tree its parents
Verify = Callable[..., Verdict]


@dataclass(frozen=True)
class Rule:
    """A verification rule, and what tables and charts say of it.

    Attributes:
        name: what a table, a trace and `rule_named` call it; of `RULES` no two have the same.
        verify: the decision, a pure function of (p, q, drafted, uniforms).  p is (gamma + 1,
            vocabulary), q is (gamma, vocabulary) or None, and of the gamma + 1 uniforms the
            last one is for the correction or the bonus.  If the rule judges trees, `parents`
            comes fifth; then p[0] is the row after the text, p[i + 1] the one after node i.
        lossless: is the distribution of the output exactly the target's?
        source: the paper and its algorithm, or an anchor of REFERENCES.md.
        what: a phrase that follows the rule's name: "accepts ..., corrects ...".
        trees: does it judge trees?  A chain is a tree to it.
    """

    name: str
    verify: Verify
    lossless: bool
    source: str
    what: str = ""
    trees: bool = False

    def judge(
        self, p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms,
        parents: Sequence[int] | None = None,
    ) -> Verdict:  # fmt: skip
        """The verdict on a draft of either form.

        Raises:
            ValueError: a tree, and the rule judges chains.
        """
        if self.trees:
            chain = range(-1, len(drafted) - 1)
            return self.verify(p, q, drafted, uniforms, chain if parents is None else parents)
        if parents is None:
            return self.verify(p, q, drafted, uniforms)
        raise ValueError(
            f"the draft is a tree, and the rule {self.name!r} judges chains: take one of "
            "TREE_RULES, such as RECURSIVE_REJECTION"
        )


@dataclass(frozen=True)
class Seconds:
    """Where the time of a round went."""

    draft: float
    verify: float  # the target's forward pass
    host: float  # everything else, but for what `Round.compact` takes


@dataclass(frozen=True)
class Round:
    """One turn of the loop: enough to show it and count it, and with its rows to replay it.

    `generate` yields compact rounds, whose p and q are `SparseRows`; with `rows=True` they
    are whole.
    """

    index: int
    context: int  # committed tokens before the round
    drafted: tuple[int, ...]
    p: Rows  # (len(drafted) + 1, vocabulary)
    q: Rows | None  # (len(drafted), vocabulary); None for a one-hot draft
    uniforms: Uniforms  # len(drafted) + 1
    verdict: Verdict
    emitted: tuple[int, ...]  # committed in this round; shorter at a stop token
    cache_before: int  # tokens in the target's cache
    cache_after: int
    seconds: Seconds
    stop_reason: str | None = None  # "length", "context", "stop_token", "stop_string" on the last
    parents: tuple[int, ...] | None = None  # of the draft
    overlaps: tuple[float, ...] | None = None  # `examined_overlaps` of a compact round

    @property
    def accepted(self) -> int:
        """Drafted tokens that were committed; never the correction or the bonus."""
        return min(self.verdict.accepted, len(self.emitted))

    @property
    def kinds(self) -> tuple[str, ...]:
        """For each emitted token: "accepted", "correction", "bonus", or "target"
        where nothing had been drafted and the target simply said the next token."""
        parents = range(-1, len(self.drafted) - 1) if self.parents is None else self.parents
        if not self.drafted:
            last = "target"
        elif (-1, *self.verdict.places)[-1] not in parents:  # a leaf: nothing was drafted after it
            last = "bonus"
        else:
            last = "correction"
        return ("accepted",) * self.accepted + (last,) * (len(self.emitted) - self.accepted)

    def examined_overlaps(self) -> list[float]:
        """sum(min(p, q)) at each examined position of a chain; p(x) for a one-hot draft.

        Each is the probability with which the token-wise rule accepts a token there, so
        their sum and the count of accepted tokens have one expectation under that rule.
        Block verification and the lossy rules accept at other rates.
        """
        if self.overlaps is not None:
            return list(self.overlaps)
        examined = min(len(self.drafted), len(self.emitted))  # up to the correction
        if self.q is None:
            return [float(self.p[i, x]) for i, x in enumerate(self.drafted[:examined])]
        smaller = namespace(self.p).minimum(self.p[:examined], self.q[:examined])
        return [float(rate) for rate in smaller.sum(axis=-1)]

    def compact(self) -> "Round":
        """The round without its rows: p and q at the drafted tokens, p at the one that the verdict
        added, and the overlaps of a chain."""
        before = range(len(self.drafted)) if self.parents is None else [i + 1 for i in self.parents]
        last = (-1, *self.verdict.places)[-1] + 1
        places = [*zip(before, self.drafted, strict=True), (last, self.verdict.token)]
        small = {
            "p": SparseRows.of(self.p, places),
            "q": None if self.q is None else SparseRows.of(self.q, enumerate(self.drafted)),
            "overlaps": tuple(self.examined_overlaps()) if self.parents is None else (),
        }
        return Round(**vars(self) | small)  # faster than `dataclasses.replace`
