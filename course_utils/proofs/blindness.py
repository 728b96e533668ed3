"""Is a draft blind to its own guesses?  Asked of the drafter: what if the guess were another?

How many tokens are drafted, and the row a guess is drawn from, may depend on the guess
before it and not on the guess itself: a drafter that withholds an unlikely token, or
reports another q for it, bends the output.  A run cannot show it, since a withheld token
leaves no mark.  So a round is drafted again, from the same past, with the uniform of one
guess exchanged for one that draws another token; the rest must be as it was.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import Draft, NoiseSource, Round, RoundNoise
from course_utils.decoding.loop import catch_up
from course_utils.decoding.noise import Noise
from course_utils.decoding.proposal import CommittedText, notify, proposal
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import sample
from course_utils.decoding.theory import total_variation
from course_utils.proofs.decoders import RecordedRun

LEAST = 1e-9  # of the probability of a token that is tried
AIMED = (0.5, 0.2, 0.08, 0.03, 0.01, 3e-3, 1e-3, 1e-4)  # likelihoods of the tokens that are tried
UNSEEN = (0.001, *np.arange(0.03, 1, 0.06).tolist(), 0.999)  # for a guess that was not made
SAME = 1e-3  # TV between two rows of q that are one row but for rounding


@dataclass(frozen=True)
class Exchanged:
    """The uniforms of a text, one guess's apart."""

    source: NoiseSource
    index: int  # of the round
    place: int  # of the guess
    uniform: float

    def round(self, index: int) -> RoundNoise:
        return self if index == self.index else self.source.round(index)

    def uniforms(self, purpose: str, count: int) -> Sequence[float]:
        numbers = list(self.source.round(self.index).uniforms(purpose, count))
        if purpose == "draft" and self.place < count:
            numbers[self.place] = self.uniform
        return numbers


@dataclass(frozen=True)
class Blind:
    """What came of it."""

    tried: int = 0  # guesses that were exchanged
    changed: int = 0  # exchanges that changed what must not depend on the guess
    unlike: int = 0  # rounds that, drafted again with the same uniforms, came out otherwise
    first: str = ""  # the first finding, in words

    def __add__(self, other: "Blind") -> "Blind":
        return Blind(
            self.tried + other.tried, self.changed + other.changed,
            self.unlike + other.unlike, self.first or other.first,
        )  # fmt: skip


def try_others(run: RecordedRun, rounds: Sequence[int], likely: Sequence[float] = AIMED) -> Blind:
    """Exchange guesses of some rounds of a text; a drafter without q has nothing to hide.

    Args:
        rounds: their indices; the later ones cost more, since the past is drafted again.
            If drafts are not all as long as there is room, the first rounds of the rarest
            lengths are added.
        likely: for each the token whose probability is nearest is tried; stop tokens, the
            token before, and the likeliest and the least likely one are, too.
    """
    tried = changed = unlike = 0
    first = ""
    noise = Noise(run.seed)
    for index in sorted({*rounds, *_of_rare_length(run)}):
        r = run.rounds[index]
        limit = run.limit(r)
        if limit < 1 or r.q is None:
            continue
        again = _drafted_again(run, index, noise)
        if not _same_draft(again, r):
            unlike += 1
            first = first or f"round {index}: the same uniforms give another draft"
            continue
        for place, uniform, what in _exchanges(run, r, likely, limit):
            other = _drafted_again(run, index, Exchanged(noise, index, place, uniform))
            tried += 1
            problem = _difference(r, other, place)
            if problem:
                changed += 1
                first = first or f"round {index}, guess {place}, {what}: {problem}"
    return Blind(tried, changed, unlike, first)


def _of_rare_length(run: RecordedRun, at_most: int = 2) -> list[int]:
    """The first rounds of the rarest draft lengths, if there are several lengths."""
    lengths = {r.index: len(r.drafted) for r in run.rounds if run.limit(r) == run.gamma}
    counts = Counter(lengths.values())
    rare = sorted(counts, key=counts.get)[:at_most] if len(counts) > 1 else []
    return [next(index for index, n in lengths.items() if n == length) for length in rare]


def _exchanges(
    run: RecordedRun, r: Round, likely: Sequence[float], limit: int
) -> Iterator[tuple[int, float, str]]:
    """(place, uniform, what it would draw) of the exchanges to try in a round."""
    last = [*run.prompt, *run.tokens][r.context - 1]
    for place, row in enumerate(as_numpy(r.q).astype(np.float64)):
        ends = row.cumsum()
        parent = place - 1 if r.parents is None else r.parents[place]
        before = r.drafted[parent] if parent >= 0 else last
        for token in _others(row, r.drafted[place], likely, (*run.stop_tokens, before, last)):
            uniform = (ends[token] - row[token] / 2) / ends[-1]
            if sample(r.q[place], uniform) == token:
                yield place, uniform, f"token {token} with q = {row[token]:.2g}"
    if len(r.drafted) < limit:
        for uniform in UNSEEN:
            yield len(r.drafted), uniform, "not submitted"


def _others(
    row: np.ndarray, drawn: int, likely: Sequence[float], named: Sequence[int]
) -> list[int]:
    """Tokens other than the drawn one, over the whole range of probabilities."""
    possible = np.flatnonzero(row > LEAST)
    by_share = possible[np.argsort(-row[possible], kind="stable")]
    nearest = [by_share[np.abs(np.log(row[by_share] / share)).argmin()] for share in likely]
    ends = [by_share[0], by_share[-1], *(x for x in named if row[x] > LEAST)]
    return [x for x in dict.fromkeys(map(int, [*ends, *nearest])) if x != drawn]


def _drafted_again(run: RecordedRun, index: int, noise: NoiseSource) -> Draft:
    """What a fresh drafter proposes in round `index`, after all the rounds before."""
    drafter = run.decoder.drafter(run.draft)
    source, before = run.decoder.noise(noise), None
    shared = getattr(run.draft, "shared", None)  # a head reads the states of a target at work
    working = shared.start(run.prompt[:-1]) if shared else None
    for text, r in run.texts():
        limit = run.limit(r)
        if working:
            catch_up(working, list(text)[:-1], working.length)
        if limit > 0:
            random = source.round(r.index)
            notify(drafter, before)
            committed = CommittedText(text, run.sampling)
            draft = proposal(drafter, committed, limit, random, run.target)
        if r.index == index:
            return draft
        before = r
    raise ValueError(f"the text has no round {index}")


def _same_draft(draft: Draft, r: Round) -> bool:
    return draft.tokens == r.drafted and _difference(r, draft, len(r.drafted)) == ""


def _difference(r: Round, other: Draft, place: int) -> str:
    """What differs up to the guess that was exchanged; "" if nothing does."""
    if other.tokens[:place] != r.drafted[:place]:
        return "the guesses before it changed"
    if r.parents is not None and other.parents[: place + 1] != r.parents[: place + 1]:
        return "the shape up to it changed" if len(other.tokens) > place else "it was withheld"
    if place == len(r.drafted):  # nothing was submitted here
        return "now it was submitted" if len(other.tokens) > place else ""
    if len(other.tokens) <= place:
        return "it was withheld"
    if other.q is None:
        return "q disappeared"
    rows = (as_numpy(q)[: place + 1].astype(np.float64) for q in (r.q, other.q))
    apart = float(total_variation(*rows).max()) if place >= 0 else 0.0
    return "" if apart <= SAME else f"q became another, TV {apart:.2g}"
