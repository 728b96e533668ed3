"""Rules that change the draft length, each enumerated: is the output the target's?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import Draft, Drafter, RoundNoise
from course_utils.decoding.outcomes import fastest_length, round_cost
from course_utils.drafters.lengths import AdaptiveLength, Heuristic, StaleBudget
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.stops import LikelyRejected, Scattered, Unsure
from course_utils.proofs.decoders import Decoder, Make, exam

# Small enough to enumerate in a moment; the draft is bad, so that stop rules do stop.
EXAM = exam(2, agreement=0.2)
LOSSLESS = 1e-12  # a total variation below is rounding


class Withholding(Sampled):
    """A draft model that drops a guess to which it gave less than 0.4, and all after it."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        for i, (row, guess) in enumerate(zip(draft.q, draft.tokens, strict=True)):
            if row[guess] < 0.4:
                return Draft(draft.tokens[:i], draft.q[:i])
        return draft


class PresentBudget(Sampled):
    """A draft model that drafts to the end, then submits as many guesses as now pay best.

    A pass over more than two rows costs extra here.  With such a step, whether a guess is
    submitted depends on confidences after it, and so on the guess.
    """

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        if draft.q is None:
            return draft
        shares = np.cumprod(np.array([float(row.max()) for row in draft.q]))
        best = fastest_length(shares.tolist(), lambda gamma: 1.0 if gamma < 2 else 1.5)
        return Draft(draft.tokens[:best], draft.q[:best])


def complexity(tokens: Sequence[int]) -> float:
    """Return article 003's complexity of a text (REFERENCES.md: article-003).

    >>> complexity([7] * 500)  # a long repetition is "simple"
    0.2012
    """
    if len(tokens) < 10:
        return 0.1
    distinct = len(set(tokens)) / len(tokens)
    return 0.6 * distinct + 0.4 * min(len(tokens) / 1000, 1.0)


def length_for(complexity: float) -> int:
    """Return the length in the article's table: 0.2 -> 8, 0.5 -> 5, 0.9 -> 3."""
    if complexity < 0.3:
        return 8
    return 5 if complexity < 0.7 else 3


class ByComplexity:
    """A drafter of the length in the table, which depends on the committed text alone."""

    def __init__(self, drafter: Drafter):
        self.drafter = drafter

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        length = length_for(complexity(tokens))
        return self.drafter.propose(tokens, min(gamma, length), noise)


@dataclass(frozen=True)
class Case:
    """A rule, what it looks at to decide about a guess, and a drafter that follows it."""

    looks_at: str
    drafter: Make


def _stopping(stop) -> Make:
    return lambda model: Sampled(model, stop=stop)


def _by(policy) -> Make:
    return lambda model: AdaptiveLength(Sampled(model), policy())


KNOWN_BEFORE: Mapping[str, Case] = {
    "heuristic (transformers)": Case("finished rounds", _by(lambda: Heuristic(2, 3))),
    "threshold 0.4 (transformers)": Case("guesses drawn before", _stopping(Unsure(0.4))),
    "SpecDec++": Case("guesses drawn before", _stopping(LikelyRejected(0.6))),
    "entropy of the row": Case("the row, before the draw", _stopping(Scattered(0.65))),
    "stale budget (vLLM)": Case(
        "the previous round", _by(lambda: StaleBudget(round_cost(0.3), 2, 3))
    ),
    "complexity table (article 003)": Case(
        "the committed text", lambda model: ByComplexity(Sampled(model))
    ),
}
KNOWN_AFTER: Mapping[str, Case] = {
    "drop a guess below 0.4": Case("the guess itself", Withholding),
    "budget from these confidences": Case("rows after the guess", PresentBudget),
}


def distance_of(make: Make) -> float:
    """Enumerate the total variation between a drafter's texts and the target's."""
    return EXAM.distance(Decoder(drafter=make))


def verdicts(cases: Mapping[str, Case]) -> list[dict[str, object]]:
    """Return a row for each rule: the lengths of its first drafts, and the exact total variation
    between its texts and the target's."""
    rows = []
    for name, case in cases.items():
        rounds = EXAM.first_rounds(Decoder(drafter=case.drafter))
        lengths = sorted({len(r.drafted) for _, r in rounds})
        row = {"rule": name, "decides by": case.looks_at}
        row["first drafts"] = ", ".join(map(str, lengths))
        distance = distance_of(case.drafter)
        rows.append(row | {"TV": f"{distance:{'.0e' if distance < LOSSLESS else '.3f'}}"})
    return rows
