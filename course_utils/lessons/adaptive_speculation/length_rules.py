"""Rules that change the draft length, and an exact test whether each is lossless."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.decoding.contracts import Draft, Drafter, RoundNoise
from course_utils.decoding.sampling import Stop
from course_utils.drafters.lengths import AdaptiveLength, Heuristic, StaleBudget
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.adaptive_speculation.stop_rules import (
    confidence_below,
    entropy_above,
    rejection_above,
)
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


def _stopped(stop: Stop) -> Make:
    return lambda model: Sampled(model, stop=stop)


# {a rule: (what it looks at to decide about a guess, a drafter that follows it)}
Cases = Mapping[str, tuple[str, Make]]
KNOWN_BEFORE: Cases = {
    "heuristic (transformers)": (
        "finished rounds", lambda model: AdaptiveLength(Sampled(model), Heuristic(2, 3))
    ),
    "threshold 0.4 (transformers)": ("guesses drawn before", _stopped(confidence_below(0.4))),
    "SpecDec++": ("guesses drawn before", _stopped(rejection_above(0.6))),
    "entropy of the row": ("the row, before the draw", _stopped(entropy_above(0.65))),
    "stale budget (vLLM)": (
        "the round before",
        lambda model: AdaptiveLength(Sampled(model), StaleBudget(round_cost(0.3), 2, 3)),
    ),
    "complexity table (article 003)": (
        "the committed text", lambda model: ByComplexity(Sampled(model))
    ),
}  # fmt: skip
KNOWN_AFTER: Cases = {
    "drop a guess below 0.4": ("the guess itself", Withholding),
    "budget from these confidences": ("rows after the guess", PresentBudget),
}


def distance_of(make: Make) -> float:
    """Return the exact total variation between a drafter's texts and the target's."""
    return EXAM.distance(Decoder(drafter=make))


def verdicts(cases: Cases) -> list[dict[str, object]]:
    """Return a row per rule: the lengths of its first drafts, and its exact total variation."""
    rows = []
    for name, (looks_at, drafter) in cases.items():
        rounds = EXAM.first_rounds(Decoder(drafter=drafter))
        lengths = sorted({len(r.drafted) for _, r in rounds})
        row = {"rule": name, "decides by": looks_at, "first drafts": ", ".join(map(str, lengths))}
        distance = distance_of(drafter)
        rows.append(row | {"TV": f"{distance:{'.0e' if distance < LOSSLESS else '.3f'}}"})
    return rows
