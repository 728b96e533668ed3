"""The interfaces of the loop: what the author of a model, a drafter or a rule must provide.

Any object that fits one of these protocols is a plug-in; there is nothing to inherit from and
nothing to register.  Rows are NumPy arrays or torch tensors: the callers work with both.
`course_utils.models.contract.check_sessions` tries a model of your own.

Letters, everywhere: p is the target's distribution after temperature, top-k, top-p and
min-p; q is the distribution the draft was actually drawn from; gamma is the number of
drafted tokens.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from course_utils.decoding.rows import Rows as Rows
from course_utils.decoding.rows import SparseRows, namespace

Uniforms = Sequence[float]  # each in [0, 1); used in comparisons only


class SlotSession(Protocol):
    """The part of a session that only moves a length; in a batch, one slot's text."""

    @property
    def length(self) -> int:
        """Tokens processed so far."""

    def rollback(self, length: int) -> None:
        """Forget all but the first `length` tokens, in constant time."""


class Session(SlotSession, Protocol):
    """One text being processed by one model: in practice, a key-value cache."""

    def extend(self, tokens: Sequence[int]) -> Rows:
        """Process `tokens`; return the logits after each: (len(tokens), vocabulary)."""


class TreeSession(Session, Protocol):
    """A session that can also hold a tree of guesses after its text: see `Draft`.

    After the verdict the loop calls `rollback` if the accepted path is the tree's first nodes,
    `keep` if it is not, and neither if the whole tree was accepted (it was a chain then).
    A model that starts such sessions has the attribute `verifies_trees`, True.
    """

    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Rows:
        """Process `tokens`; afterwards the last `len(parents)` tokens of the session are a tree.

        A token of the tree sees only the text before the tree and its own ancestors.  A tree
        may grow over several calls: `parents` always describes the whole tree.
        """

    def keep(self, length: int, path: Sequence[int]) -> None:
        """Forget all but the text (the first `length` tokens) and the tree's nodes at `path`."""


class LanguageModel(Protocol):
    """A model that gives logits for the next token; its sessions hold the texts."""

    vocabulary_size: int
    context: int  # the largest number of tokens a session can hold

    def start(self, prompt: Sequence[int]) -> Session:
        """Return a new session that has processed `prompt`, which may be empty."""


class ByContent:
    """Fields with arrays: two objects are equal if all numbers are."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and _numbers(self) == _numbers(other)


def _numbers(fields: object) -> dict[str, object]:
    return {name: x.tolist() if hasattr(x, "tolist") else x for name, x in vars(fields).items()}


@dataclass(frozen=True, eq=False)
class Draft(ByContent):
    """Guessed tokens and the distribution of each guess: a chain, or a tree, in which several
    candidates for one position have the same parent."""

    tokens: tuple[int, ...]
    q: Rows | None  # (len(tokens), vocabulary), copied at once; None: one-hot guesses
    parents: tuple[int, ...] | None = None  # places, -1 for the text; None: a chain, (-1, 0, ...)


NO_DRAFT = Draft((), None)


class RoundNoise(Protocol):
    """The random numbers of one round."""

    def uniforms(self, purpose: str, count: int) -> Uniforms:
        """Return `count` numbers; the same purpose always gives the same numbers."""


class NoiseSource(Protocol):
    """The random numbers of one text."""

    def round(self, index: int) -> RoundNoise:
        """Return the random numbers of round `index`."""


class Drafter(Protocol):
    """Whatever guesses the target's next tokens.

    The output has the target's distribution, however bad the guesses, on two conditions.
    Guess i is drawn from row i of q, by `sampling.sample` with number i of `noise`, or is
    one-hot (q None).  And whether a guess is submitted depends only on what was known before
    it was drawn: a drafter may stop after an unlikely guess, but must submit every guess
    that it has drawn.

    `proposal` prevents everything else: a drafter cannot see the uniforms that decide
    acceptance, change the text, or change a proposal after returning it.

    A drafter that adapts also has `learn(done: Round)`, called once before the next `propose`
    with the last round and its whole rows.  All of it was known before the next guess is
    drawn, so learning from it cannot change the output's distribution.
    """

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        """Guess at most `gamma` tokens after the committed `tokens`; `NO_DRAFT` for no guess.

        `tokens` is the whole text so far, read-only, and the same object in all rounds of a
        run.  `tokens.sampling` is the `Sampling` of the run: guesses drawn with the same
        settings are accepted most often.  A drafter that calls another one passes on `tokens`
        itself: a copy is a plain list without settings.  `noise` has one uniform per guess:
        noise.uniforms("draft", gamma).
        """


class Judgement(NamedTuple):
    """Why a rule accepted or rejected one drafted token."""

    node: int  # its place in the draft
    left: float  # what rejected siblings have left of p at the token; p itself for the first child
    q: float  # the token's probability under the draft; 1 for a one-hot guess
    ratio: float  # compared with the token's uniform
    accepted: bool


@dataclass(frozen=True)
class Verdict:
    """A rule's decision: how many drafted tokens are accepted, and the token after them."""

    accepted: int
    token: int  # the bonus if nothing was drafted after the last accepted one, else the correction
    path: tuple[int, ...] | None = None  # places of the accepted ones; None: the first `accepted`
    judged: tuple[Judgement, ...] = field(default=(), compare=False)  # (): no ratio was compared

    @property
    def places(self) -> Sequence[int]:
        """The places of the accepted tokens in the draft."""
        return range(self.accepted) if self.path is None else self.path


# (p, q, drafted, uniforms), and a tree's parents
Verify = Callable[..., Verdict]


@dataclass(frozen=True)
class Rule:
    """A verification rule and its description for tables and charts.

    Attributes:
        name: its name in tables, traces and `rule_named`; unique among `RULES`.
        verify: the decision, a pure function of (p, q, drafted, uniforms).  p is (gamma + 1,
            vocabulary), q is (gamma, vocabulary) or None.  There are gamma + 1 uniforms, the
            last one for the correction or the bonus.  A rule for trees gets `parents` as a
            fifth argument; then p[0] is the row after the text, p[i + 1] the one after node i.
        lossless: does the output have exactly the target's distribution?
        source: the paper and its algorithm, or an anchor of REFERENCES.md.
        what: a phrase that follows the rule's name: "accepts ..., corrects ...".
        trees: does it judge trees?  It then takes a chain as a tree.
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
        """Return the verdict on a draft, chain or tree.

        Raises:
            ValueError: the draft is a tree and the rule judges chains only, or the rule returns
                no verdict on this draft.
        """
        if parents is not None and not self.trees:
            raise ValueError(
                f"the draft is a tree, but the rule {self.name!r} judges only chains: use one of "
                "TREE_RULES, such as RECURSIVE_REJECTION"
            )
        shape = range(-1, len(drafted) - 1) if parents is None else parents
        verdict = self.verify(p, q, drafted, uniforms, *([shape] if self.trees else []))
        places = list(getattr(verdict, "places", ()))
        if not (
            isinstance(verdict, Verdict)
            and verdict.accepted in range(len(places), len(drafted) + 1)
            and all(place in range(len(drafted)) for place in places)
            and [shape[place] for place in places] == [-1, *places][: len(places)]
            and hasattr(verdict.token, "__index__")
            and 0 <= verdict.token < p.shape[-1]
        ):
            raise ValueError(
                f"the rule {self.name!r} returned {verdict!r:.80}: return a Verdict with at most "
                f"{len(drafted)} accepted guesses, a token from 0 to {p.shape[-1] - 1}, and in a "
                "tree the path of the accepted nodes"
            )
        return verdict


@dataclass(frozen=True)
class Seconds:
    """The time of a round by part."""

    draft: float
    verify: float  # the target's forward pass
    host: float  # everything else except `Round.compact`


@dataclass(frozen=True, eq=False)
class Round(ByContent):
    """One round of the loop: enough to show and count it, and with whole rows to replay it.

    `generate` yields compact rounds, whose p and q are `SparseRows`; `rows=True` keeps the
    whole rows.
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
        """The number of drafted tokens committed, without the correction or the bonus."""
        return min(self.verdict.accepted, len(self.emitted))

    @property
    def kinds(self) -> tuple[str, ...]:
        """For each emitted token: "accepted", "correction", "bonus", or "target" if nothing
        was drafted and the token is simply the target's next one."""
        parents = range(-1, len(self.drafted) - 1) if self.parents is None else self.parents
        if not self.drafted:
            last = "target"
        elif (-1, *self.verdict.places)[-1] not in parents:  # a leaf: nothing was drafted after it
            last = "bonus"
        else:
            last = "correction"
        return ("accepted",) * self.accepted + (last,) * (len(self.emitted) - self.accepted)

    def examined_overlaps(self) -> list[float]:
        """Return sum(min(p, q)) at each examined position of a chain; p(x) for a one-hot draft.

        Each is the probability that the token-wise rule accepts a token there, so under that
        rule their sum and the number of accepted tokens have the same expectation.
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
        """Return the round without its rows: with p and q at the drafted tokens, p at the token
        that the verdict added, and a chain's overlaps."""
        before = range(len(self.drafted)) if self.parents is None else [i + 1 for i in self.parents]
        last = (-1, *self.verdict.places)[-1] + 1
        places = [*zip(before, self.drafted, strict=True), (last, self.verdict.token)]
        small = {
            "p": SparseRows.of(self.p, places),
            "q": None if self.q is None else SparseRows.of(self.q, enumerate(self.drafted)),
            "overlaps": tuple(self.examined_overlaps()) if self.parents is None else (),
        }
        return Round(**vars(self) | small)  # faster than `dataclasses.replace`
