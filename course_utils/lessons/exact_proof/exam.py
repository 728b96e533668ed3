"""Any rule or bug of the course, examined exactly at once: what the arena shows.

The exam is the lesson's: three words with context, texts of three words, and at
most two drafted tokens per round.  That is as much as a slider can wait for: the
enumeration walks up to some hundred paths, with three drafted tokens thousands.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from course_utils.decoding.contracts import Round
from course_utils.decoding.rules import RECURSIVE_REJECTION, RULES
from course_utils.drafters.candidates import Candidates, without_replacement
from course_utils.proofs.bugs import BUGS
from course_utils.proofs.decoders import (
    CORRECT,
    Decoder,
    acceptance_shown,
    distribution_of,
    exam,
    tokens_per_round,
)
from course_utils.proofs.enumeration import distribution_distance

WORDS = "ABC"
LENGTH = 3  # words of a text
GAMMAS = (1, 2)
# Their distribution and their first round are those of the correct decoder: see `bugs`.
UNSEEN = ("not strict", "draft cache lags")
SLOW_BUT_RIGHT = ("no bonus",)


@dataclass(frozen=True)
class Contestant:
    """A decoder to choose, and a phrase for what it does or what is wrong with it."""

    name: str
    kind: str  # "rule" or "bug"
    what: str
    decoder: Decoder
    lossless: bool  # by design: is its distribution the target's in every exam?


@dataclass(frozen=True)
class Outcome:
    """What an exam found.  Distributions are over the same texts, in the same order."""

    name: str
    what: str
    lossless: bool  # by design, not by this exam
    gamma: int
    agreement: float  # how much of the target the draft knows, 0 to 1
    texts: tuple[str, ...]
    truth: tuple[float, ...]  # what their probabilities should be
    distribution: tuple[float, ...]  # what they are
    drift: float  # TV of the two
    acceptance: float  # accepted / examined over the first round, as a log would print it
    tokens: float  # emitted in the first round, in expectation
    right_acceptance: float  # the same two of the token-wise rule
    right_tokens: float


def _contestants() -> Iterator[Contestant]:
    for rule in RULES:
        yield Contestant(rule.name, "rule", rule.what, Decoder(rule), rule.lossless)
    rule = RECURSIVE_REJECTION
    candidates = Decoder(rule, lambda model: Candidates(model, without_replacement))
    yield Contestant("candidates", "rule", rule.what, candidates, rule.lossless)
    for bug in BUGS:
        if bug.name not in UNSEEN:
            yield Contestant(
                bug.name, "bug", bug.what, bug.decoder, lossless=bug.name in SLOW_BUT_RIGHT
            )


CONTESTANTS = {contestant.name: contestant for contestant in _contestants()}
MENU = {f"{c.kind}: {c.name}": c.name for c in CONTESTANTS.values()}


@cache
def examine(name: str, gamma: int = 2, agreement: float = 0.5, seed: int = 0) -> Outcome:
    """The contestant of that name, through the real loop, along every path.

    Walks up to 660 paths, at some 0.15 ms each; asked again, it remembers.

    Raises:
        ValueError: no such contestant, gamma not in `GAMMAS`, agreement outside [0, 1].
    """
    if name not in CONTESTANTS:
        raise ValueError(f"nobody is called {name!r}; choose {', '.join(CONTESTANTS)}")
    if gamma not in GAMMAS or not 0 <= agreement <= 1:
        raise ValueError(
            f"gamma is {gamma} and agreement {agreement}; the exam takes gamma 1 or 2 "
            "and an agreement from 0 to 1"
        )
    contestant = CONTESTANTS[name]
    subject = exam(agreement=agreement, seed=seed, gamma=gamma, length=LENGTH)
    texts = list(product(range(len(WORDS)), repeat=LENGTH))
    paths = list(subject.paths(contestant.decoder))
    distribution = distribution_of(paths)
    truth = subject.truth()
    # a text is as long as a round can get, so the first round has its full draft
    first = [(weight, rounds[0]) for weight, rounds in paths]
    right = _token_wise(gamma, agreement, seed)
    return Outcome(
        name=name,
        what=contestant.what,
        lossless=contestant.lossless,
        gamma=gamma,
        agreement=agreement,
        texts=tuple("".join(WORDS[token] for token in text) for text in texts),
        truth=tuple(truth[text] for text in texts),
        distribution=tuple(distribution.get(text, 0.0) for text in texts),
        drift=distribution_distance(distribution, truth),
        acceptance=acceptance_shown(first),
        tokens=tokens_per_round(first),
        right_acceptance=acceptance_shown(right),
        right_tokens=tokens_per_round(right),
    )


@cache
def _token_wise(gamma: int, agreement: float, seed: int) -> list[tuple[float, Round]]:
    """The first rounds of the correct decoder, to compare with."""
    return exam(agreement=agreement, seed=seed, gamma=gamma, length=LENGTH).first_rounds(CORRECT)
