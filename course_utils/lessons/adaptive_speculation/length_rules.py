"""Rules that change the draft length, and an exact test whether each is lossless."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import Draft, Drafter, RoundNoise
from course_utils.drafters.lengths import AdaptiveLength, Heuristic, StaleBudget
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.stops import LikelyRejected, Scattered, Unsure
from course_utils.proofs.decoders import Decoder, Make, exam
from course_utils.theory.estimators import fastest_length, round_cost

# Small enough to enumerate quickly; a bad draft, so that the stop rules do stop.
EXAM = exam(2, agreement=0.2)
LOSSLESS = 1e-12  # a total variation below this is rounding


class Withholding(Sampled):
    """Drop the first guess that q gives less than 0.4, and all guesses after it."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        for i, (row, guess) in enumerate(zip(draft.q, draft.tokens, strict=True)):
            if row[guess] < 0.4:
                return Draft(draft.tokens[:i], draft.q[:i])
        return draft


class PresentBudget(Sampled):
    """Draft to the end, then submit the fastest length by the confidences of the same draft.

    A pass over more than two rows costs more here.  Because of this step, whether a guess is
    submitted depends on the confidences after it, and so on the guess.
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
    """Look up the article's table: 0.2 -> 8, 0.5 -> 5, 0.9 -> 3."""
    if complexity < 0.3:
        return 8
    return 5 if complexity < 0.7 else 3


class ByComplexity:
    """Draft as many guesses as the table gives for the committed text."""

    def __init__(self, drafter: Drafter):
        self.drafter = drafter

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        length = length_for(complexity(tokens))
        return self.drafter.propose(tokens, min(gamma, length), noise)


@dataclass(frozen=True)
class Case:
    """A rule: what it looks at to decide about a guess, and a drafter that follows it."""

    looks_at: str
    drafter: Make


def _with_stop(stop) -> Make:
    return lambda model: Sampled(model, stop=stop)


def _with_policy(policy) -> Make:
    return lambda model: AdaptiveLength(Sampled(model), policy())


KNOWN_BEFORE: Mapping[str, Case] = {
    "heuristic (transformers)": Case("finished rounds", _with_policy(lambda: Heuristic(2, 3))),
    "threshold 0.4 (transformers)": Case("guesses drawn before", _with_stop(Unsure(0.4))),
    "SpecDec++": Case("guesses drawn before", _with_stop(LikelyRejected(0.6))),
    "entropy of the row": Case("the row, before the draw", _with_stop(Scattered(0.65))),
    "stale budget (vLLM)": Case(
        "the round before", _with_policy(lambda: StaleBudget(round_cost(0.3), 2, 3))
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
    """Return the exact total variation between a drafter's texts and the target's."""
    return EXAM.distance(Decoder(drafter=make))


def verdicts(cases: Mapping[str, Case]) -> list[dict[str, object]]:
    """Return a row per rule: the lengths of its first drafts, and its exact total variation."""
    rows = []
    for name, case in cases.items():
        rounds = EXAM.first_rounds(Decoder(drafter=case.drafter))
        lengths = sorted({len(r.drafted) for _, r in rounds})
        row = {"rule": name, "decides by": case.looks_at}
        row["first drafts"] = ", ".join(map(str, lengths))
        distance = distance_of(case.drafter)
        rows.append(row | {"TV": f"{distance:{'.0e' if distance < LOSSLESS else '.3f'}}"})
    return rows
